"""Code that Python generates when a class is made, compiled when the site is built.

The methods of a dataclass and of a named tuple are put together as text when their module is
imported. In a browser, compiling these texts takes a quarter of the time of all imports.
"""

from __future__ import annotations

import collections
import dataclasses
import hashlib
import marshal
from pathlib import Path
from types import CodeType
from typing import Any

from scorepad.lite.inside.bytecode import keep_first_lines

FILE = "generated_code"
"""The name of the file with the compiled code."""


class GeneratedCode:
    """Compiled code by the digest of its text; the code of a text that it lacks is added.

    Its methods are called in place of Python's `exec` and `eval`, with the same arguments.
    """

    def __init__(self, compiled: dict[bytes, CodeType]) -> None:
        self.compiled = compiled

    def execute(self, text: str, names: dict[str, Any], local_names: dict[str, Any]) -> None:
        """Execute the statements of a text."""
        exec(self._compile(text, "exec"), names, local_names)  # noqa: S102 - the text is Python's own

    def evaluate(self, text: str, names: dict[str, Any]) -> Any:
        """Return the value of a text with one expression."""
        return eval(self._compile(text, "eval"), names)  # noqa: S307 - the text is Python's own

    def _compile(self, text: str, mode: str) -> CodeType:
        digest = hashlib.sha256(text.encode()).digest()
        if digest not in self.compiled:
            self.compiled[digest] = compile(text, "<string>", mode, dont_inherit=True)
        return self.compiled[digest]


def install(code: GeneratedCode) -> None:
    """Let the modules that make dataclasses and named tuples use compiled texts from now on."""
    vars(dataclasses)["exec"] = code.execute  # a name of the module goes before the builtin one
    vars(collections)["eval"] = code.evaluate


def save(code: GeneratedCode, folder: Path) -> None:
    """Save the code that was compiled so far to a folder."""
    compiled = {digest: keep_first_lines(each) for digest, each in code.compiled.items()}
    (folder / FILE).write_bytes(marshal.dumps(compiled))


def use_generated_code(folder: Path) -> None:
    """Use the code that was saved to a folder: by the same Python, whose own form it has."""
    content = (folder / FILE).read_bytes()
    install(GeneratedCode(marshal.loads(content)))  # noqa: S302 - the site has made it
