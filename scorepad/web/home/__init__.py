"""The home page: the matches of this device, a match to practise, and the language of its pages."""

from scorepad.web.home.views import blueprint

__all__ = ["blueprint"]
