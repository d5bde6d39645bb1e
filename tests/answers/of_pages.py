"""Answers of pages: the rulebook, the referee, papers of games, and hands typed into the form."""

from typing import Any
from urllib.parse import urlencode

from tests.answers.of_matches import papers_of
from tests.answers.of_rules import variants, worked_rulings
from tests.answers.program import LANGUAGES, Answers, Program, Visitor
from tests.web.client import Client
from tests.web.conftest import setup_of
from tests.web.counting import counting
from tests.web.referee_asked import address
from tests.web.rulebook_questions import QUESTIONS

KINDS = (
    "scarto", "tallone", "calata", "apertura", "chiusura", "penalita", "pozzo", "tre-rossi", "prima-carta",
)  # fmt: skip

PAPERS = (
    "scheda.pdf",
    "scheda.pdf?grande",
    "segnapunti.pdf",
    "segnapunti.pdf?per-foglio=4",
    "segnapunti.pdf?grande",
)


def presets(program: Program, variant: str) -> dict[str, dict[str, Any]]:
    """The presets of a variant, with their options, as JSON tells them."""
    found: dict[str, dict[str, Any]] = program.ask("GET", f"/variants/{variant}")["body"]["presets"]
    return found


def rulebook(program: Program) -> Answers:
    """The rules of each game and of each of its presets, side by side with others, and searched."""
    paths = []
    for variant in variants():
        paths.append(f"/regole/{variant}")
        if variant != "classica":
            paths.append(f"/regole/confronta?uno=classica&altro={variant}")
        for preset in presets(program, variant):
            paths.append(f"/regole/{variant}?preset={preset}")
            paths.append(f"/regole/confronta?uno={variant}&altro={variant}/{preset}")
    for text, game, _, _ in QUESTIONS[::8]:
        paths.append(f"/regole/cerca?{urlencode({'testo': text, 'gioco': game})}")
    yield from _pages_in_turn(program, "rulebook", paths)


def referee(program: Program) -> Answers:
    """The first page of each question in each game, and every tenth worked ruling as a page."""
    paths = []
    for variant in variants():
        paths.append(f"/arbitro?variante={variant}")
        paths += [f"/arbitro/{kind}?variante={variant}" for kind in KINDS]
    paths += [address(question) for question in list(worked_rulings().values())[::10]]
    yield from _pages_in_turn(program, "referee", paths)


def _pages_in_turn(program: Program, topic: str, paths: list[str]) -> Answers:
    """Pages, to be quicker each in one language in turn: the JSON answers tell the same in both."""
    visitor = Visitor(program.app)
    for number, path in enumerate(dict.fromkeys(paths)):
        visitor.language = LANGUAGES[number % len(LANGUAGES)]
        name = f"{topic}/{visitor.language}{path}"
        if program.is_wanted(name):
            yield name, visitor.get(path)


def papers(program: Program) -> Answers:
    """Blank pads and rules cards of every game, and in one language in turn of every preset."""
    for language in LANGUAGES:
        for variant in ("classica", "scopa"):
            for form in (("--copies", "2"), ("--copies", "4"), ("--large",)):
                name = f"paper/{language}/{variant}/pad {' '.join(form)}"
                if program.is_wanted(name):
                    yield name, _pad(program, variant, *form, language=language)
        # Through the pages: each command reads the files of its variants again.
        for variant in variants():
            for paper in PAPERS:
                yield from _paper_of_page(program, f"/regole/{variant}/{paper}", language)
    number = 0
    for variant in variants():
        for preset in presets(program, variant):
            for paper in ("scheda.pdf", "segnapunti.pdf"):
                number += 1
                language = LANGUAGES[number // len(LANGUAGES) % len(LANGUAGES)]
                yield from _paper_of_page(
                    program,
                    f"/regole/{variant}/{paper}?preset={preset}",
                    language,
                )


def _pad(program: Program, variant: str, *form: str, language: str) -> Any:
    output = program.folder / "pad.pdf"
    program.papers.clear()
    told = program.run("pad", variant, "-o", output, *form, language=language)
    return {**told, "papers": papers_of(program)}


def _paper_of_page(program: Program, path: str, language: str) -> Answers:
    name = f"paper/{language}{path}"
    if not program.is_wanted(name):
        return
    visitor = Visitor(program.app)
    visitor.language = language
    program.papers.clear()
    yield name, {**visitor.get(path), "papers": papers_of(program)}


def typed_hands(program: Program) -> Answers:
    """Worked hands typed into the form: every fifteenth that is refused, and a few others."""
    # Imported here, because it reads all worked hands.
    from tests.web.worked_hands import INVALID, VALID, begin

    pad, client = setup_of(program.app).pad, Client(program.app)
    visitor = Visitor(program.app)
    for number, case in enumerate((*INVALID[::15], *VALID[::60])):
        visitor.language = LANGUAGES[number % len(LANGUAGES)]
        name = f"typed/{visitor.language}/{case.name}"
        if not program.is_wanted(name):
            continue
        url = begin(pad, client, case)
        if url is None:
            continue
        program.masks.name(url.rpartition("/")[2], "match")
        for cookie in client.raw._cookies.values():
            visitor.client.set_cookie(cookie.key, cookie.value, path=cookie.path)
        yield name, visitor.press(counting(url), "button[value=save]", case.values)
