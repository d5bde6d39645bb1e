"""The count: the page on which a hand is counted, and a past one counted again."""

from scorepad.web.count.views import blueprint

__all__ = ["blueprint"]
