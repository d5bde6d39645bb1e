"""Answers about matches: played over HTTP and through the pages, with logs, exports and papers."""

import json
from collections.abc import Iterator
from typing import Any

from tests.answers.of_rules import TESTS, spoil, variants
from tests.answers.page_text import markup_lines
from tests.answers.program import LANGUAGES, WRONG, Answers, Program, Visitor
from tests.browser.gallery import PAGES, Shown
from tests.browser.tables import Tables, lay
from tests.data import read_data
from tests.matches.whole_matches import seated
from tests.web.conftest import setup_of

MINUTES = 7
"""How long a hand takes."""
GET_ONLY = (
    "{played}/stato",
    "{played}/foglio.pdf",
    "{played}/risultato.png",
    "{played}/file/partita.json",
    "{played}/file/righe.csv",
    "/file/partite.json",
    "/file/righe.csv",
    "/stato",
    "/salute",
    "/app-it.webmanifest",
    "/app-en.webmanifest",
)
"""What is fetched and is no page."""


# ---------------------------------------------------------------- over HTTP


def whole_matches(program: Program) -> Answers:
    """The whole matches of `tests/golden`, played over HTTP, then all that can be had of them."""
    for variant in variants():
        file = TESTS / f"golden/{variant}-whole-match.json"
        if file.exists() and program.is_wanted(f"match/{variant}"):
            yield from _whole_match(program, variant, read_data(file))


def _whole_match(program: Program, variant: str, match: dict[str, Any]) -> Answers:
    begin = {
        "variant": variant,
        "names": match["names"],
        "options": {**match["options"], **seated(variant, len(match["names"]))},
        "place": "Rimini",
    }
    begun = program.ask("POST", "/matches", json=begin)
    identity = begun["body"]["match"]["id"]
    key = begun["body"]["keys"]["write"]
    program.masks.name(identity, f"match of {variant}")
    name, path = f"match/{variant}", f"/matches/{identity}"
    yield f"{name}/begun", begun
    for number, hand in enumerate(match["hands"], start=1):
        program.clock.advance(MINUTES)
        sent = {part: value for part, value in hand.items() if part != "deal"}
        counted = program.ask("POST", f"{path}/hands", key=key, json={"number": number, **sent})
        yield f"{name}/hand {number}", counted
    yield from _corrected(program, name, path, key, match)
    for language in LANGUAGES:
        yield f"{name}/{language}/whole", program.ask("GET", path, language, key)
        yield f"{name}/{language}/list", program.ask("GET", "/matches", language, key)
    yield from _of_one_match(program, name, identity, ("", "--details", "--large"))


def _corrected(program: Program, name: str, path: str, key: str, match: dict[str, Any]) -> Answers:
    """The first hand counted again, and that undone; then once more, so that it stays."""
    entry = program.ask("GET", path, key=key)["body"]["hands"][0]["entry"]
    hand = {part: value for part, value in match["hands"][0].items() if part != "deal"}
    side = match["names"][0]
    agreed = {"points": 20 if match["variant"] == "classica" else 5, "reason": "carta vista"}
    changed = {
        **hand,
        "sides": {**hand["sides"], side: {**hand["sides"][side], "adjustments": [agreed]}},
    }
    correction = {"entry": entry, "note": "ricontata", **changed}
    corrected = program.ask("PUT", f"{path}/hands/1", key=key, json=correction)
    yield f"{name}/corrected", corrected
    yield f"{name}/corrected twice", program.ask("PUT", f"{path}/hands/1", key=key, json=correction)
    sequence = program.ask("GET", path, key=key)["body"]["sequence"]
    undo = {"sequence": sequence, "note": "era giusta"}
    yield f"{name}/undone", program.ask("POST", f"{path}/undo", key=key, json=undo)
    yield f"{name}/undone twice", program.ask("POST", f"{path}/undo", key=key, json=undo)
    yield f"{name}/corrected again", program.ask("PUT", f"{path}/hands/1", key=key, json=correction)


def _of_one_match(program: Program, name: str, identity: str, forms: tuple[str, ...]) -> Answers:
    """The export of a match, its rows, and its sheets with what they say and how they are made."""
    exported = program.run_on_data("export", identity)
    exported["out"] = json.loads("\n".join(exported["out"]))
    yield f"{name}/export", exported
    for language in LANGUAGES:
        yield (
            f"{name}/{language}/rows",
            program.run_on_data("export", identity, "--csv", language=language),
        )
        for form in forms:
            output = program.folder / "sheet.pdf"
            program.papers.clear()
            told = program.run_on_data(
                "sheet", identity, "-o", output, *form.split(), language=language
            )
            yield f"{name}/{language}/sheet {form}".rstrip(), {**told, "papers": papers_of(program)}


def papers_of(program: Program) -> list[list[str]]:
    """The elements of each paper made since the last time."""
    papers = [markup_lines(html) for html in program.papers]
    program.papers.clear()
    return papers


def wrong_matches(program: Program) -> Answers:
    """Matches, hands, corrections and undone actions with one thing wrong, over HTTP."""
    new, hand = WRONG["match"]["new"], WRONG["match"]["hand"]
    begun = program.ask("POST", "/matches", json=new)
    identity, keys = begun["body"]["match"]["id"], begun["body"]["keys"]
    program.masks.name(identity, "match to be spoiled")
    path = f"/matches/{identity}"
    side = hand["sides"]["Noi"]
    correction = {name: value for name, value in hand.items() if name not in ("number", "version")}
    correction |= {"entry": 1, "note": ""}

    def count(body: dict[str, Any], key: str = "write") -> Any:
        return program.ask("POST", f"{path}/hands", key=keys[key], json=body)

    def correct(body: dict[str, Any], number: int = 1) -> Any:
        return program.ask("PUT", f"{path}/hands/{number}", key=keys["write"], json=body)

    strangers = {**hand, "sides": {"Noi": side, "Essi": side}, "out": {"side": "Voi"}}
    yield "wrong-match/unknown sides", count(strangers)
    refused = {**hand, "sides": {"Noi": {**side, "totals": {"cards": 5}}}}
    yield "wrong-match/refused", count(refused)
    yield "wrong-match/only to look", count(hand, "view")
    for name, body in _spoiled_strictly(hand):
        yield f"wrong-match/hand, {name}", count(body)
    yield "wrong-match/counted", count(hand)
    yield "wrong-match/counted twice", count(hand)
    for name, body in _spoiled_strictly(new):
        yield f"wrong-match/new, {name}", program.ask("POST", "/matches", "en", json=body)
    for name, body in _spoiled_strictly(correction):
        yield f"wrong-match/correction, {name}", correct(body)
    yield "wrong-match/no such hand", correct(correction, 9)
    for name, body in _spoiled_strictly({"sequence": 99, "note": ""}):
        undone = program.ask("POST", f"{path}/undo", "en", keys["write"], json=body)
        yield f"wrong-match/undo, {name}", undone


def _spoiled_strictly(body: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Bodies with one thing wrong, but for those that may be left out or empty."""
    for name, spoiled in spoil(body):
        if not name.startswith("without") and not name.endswith(("null", "[]", "{}", "-1")):
            yield name, spoiled


# ---------------------------------------------------------------- through the pages


def played_tables(program: Program) -> Answers:
    """The matches of the gallery: every page, forms that are refused, logs, rows, sheets."""
    tables = lay(program.app, setup_of(program.app).pad)
    for name, url in tables.urls.items():
        program.masks.name(url.rpartition("/")[2], name)
    for language in LANGUAGES:
        visitors = {who: Visitor(program.app, cookies) for who, cookies in tables.cookies.items()}
        for visitor in visitors.values():
            visitor.language = language
        for shown in PAGES:
            name = f"page/{language}/{shown.name}"
            if program.is_wanted(name) and not shown.path.startswith("/nostre-regole/tredici"):
                yield name, _shown(visitors[shown.who], tables, shown)
        for path in GET_ONLY:
            name = f"page/{language}/{path}"
            if program.is_wanted(name):
                program.papers.clear()
                answer = visitors["owner"].get(path.format(**tables.urls))
                yield name, {**answer, "papers": papers_of(program)}
    for name, url in tables.urls.items():
        if url.startswith("/partite/") and program.is_wanted(f"page/log/{name}"):
            yield from _of_one_match(
                program, f"page/log/{name}", url.rpartition("/")[2], ("--details",)
            )


def _shown(visitor: Visitor, tables: Tables, shown: Shown) -> Any:
    path = shown.path.format(**tables.urls)
    if not shown.press:
        return visitor.get(path)
    return visitor.press(path, shown.press, shown.typed, shown.to.format(**tables.urls))
