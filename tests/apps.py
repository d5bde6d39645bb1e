"""Applications shared by the tests of a process: each test opens a data file of its own in one of
them.

Making an application takes 34 ms and its first page another 39 ms, since its templates are loaded
again; a new data file takes 6 ms. What a test changes in an application's configuration is taken
back before the next test.
"""

from pathlib import Path

from flask import Flask

from scorepad.app import Config, create_app, open_data

_made: dict[Config, tuple[Flask, dict[str, object]]] = {}


def shared_app(config: Config) -> Flask:
    """The application of this process for a configuration, on its data file."""
    kind = config._replace(data=Path())
    if kind not in _made:
        app = create_app(config)
        _made[kind] = app, dict(app.config)
        return app
    app, settings = _made[kind]
    app.config.clear()
    app.config.update(settings)
    open_data(app, config)
    return app
