"""The JSON contract over HTTP, under `/api/v1`, with its OpenAPI document."""

from scorepad.api.views import PAD, PREFIX, blueprint

__all__ = ["PAD", "PREFIX", "blueprint"]
