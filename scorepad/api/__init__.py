"""The JSON contract over HTTP, under `/api/v1`, with its OpenAPI document."""

from scorepad.api import views
from scorepad.api.matches import PAD
from scorepad.api.operations import OPERATIONS, PREFIX, blueprint

__all__ = ["OPERATIONS", "PAD", "PREFIX", "blueprint", "views"]
