"""The JSON contract over HTTP, under `/api/v1`, with its OpenAPI document."""

from scorepad.api.views import OPERATIONS, PAD, PREFIX, blueprint

__all__ = ["OPERATIONS", "PAD", "PREFIX", "blueprint"]
