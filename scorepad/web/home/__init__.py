"""The home page: the matches of this device, and the language of its pages."""

from scorepad.web.home.views import blueprint

__all__ = ["blueprint"]
