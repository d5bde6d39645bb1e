"""Compiles modules to the bytecode of the Python that runs this: inside Pyodide, its own.

The bytecode has no docstrings, and knows of each function only its first line. Where each
instruction stands in the source would be a fifth of what a phone has to load.
"""

from __future__ import annotations

import importlib.util
from importlib._bootstrap_external import _code_to_hash_pyc  # type: ignore[attr-defined]
from types import CodeType

_WITHOUT_DOCSTRINGS = 2
"""Level of optimization."""
_BYTES_OF_UNIT = 2
"""Bytecode consists of units of two bytes."""
_MOST_UNITS = 8
"""So many units an entry of a table of lines can cover."""
_ENTRY_WITHOUT_COLUMNS = 0b1_1101_000
"""The first byte of an entry that tells no columns; its last three bits are the units it covers, less
one. The second byte is the distance in lines from the entry before.
"""
_SAME_LINE = 0


def compile_module(source: bytes, path: str) -> bytes:
    """Compile a module to the content of a `.pyc` file that is never compared with its source."""
    code = compile(source, path, "exec", dont_inherit=True, optimize=_WITHOUT_DOCSTRINGS)
    digest = importlib.util.source_hash(source)
    return bytes(_code_to_hash_pyc(keep_first_lines(code), digest, False))


def keep_first_lines(code: CodeType) -> CodeType:
    """Return the same code without the line of each instruction.

    A traceback then shows each function with its first line.
    """
    constants = []
    for constant in code.co_consts:
        is_function = isinstance(constant, CodeType)
        constants.append(keep_first_lines(constant) if is_function else constant)
    return code.replace(co_consts=tuple(constants), co_linetable=_first_line_table(code))


def _first_line_table(code: CodeType) -> bytes:
    """Return a table of lines by which all instructions stand on the first line of the code."""
    table = bytearray()
    units_left = len(code.co_code) // _BYTES_OF_UNIT
    while units_left > 0:
        units = min(units_left, _MOST_UNITS)
        table += bytes([_ENTRY_WITHOUT_COLUMNS | (units - 1), _SAME_LINE])
        units_left -= units
    return bytes(table)
