"""The application factory: blueprints, settings, templates and what runs before and after each request."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import Flask, abort, request
from flask_babel import Babel
from jinja2 import StrictUndefined
from werkzeug.middleware.proxy_fix import ProxyFix

from scorepad import api
from scorepad.app import views
from scorepad.app.config import Config
from scorepad.app.logs import ASKED
from scorepad.app.views import HEALTH, STORAGE
from scorepad.assets import static_dir, templates_dir
from scorepad.matches import Pad
from scorepad.storage import Storage
from scorepad.storage.storage import GRACE
from scorepad.web import limits, rulebook
from scorepad.web.base import (
    EXTENSION,
    AppState,
    SmallNumber,
    app_state,
    choose_language,
    device_id,
    get_pad,
    register_error_pages,
    template_helpers,
)
from scorepad.web.forms import csrf
from scorepad.web.hand_entry import views as hand_entry
from scorepad.web.history import views as history
from scorepad.web.home import views as home
from scorepad.web.matches import actions, checking, files, setup
from scorepad.web.matches import page as matches
from scorepad.web.own_rules import views as own_rules
from scorepad.web.phones import board, share
from scorepad.web.phones import views as phones
from scorepad.web.referee import kept_rulings
from scorepad.web.referee import views as referee
from scorepad.web.security import (
    KEPT_FOR,
    ONLY_HEAD,
    LastingSessions,
    compress,
    is_own_host,
    is_own_origin,
    redirect_for_script,
    renew_cookies,
    set_security_headers,
)

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment
    from flask.typing import ResponseReturnValue
    from werkzeug.exceptions import HTTPException

LARGEST_REQUEST = 256 * 1024
"""Bytes."""
MOST_FIELDS = 2000
_READING = {"GET", "HEAD", "OPTIONS"}
_PAGES = (
    home,
    matches,
    setup,
    actions,
    checking,
    files,
    board,
    share,
    hand_entry,
    rulebook,
    phones,
    history,
    referee,
    kept_rulings,
    own_rules,
    views,
)
"""The modules of the pages, each with its blueprint."""


class Application(Flask):
    """Flask with log lines that name no match, JSON errors for unknown addresses of the API, and HEAD for every GET."""

    def log_exception(self, exc_info: Any) -> None:
        """Log an exception with the rule of the address instead of the address, which names a match."""
        self.logger.error("%s %s", request.method, request.url_rule, exc_info=exc_info)

    def handle_http_exception(self, e: HTTPException) -> HTTPException | ResponseReturnValue:
        """The response to a routing error: JSON under `/api`."""
        if request.routing_exception is not None and api.views.is_api_path(request.path):
            return api.views.http(e)
        return super().handle_http_exception(e)

    def wsgi_app(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """The response; to HEAD the headers of GET without the body, whatever the view."""
        if environ["REQUEST_METHOD"] != "HEAD":
            return super().wsgi_app(environ, start_response)
        whole = super().wsgi_app({**environ, "REQUEST_METHOD": "GET", ONLY_HEAD: True}, start_response)
        if hasattr(whole, "close"):
            whole.close()
        return ()


def create_app(config: Config) -> Flask:
    """The application on a data file. Raises StorageError where the file cannot be used."""
    app = Application("scorepad", static_folder=str(static_dir()), template_folder=str(templates_dir()))
    app.config.update(_settings(config))
    app.session_interface = LastingSessions()
    app.url_map.converters["int"] = SmallNumber
    open_data(app, config)
    _set_templates(app)
    _set_hooks(app)
    csrf.init_app(app)
    Babel(app, locale_selector=choose_language, default_locale="it")
    register_error_pages(app)
    for module in _PAGES:
        app.register_blueprint(module.blueprint)
    # No CSRF token for the API: another site can neither send JSON here without a preflight, nor the key that every
    # request about a match needs; and cookies open nothing there.
    csrf.exempt(api.blueprint)
    app.register_blueprint(api.blueprint)
    if config.proxies:
        # Believe so many proxies for the client's address, https and the host name.
        fixed = ProxyFix(app.wsgi_app, config.proxies, config.proxies, config.proxies, x_prefix=0)
        app.wsgi_app = fixed  # type: ignore[method-assign] # as Flask documents it
    return app


def open_data(app: Flask, config: Config) -> None:
    """Open the data file of a configuration, with empty caches and counters, in place of the one before.

    Raises StorageError where the file cannot be used.
    """
    app.extensions[STORAGE] = storage = Storage(config.data, GRACE)
    app.extensions[api.PAD] = pad = Pad(storage)
    app.extensions[EXTENSION] = made = AppState(pad, config.allowed_hosts, config.listens)
    storage.on_change = made.forget
    app.extensions[limits.EXTENSION] = limits.Counts()


def _settings(config: Config) -> dict[str, object]:
    return {
        "SECRET_KEY": config.key,
        "TESTING": config.testing,
        limits.LIMITED: config.limited,
        "MAX_CONTENT_LENGTH": LARGEST_REQUEST,
        "MAX_FORM_MEMORY_SIZE": LARGEST_REQUEST,
        "MAX_FORM_PARTS": MOST_FIELDS,
        "SEND_FILE_MAX_AGE_DEFAULT": KEPT_FOR,
        "SESSION_COOKIE_NAME": "scorepad_session",
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "PERMANENT_SESSION_LIFETIME": KEPT_FOR,
        # A match outlasts an hour, and a page may lie open on the table overnight.
        "WTF_CSRF_TIME_LIMIT": None,
        "WTF_I18N_ENABLED": False,
        # Under https it would refuse every form of a browser that sends no Referer, as our page for a wrong key asks
        # for. `_check_host` checks the Origin instead.
        "WTF_CSRF_SSL_STRICT": False,
    }


def _set_templates(app: Flask) -> None:
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    functions, filters = template_helpers()
    app.jinja_env.globals.update(functions)
    app.jinja_env.filters.update(filters)
    app.jinja_env.globals["asset"] = partial(_asset, f"{app.static_url_path}/", _marks(static_dir()))


def _set_hooks(app: Flask) -> None:
    app.before_request(_log_rule)
    app.before_request(_check_host)
    limits.register(app)
    app.before_request(_count_fields)
    app.before_request(_check_access)
    for change in (set_security_headers, compress, redirect_for_script, renew_cookies):
        app.after_request(change)


def _log_rule() -> None:
    if ASKED in request.environ and request.url_rule is not None:
        request.environ[ASKED].path = request.url_rule.rule


def _check_host() -> None:
    # Monitoring may use any name, and learns nothing else.
    if request.endpoint != HEALTH and not is_own_host(request.host, app_state().allowed_hosts):
        abort(400, "host")
    if request.method not in _READING and not is_own_origin(request.origin, request.host, app_state().allowed_hosts):
        abort(403, "origin")


def _count_fields() -> None:
    # Werkzeug limits the parts of a multipart body only. The data read here is cached for its parser.
    if request.mimetype == "application/x-www-form-urlencoded" and request.get_data().count(b"&") >= MOST_FIELDS:
        abort(413)


def _check_access() -> None:
    """Refuse a device that may only read, on every address that changes a match and on the forms for it."""
    if request.blueprint == api.blueprint.name:
        return  # requests to the API are authorised by their key
    match = (request.view_args or {}).get("match")
    methods = set() if request.url_rule is None else request.url_rule.methods or set()
    if match is not None and not methods <= _READING:
        get_pad().devices.let_write(match, device_id())


def _asset(folder: str, marks: Mapping[str, str], name: str) -> str:
    """The address of a static file, another one whenever its content is another."""
    return f"{request.root_path}{folder}{name}?v={marks.get(name, '')}"


def _marks(folder: Path) -> dict[str, str]:
    """Name of a static file to the mark of its content."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()[:12] for path in files}
