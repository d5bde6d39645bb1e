"""The application: configuration, signing key of cookies, factory, and the health and API
documentation pages.
"""

from __future__ import annotations

import hashlib
import mimetypes
import secrets
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from flask import Blueprint, Flask, Response, current_app, request
from flask_babel import Babel
from jinja2 import StrictUndefined
from werkzeug.middleware.proxy_fix import ProxyFix

from scorepad import api
from scorepad.assets import static_dir, templates_dir
from scorepad.i18n import LANGUAGES, Words, words
from scorepad.matches import Pad
from scorepad.storage import Storage
from scorepad.storage.connection import (
    FolderUnwritable,
    StorageError,
    publish,
    sync_descriptor,
    temporary_file,
)
from scorepad.storage.storage import SERVER_LOCK_TIMEOUT
from scorepad.web import (
    alone,
    app_services,
    base,
    cookies,
    forms,
    presenters,
    request_limits,
    rulebook,
    security,
    static_files,
)
from scorepad.web.forms import csrf
from scorepad.web.hand_entry import views as hand_entry
from scorepad.web.history import views as history
from scorepad.web.home import views as home
from scorepad.web.matches import action_pages, files, setup
from scorepad.web.matches import page as matches
from scorepad.web.own_rules import views as own_rules
from scorepad.web.phones import views as phones
from scorepad.web.rate_limits import Counts
from scorepad.web.referee import views as referee
from scorepad.web.this_device import views as this_device

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue
    from jinja2 import Environment
    from werkzeug.exceptions import HTTPException

STORAGE = "scorepad.storage"
"""Key of the `Storage` among Flask's extensions."""
LENGTH = 32
"""Bytes of a signing key."""
LARGEST_REQUEST = 256 * 1024
"""Bytes."""
_MEDIA_TYPES = {".css": "text/css", ".png": "image/png", ".svg": "image/svg+xml"}
"""Media types of static files by ending. Python asks the registry of Windows for them, where other
programs may have put wrong ones; a browser then refuses the style sheets.
"""
blueprint = Blueprint("app", __name__)
_PAGES = (
    home.blueprint,
    matches.blueprint,
    setup.blueprint,
    action_pages.blueprint,
    files.blueprint,
    phones.live,
    phones.share,
    hand_entry.blueprint,
    rulebook.blueprint,
    phones.blueprint,
    history.blueprint,
    referee.blueprint,
    own_rules.blueprint,
    blueprint,
)


class Config(NamedTuple):
    """The settings of the application; nothing is read from the working directory.

    `data` is the data file, `key` the signing key of cookies; `allowed_hosts` are further names of
    this machine, `listens` is the host that the server listens on. `proxies`: the number of trusted
    proxies in front of the server, for the client's address, https and the host name. `limited`:
    rate limits apply. `testing` propagates exceptions to the test.

    `alone`: the application runs in a browser and serves only that one (`scorepad.web.alone`). The
    key and the data file are then that browser's alone, and each request is the owner's.
    """

    data: Path
    key: bytes
    allowed_hosts: tuple[str, ...] = ()
    listens: str = "127.0.0.1"
    proxies: int = 0
    limited: bool = True
    testing: bool = False
    alone: bool = False


# ---------------------------------------------------------------- the signing key


class KeyUnusable(StorageError):
    """The key file exists and cannot be read."""


def key_path(data: Path) -> Path:
    """Return the path of the key file of a data file: `matches.db` → `matches.db.key`."""
    return data.with_name(f"{data.name}.key")


def signing_key(data: Path) -> bytes:
    """Read the key that signs the cookies; make one when the server starts for the first time.

    It is in a file of its own beside the data file, which only its owner may read. Raises
    KeyUnusable, and FolderUnwritable if no key file can be written.
    """
    path = key_path(data)
    with KeyUnusable.instead_of_os_error(path):
        if not path.exists():
            _make_key(path, data)
        key = path.read_bytes()
    if len(key) < LENGTH:
        raise KeyUnusable(path, "too short", "cut-short")
    return key


def _make_key(path: Path, data: Path) -> None:
    """Make a new random key and write it to this file, unless another process has just done so.

    The file appears under its name only when it is complete: the key is written to a temporary file
    first. If two servers start at once, the first one's file stays, and both use its key.
    """
    with FolderUnwritable.instead_of_os_error(data), temporary_file(path.parent) as draft:
        with draft.open("r+b") as stream:  # the empty file exists, readable by its owner only
            stream.write(secrets.token_bytes(LENGTH))
            stream.flush()
            sync_descriptor(stream.fileno())  # on the disk before it gets its name
        publish(draft, path)


# ---------------------------------------------------------------- the factory


class Application(Flask):
    """Flask with log lines that contain no match id, and JSON errors for unknown URLs of the API."""

    def log_exception(self, exc_info: Any) -> None:
        """Log an exception with the pattern of the URL: the URL itself has the id of a match."""
        self.logger.error("%s %s", request.method, request.url_rule, exc_info=exc_info)

    def handle_http_exception(self, e: HTTPException) -> HTTPException | ResponseReturnValue:
        """Answer an HTTP error: with JSON for an unknown URL of the API, otherwise as Flask does.

        The API answers its own errors. A URL that does not exist belongs to no part of the
        application, so that it ends here.
        """
        is_unknown_url = request.routing_exception is not None
        if is_unknown_url and api.views.is_api_path(request.path):
            return api.views.handle_http_error(e)
        return super().handle_http_exception(e)

    def send_static_file(self, filename: str) -> Response:
        """Answer with a static file, or with a font of the sheets; with scripts and the styles of
        sheets as browsers need them.
        """
        folder = self.static_folder
        if folder and filename.endswith(".js"):
            return static_files.send_script(folder, filename)
        if folder and filename.startswith("sheets/"):
            return static_files.send_sheet_style(folder, filename)
        if filename.startswith("fonts/"):
            return static_files.send_font(filename.removeprefix("fonts/"))
        return super().send_static_file(filename)

    def get_send_file_max_age(self, filename: str | None) -> int | None:
        """Return for how many seconds browsers may keep a static file.

        Only a URL that has the digest of all files in it may be kept: it changes with the files.
        For any other URL the answer is None, and browsers ask each time whether their copy is
        current.
        """
        path_with_digest = self.config[base.ASSET_PATH]  # `/static/3f2a81c09d7e`
        if request.path.startswith(f"{path_with_digest}/"):
            return super().get_send_file_max_age(filename)
        return None


def create_app(config: Config) -> Flask:
    """Create the Flask application for a data file.

    Raises StorageError if the file cannot be used.
    """
    app = Application(
        "scorepad", static_folder=str(static_dir()), template_folder=str(templates_dir())
    )
    _configure(app, config)
    open_data(app, config)
    security.register_security(app)
    csrf.init_app(app)
    Babel(app, locale_selector=base.select_locale, default_locale="it")
    base.register_basics(app)
    _configure_jinja(app)
    _register_blueprints(app)
    _make_templates_of_languages(app)
    if config.proxies:
        _trust_proxies(app, config.proxies)
    return app


def _configure_jinja(app: Flask) -> None:
    """Set up the templates of the pages.

    An undefined value is an error, a line with only a tag in it leaves no empty line, `own_path()`
    and `own_url()` give the address of the request, `asset(…)` the URL of a static file, and
    `is_alone()` tells whether the pad is alone.
    """
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals["is_alone"] = alone.is_alone
    app.jinja_env.filters["paper_label"] = alone.paper_label
    app.jinja_env.globals["own_path"] = base.own_path
    app.jinja_env.globals["own_url"] = base.own_url
    app.jinja_env.filters["without_spaces"] = base.leave_spaces_out
    _serve_assets(app)


def _register_blueprints(app: Flask) -> None:
    """Register the pages and the JSON API."""
    for page_blueprint in _PAGES:
        app.register_blueprint(page_blueprint)
    if app.config[alone.ALONE]:
        app.register_blueprint(this_device.blueprint)
    # The API needs no CSRF token: another site can send neither JSON without a preflight nor the
    # key required for a match, and cookies give no access there.
    csrf.exempt(api.blueprint)
    app.register_blueprint(api.blueprint)


def _make_templates_of_languages(app: Flask) -> None:
    """Set up the templates for each language.

    All blueprints must be registered before, because the templates link to their pages.
    """
    app.jinja_env.globals["paths"] = _match_paths(app)
    templates = {}
    for language in LANGUAGES:
        templates[language] = _make_templates(app, words(language))
    app.extensions[base.TEMPLATES] = templates


def _serve_assets(app: Flask) -> None:
    """Serve the static files under a URL that has a digest of them in it.

    `/static/3f2a81c09d7e/style.css` changes when any file changes, so browsers may keep what they
    have loaded. Templates get the URL from `asset(…)`.
    """
    path = f"/static/{_digest_of_files(static_dir())}"
    app.config[base.ASSET_PATH] = path
    app.add_url_rule(f"{path}/<path:filename>", endpoint="static")
    for ending, media_type in _MEDIA_TYPES.items():
        mimetypes.add_type(media_type, ending)
    app.jinja_env.globals["asset"] = base.asset


def _trust_proxies(app: Flask, count: int) -> None:
    """Believe what this number of proxies say about the client's address, https and the host."""
    fixed = ProxyFix(app.wsgi_app, x_for=count, x_proto=count, x_host=count, x_prefix=0)
    app.wsgi_app = fixed  # type: ignore[method-assign] # as Flask documents it


def _configure(app: Flask, config: Config) -> None:
    """Set the configuration values of Flask, its extensions and our pages."""
    app.config.update(
        SECRET_KEY=config.key,
        TESTING=config.testing,
        MAX_CONTENT_LENGTH=LARGEST_REQUEST,
        MAX_FORM_MEMORY_SIZE=LARGEST_REQUEST,
        MAX_FORM_PARTS=security.MOST_FIELDS,
        SEND_FILE_MAX_AGE_DEFAULT=cookies.KEPT_FOR,
        SESSION_COOKIE_NAME="scorepad_session",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=cookies.KEPT_FOR,
        # A match may last more than an hour, and a page may be open overnight.
        WTF_CSRF_TIME_LIMIT=None,
        WTF_I18N_ENABLED=False,
        # Under https it would refuse every form sent without a Referer, which our page for a wrong
        # key suppresses. The check of the host compares the Origin instead.
        WTF_CSRF_SSL_STRICT=False,
    )
    app.config[alone.ALONE] = config.alone
    app.config[request_limits.LIMITED] = config.limited and not config.alone
    app.config[security.HOSTS] = config.allowed_hosts
    app.config[phones.LISTENS] = config.listens


def _match_paths(app: Flask) -> dict[str, str]:
    """List the paths of all pages of a match by endpoint: `{"phones.page": "/telefoni"}`.

    The path is what follows `/partite/<match>`. A page with hundreds of links puts them together
    from these, which is faster than `url_for`.
    """
    paths = {}
    for rule in app.url_map.iter_rules():
        is_page_of_match = rule.arguments == {"match"}  # the only part of the URL that varies
        if is_page_of_match:
            paths[rule.endpoint] = rule.rule.removeprefix("/partite/<match>")
    return paths


def open_data(app: Flask, config: Config) -> None:
    """Open the data file of the configuration, and connect the pages and the API to it.

    Caches and counters start empty. A second call replaces the data of the first one. Raises
    StorageError if the file cannot be used.
    """
    storage = Storage(config.data, SERVER_LOCK_TIMEOUT)
    pad = Pad(storage)
    state = base.AppState(pad)
    # If a copy is put in the place of the data file, pages rendered from the old one are wrong.
    storage.on_replacement = state.clear_rendered

    app.extensions[STORAGE] = storage
    app.extensions[api.PAD] = pad
    app.extensions[app_services.EXTENSION] = state
    app.extensions[request_limits.COUNTS] = Counts()


def _digest_of_files(folder: Path) -> str:
    """Compute a short digest of the names and contents of all files below a folder.

    The result is like `3f2a81c09d7e`.
    """
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            name = path.relative_to(folder).as_posix()
            digest_of_content = hashlib.sha256(path.read_bytes()).hexdigest()
            digest.update(f"{name} {digest_of_content}\n".encode())
    return digest.hexdigest()[:12]


def _make_templates(app: Flask, speech: Words) -> Environment:
    """Make the Jinja environment for one language.

    Its filters show days, numbers and lists in that language.
    """
    environment = app.jinja_env.overlay()
    # Copies: the overlay shares both with the environment that it is made from, and so with the
    # other languages.
    environment.globals = dict(environment.globals)
    environment.filters = dict(environment.filters)

    environment.globals["language"] = speech.language.value
    environment.globals.update(base.template_words(speech))
    environment.filters["day"] = lambda moment: speech.day(moment.astimezone())
    environment.filters["describing_ids"] = forms.describing_ids
    environment.filters["figure"] = speech.figure
    environment.filters["listing"] = speech.listing
    environment.filters["moment"] = partial(presenters.moment, words=speech)
    environment.filters["signed"] = speech.signed
    environment.filters["size_class"] = presenters.size_class
    environment.filters["is_long"] = presenters.is_long
    environment.filters["has_long_word"] = presenters.has_long_word
    environment.filters["names_of_players"] = presenters.names_of_players
    environment.filters["versus"] = partial(presenters.versus, words=speech)
    return environment


# ---------------------------------------------------------------- pages outside `web`


@blueprint.get("/salute")
def health() -> Response:
    """Answer with the state of the data file in one word: `ok` with status 200, any other with 503.

    It is for monitoring, and tells nothing about matches.
    """
    storage: Storage = current_app.extensions[STORAGE]
    state = storage.check_health()
    status = 200 if state == "ok" else 503
    response = Response(f"{state}\n", status, mimetype="text/plain")
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.get("/api/")
def interface() -> Response:
    """Show the page about the JSON API: its operations and types, from its OpenAPI document."""
    from scorepad.api.document_texts import DocumentTexts
    from scorepad.api.openapi_document import build_openapi  # builds the models of all answers

    document = build_openapi(base.page_words(), request.root_path)
    return base.render_page("api/page.html", title=base.t("api.title"), api=DocumentTexts(document))
