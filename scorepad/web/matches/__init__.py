"""A match: started, shown, undone, renamed."""

from scorepad.web.matches.views import blueprint

__all__ = ["blueprint"]
