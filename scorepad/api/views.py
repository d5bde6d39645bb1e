"""All views, in the order of the OpenAPI document, and what the server needs of their errors."""

# isort: off
from scorepad.api import scoring
from scorepad.api import variant_views
from scorepad.api import description
from scorepad.api import matches

# isort: on
from scorepad.api.error_responses import code_of_status, handle_http_error, is_api_path

__all__ = [
    "code_of_status",
    "description",
    "handle_http_error",
    "is_api_path",
    "matches",
    "scoring",
    "variant_views",
]
