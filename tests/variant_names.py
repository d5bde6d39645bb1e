"""Where a program decides by the name of a variant: it compares it, matches it, looks up by it, or
lists such names.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable

from scorepad.rules.score_lines import ITEMS
from scorepad.rules.variants import freeze, settle, variant_ids

ABOUT = re.compile(r"variant|game")


def words_of_the_game() -> set[str]:
    """Names that mean something else as well: a line of the score, or the value of a setting in
    some version.
    """
    told = json.dumps([freeze(settle(name))["settings"] for name in variant_ids()])
    return {"mini"} | {name for name in variant_ids() if name in ITEMS or f'"{name}"' in told}


class Finder(ast.NodeVisitor):
    """Looks through a module.

    A name that is a word of the game too counts only beside something that is called a variant or a
    game.
    """

    def __init__(self, module: ast.Module) -> None:
        self.found: list[str] = []
        self.names = set(variant_ids())
        self.sure = self.names - words_of_the_game()
        self.constants = {
            target.id: node.value.value
            for node in module.body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        self.visit(module)

    def held(self, nodes: Iterable[ast.AST | None]) -> set[object]:
        """The names of variants among these expressions, and what they hold: told at once or by a
        constant.
        """
        every = [each for node in nodes if node is not None for each in ast.walk(node)]
        found = {each.value for each in every if isinstance(each, ast.Constant)}
        found |= {self.constants.get(each.id) for each in every if isinstance(each, ast.Name)}
        return found & self.names

    def note(self, node: ast.expr | ast.Match, held: set[object], beside: str = "") -> None:
        """Keep a place, if the names in it can only be those of variants; then go on into it."""
        if held & self.sure or (held and ABOUT.search(beside)):
            self.found.append(f"{node.lineno}: {ast.unparse(node).splitlines()[0]}")
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        self.note(node, self.held([node.left, *node.comparators]), ast.unparse(node))

    def visit_Match(self, node: ast.Match) -> None:
        self.note(node, self.held(case.pattern for case in node.cases), ast.unparse(node.subject))

    def visit_Dict(self, node: ast.Dict) -> None:
        keys = [key.value for key in node.keys if isinstance(key, ast.Constant)]
        self.note(node, self.names & set(keys), "variants" if set(keys) <= self.names else "")

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.note(node, self.held([node.slice]))

    def visit_Tuple(self, node: ast.Tuple) -> None:
        self.note(node, self.held(each for each in node.elts if isinstance(each, ast.Constant)))

    def visit_Set(self, node: ast.Set) -> None:
        self.note(node, self.held(each for each in node.elts if isinstance(each, ast.Constant)))

    def visit_List(self, node: ast.List) -> None:
        self.note(node, self.held(each for each in node.elts if isinstance(each, ast.Constant)))

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func
        if isinstance(called, ast.Attribute) and called.attr in (
            "startswith",
            "endswith",
            "removeprefix",
            "get",
        ):
            by_part = called.attr != "get" and re.search(
                r"(variant|game)(\.id)?$", ast.unparse(called.value)
            )
            self.note(node, {"classica"} if by_part else self.held(node.args[:1]))
        else:
            self.generic_visit(node)


def chosen_by_name(code: str) -> list[str]:
    """Those places in a program, each with its line."""
    return Finder(ast.parse(code)).found
