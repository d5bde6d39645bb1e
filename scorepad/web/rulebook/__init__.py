"""The rulebook: every game in full, a search, two games compared, the glossary."""

from scorepad.web.rulebook.views import blueprint

__all__ = ["blueprint"]
