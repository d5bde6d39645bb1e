"""A plain server of static files, as any host is: it sends the site, and records what it is asked."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

PATH = "/canasta/"
"""Below which path the server has the site."""
HOST = "pad.localhost"
"""The host of the site. A browser has service workers for it without https."""


class SiteServer:
    """A server that can be stopped and started again, and that can change what it sends."""

    def __init__(self, folder: Path, host: str = HOST) -> None:
        self.host = host
        self.folder = folder
        """The folder with the site; another one is another version."""
        self.paths_asked: list[str] = []
        self._server: _Server | None = None
        self.port = 0
        self.start()

    @property
    def address(self) -> str:
        """The URL of the site for a browser that has been told which port the host is."""
        return f"http://{self.host}{PATH}"

    @property
    def local_address(self) -> str:
        """The URL of the site for other browsers."""
        return f"http://localhost:{self.port}{PATH}"

    def start(self) -> None:
        """Start the server; it has the same port each time."""
        self._server = _Server(("127.0.0.1", self.port), partial(_Handler, self))
        self.port = self._server.server_address[1]
        Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self) -> None:
        """Stop the server, if it runs: from now on nobody answers."""
        if self._server is None:
            return
        self._server.shutdown()
        self._server.server_close()
        self._server = None


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, *_: object) -> None:
        """A browser that was killed leaves its connections: that is no error of the server."""


class _Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, site_server: SiteServer, *arguments: object) -> None:
        self.site_server = site_server
        super().__init__(*arguments)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        self.site_server.paths_asked.append(self.path)
        if not self.path.startswith(PATH):
            self.send_error(404)
            return
        self.directory = str(self.site_server.folder)
        self.path = self.path.removeprefix(PATH.rstrip("/"))
        with suppress(BrokenPipeError, ConnectionResetError):
            super().do_GET()

    def log_message(self, *_: object) -> None:
        """The record is `paths_asked`."""
