"""The calls of highspy that `scorepad.rules.solver` makes, answered by HiGHS in WebAssembly.

In the browser this module is found as `highspy`. There the package `highs` of npm, once loaded, is
registered as the JavaScript module `highs_js`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from types import SimpleNamespace
from typing import Any

import highs_js
from js import Object
from pyodide.ffi import to_js


class ObjSense(IntEnum):
    """Whether the objective is to be as small or as large as possible."""

    kMinimize = 1
    kMaximize = -1


class Highs:
    """An integer program: it is put together in Python, and solved at once by `run`."""

    def __init__(self) -> None:
        self._options: dict[str, Any] = {}
        self._sense = ObjSense.kMinimize
        self._lowest: list[float] = []
        self._highest: list[float] = []
        self._integrality: list[int] = []
        self._costs: list[float] = []
        self._row_lowest: list[float] = []
        self._row_highest: list[float] = []
        self._row_starts = [0]
        self._row_columns: list[int] = []
        self._row_values: list[float] = []
        self._status: int | None = None
        self._solution: list[float] = []

    def silent(self) -> None:
        self.setOptionValue("output_flag", False)

    def setOptionValue(self, name: str, value: Any) -> None:
        if name == "threads":
            return  # there is one in a browser, and the library takes no such option
        self._options[name] = value

    def changeObjectiveSense(self, sense: ObjSense) -> None:
        self._sense = sense

    def addVars(self, number: int, lowest: Sequence[float], highest: Sequence[float]) -> None:
        """Add variables ("columns") that need not be whole numbers yet, and cost nothing."""
        self._lowest += lowest
        self._highest += highest
        self._integrality += [0] * number
        self._costs += [0.0] * number

    def changeColsIntegrality(
        self, _number: int, columns: Sequence[int], kinds: Sequence[int]
    ) -> None:
        for column, kind in zip(columns, kinds, strict=True):
            self._integrality[column] = kind

    def changeColsCost(self, _number: int, columns: Sequence[int], costs: Sequence[float]) -> None:
        for column, cost in zip(columns, costs, strict=True):
            self._costs[column] = cost

    def addRow(
        self,
        lowest: float,
        highest: float,
        _number: int,
        columns: Sequence[int],
        values: Sequence[float],
    ) -> None:
        """Add a condition: the sum of these columns, each times its value, is within the limits."""
        self._row_lowest.append(lowest)
        self._row_highest.append(highest)
        self._row_columns += columns
        self._row_values += values
        self._row_starts.append(len(self._row_columns))

    def run(self) -> None:
        """Solve the program."""
        model = highs_js.createModel(_to_object(self._describe()))
        try:
            model.options.set(_to_object(self._options))
            model.run()
            self._status = model.getModelStatus()
            self._solution = list(model.getSolution().colValue)
        finally:
            model.dispose()  # its memory is not JavaScript's, which would free it by itself

    def _describe(self) -> dict[str, Any]:
        """Describe the program as the JavaScript library takes it, a `ModelData`."""
        columns = len(self._costs)
        rows = len(self._row_lowest)
        return {
            "numCols": columns,
            "numRows": rows,
            "sense": int(self._sense),
            "colCost": self._costs,
            "colLower": self._lowest,
            "colUpper": self._highest,
            "rowLower": self._row_lowest,
            "rowUpper": self._row_highest,
            "integrality": self._integrality,
            "matrix": {
                "format": "csr",  # row after row
                "numRows": rows,
                "numCols": columns,
                "starts": self._row_starts,
                "indices": self._row_columns,
                "values": self._row_values,
            },
        }

    def getModelStatus(self) -> int | None:
        return self._status

    def modelStatusToString(self, status: int | None) -> str:
        if status == highs_js.constants.modelStatus.optimal:
            return "Optimal"
        return "Not solved"  # the solver needs to know no more

    def getSolution(self) -> SimpleNamespace:
        return SimpleNamespace(col_value=self._solution)


def _to_object(values: dict[str, Any]) -> Any:
    """Turn a dictionary into an object of JavaScript."""
    return to_js(values, dict_converter=Object.fromEntries)
