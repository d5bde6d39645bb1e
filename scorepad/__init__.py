"""A score pad and rules referee for canasta."""

__version__ = "0.1.0"
