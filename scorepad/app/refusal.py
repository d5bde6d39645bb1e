"""Responses of the server itself, to requests that it did not read to the end."""

from __future__ import annotations

from pydantic_core import to_json
from waitress.task import ErrorTask
from waitress.utilities import Error

from scorepad.api.error_responses import code_of_status, is_api_path
from scorepad.app.request_log import UNKNOWN, log_request
from scorepad.i18n import LANGUAGES, words
from scorepad.web.headers import ALWAYS

_MESSAGES = {
    400: "serve.refused-400",
    408: "serve.refused-408",
    413: "serve.refused-413",
    431: "serve.refused-431",
}


class RequestTimeout(Error):  # type: ignore[misc] # waitress ships no types
    code = 408
    reason = "Request Timeout"


class RefusalTask(ErrorTask):  # type: ignore[misc] # waitress ships no types
    """Sends an error in every language, since that of the client is unknown; to programs as JSON."""

    def execute(self) -> None:
        """Send the error in the form that the client expects: as JSON, or for browsers as text.

        waitress calls this in a worker thread, for a request with an `error` (too large, malformed
        or late). The client's language is not known, so the text has one line for each language.
        """
        status: int = self.request.error.code
        # Both are missing if not even the first line of the request was read.
        method = str(getattr(self.request, "command", ""))
        path = str(getattr(self.request, "path", ""))
        log_request(method, UNKNOWN, status)

        text = _text_in_all_languages(status)
        if is_api_path(path):
            text_in_one_line = " ".join(text.split())
            content_type = "application/json"
            body = to_json({"error": text_in_one_line, "code": code_of_status(status)})
        else:
            content_type = "text/plain; charset=utf-8"
            body = text.encode()

        headers = dict(ALWAYS)
        headers["Referrer-Policy"] = "no-referrer"  # the URL may contain a key
        headers["Cache-Control"] = "no-store"
        headers["Content-Type"] = content_type

        self.status = f"{status} {self.request.error.reason}"
        self.response_headers.extend(headers.items())
        self.content_length = len(body)
        self.set_close_on_finish()
        self.write(body)


def _text_in_all_languages(status: int) -> str:
    """Return the message for an HTTP status in every language, each on a line of its own."""
    key = _MESSAGES.get(status, "serve.refused")
    lines = [words(language).t(key) for language in LANGUAGES]
    return "\n".join(lines) + "\n"
