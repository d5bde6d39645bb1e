"""Templates as they were compiled last, for every application that the tests make: compiling is
most of its time.
"""

import tempfile
from pathlib import Path

from flask import Flask
from jinja2.bccache import Bucket, BytecodeCache


class Compiled(BytecodeCache):
    """Keeps them in memory, by their name, what stands in them and the language of their
    environment: Jinja computes what is constant when it compiles, such as `{{ 500|figure }}`.
    """

    def __init__(self) -> None:
        self._code: dict[tuple[object, str], bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        code = self._code.get(key_of(bucket))
        if code is not None:
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._code[key_of(bucket)] = bucket.bytecode_to_string()


def key_of(bucket: Bucket) -> tuple[object, str]:
    """What tells a compiled template from the others: its language and its name."""
    return bucket.environment.globals.get("language"), bucket.key


def share_templates() -> None:
    """Every application of this process has them compiled once."""
    Flask.jinja_options = {"bytecode_cache": Compiled()}


def compile_all() -> None:
    """Have them all compiled before the first is asked for."""
    from scorepad.app import STORAGE, Config, create_app
    from scorepad.web.base import TEMPLATES

    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Config(Path(folder, "x.db"), b"k" * 32))
        for name in app.jinja_env.list_templates(["html"]):
            app.extensions[TEMPLATES]["it"].get_template(name)
        app.extensions[STORAGE].close()
