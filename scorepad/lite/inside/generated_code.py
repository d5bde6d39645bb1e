"""Code that Python generates when a class is made, compiled when the site is built.

The methods of a dataclass and of a named tuple are put together as text when their module is
imported. In a browser, compiling these texts takes a quarter of the time of all imports.
"""

from __future__ import annotations

import collections
import dataclasses
import marshal
from pathlib import Path
from types import CodeType
from typing import Any

FILE = "generated_code"
"""The name of the file with the compiled texts."""


class GeneratedCode:
    """Texts of code, and the same compiled; a text that it lacks is compiled and added.

    Its methods are called in place of Python's `exec` and `eval`, with the same arguments.
    """

    def __init__(self, compiled: dict[str, CodeType]) -> None:
        self.compiled = compiled

    def execute(self, text: str, names: dict[str, Any], local_names: dict[str, Any]) -> None:
        """Execute the statements of a text."""
        exec(self._compile(text, "exec"), names, local_names)  # noqa: S102 - the text is Python's own

    def evaluate(self, text: str, names: dict[str, Any]) -> Any:
        """Return the value of a text with one expression."""
        return eval(self._compile(text, "eval"), names)  # noqa: S307 - the text is Python's own

    def _compile(self, text: str, mode: str) -> CodeType:
        if text not in self.compiled:
            self.compiled[text] = compile(text, "<string>", mode, dont_inherit=True)
        return self.compiled[text]


def install(code: GeneratedCode) -> None:
    """Let the modules that make dataclasses and named tuples use compiled texts from now on."""
    vars(dataclasses)["exec"] = code.execute  # a name of the module goes before the builtin one
    vars(collections)["eval"] = code.evaluate


def save(code: GeneratedCode, folder: Path) -> None:
    """Save the texts that were compiled so far to a folder."""
    (folder / FILE).write_bytes(marshal.dumps(code.compiled))


def use_generated_code(folder: Path) -> None:
    """Use the texts that were saved to a folder: by the same Python, whose own form they have."""
    content = (folder / FILE).read_bytes()
    install(GeneratedCode(marshal.loads(content)))  # noqa: S302 - the site has made it
