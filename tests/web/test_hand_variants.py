"""The count in each variant: its fields and no others, its names, its questions, and what it
refuses.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from scorepad.i18n import Language, words
from scorepad.matches import Pad
from scorepad.matches.access import RequestId
from scorepad.matches.events import Labels
from scorepad.matches.projection import NewMatch
from scorepad.matches.transaction import Saved
from scorepad.rules.cards import read_cards
from scorepad.rules.definitions import ChoiceValue, Ruleset
from scorepad.rules.hand import Hand, HeldByPlayer, HeldInPoints, SideEntry
from scorepad.rules.judging import Judgement, judge
from scorepad.rules.variants import settle, variant_ids
from scorepad.schemas import Unusable, read_hand_request
from scorepad.schemas.hand_requests import SIDE_KEYS, check_usable
from scorepad.web import rulebook
from scorepad.web.filled_draft import fill_draft
from scorepad.web.hand_entry.field_messages import FieldMessage
from scorepad.web.hand_entry.report import build_report
from scorepad.web.hand_fields import html_id
from scorepad.web.typed_hand import read_draft
from tests.hands_read import hand_of
from tests.web.client import Client, Page
from tests.web.counting import (
    SAVE,
    beside,
    check,
    columns,
    counting,
    form_of,
    missing,
    sums,
    type_and,
)
from tests.web.playing import device, match_of

IT = Language.ITALIAN
CASES = Path(__file__).parents[1] / "cases"
Start = Callable[..., str]


@pytest.fixture
def begin(pad: Pad, client: Client) -> Start:
    """A match of this device in any variant, with any options; its address."""

    def start(variant: str, **options: ChoiceValue) -> str:
        client.get("/")
        chosen = {name.replace("_", "-"): value for name, value in options.items()}
        sides = settle(variant, None, chosen).settings.sides
        names = ("Noi", "Loro") if len(sides) == 2 else ("Anna", "Bea", "Carlo")
        new = NewMatch(
            variant, None, chosen, Labels(names, tuple(("",) * count for count in sides))
        )
        told = pad.actions.start(RequestId(secrets.token_hex(16)), device(client), new)
        assert isinstance(told, Saved)
        return f"/partite/{told.match}"

    return start


# ---------------------------------------------------------------- the fields, by name

PENALTIES = (
    "penalties.red-three-not-exposed penalties.pile-taken-without-meld penalties.pile-taken-top-card-unused "
    "penalties.draw-out-of-turn penalties.meld-out-of-turn-opponents penalties.meld-out-of-turn-partner "
    "penalties.permission-then-no-out house.0.points house.0.reason"
)
ANYHOW = "sum adjustments.0.points adjustments.0.reason melds left.0"
USUAL = (
    f"{ANYHOW} canastas.natural-canasta canastas.mixed-canasta cards red_threes left red_threes_held opening "
    f"{PENALTIES}"
)
OUT = "out discard discard_none remark agreed"

OF_A_SIDE = {
    "classica": USUAL, "due": USUAL, "tre": USUAL, "tagliagola": USUAL, "sei": USUAL, "cinque": USUAL,
    "uruguaiana": f"{USUAL} canastas.wild-canasta",
    "cubana": f"{USUAL} canastas.wild-canasta canastas.twos-canasta canastas.four-jokers-canasta black_threes_aside",
    "messicana": f"{USUAL} canastas.sevens-canasta",
    "sette": f"{USUAL} canastas.sevens-canasta incomplete.sevens sevens_held left.1",
    "samba": f"{USUAL} canastas.samba",
    "bolivia": f"{USUAL} canastas.samba canastas.bolivia",
    "canastone": f"{USUAL} canastas.natural-aces-canasta canastas.mixed-aces-canasta canastas.twos-canasta "
    "canastas.six-jokers-canasta canastas.wild-canasta incomplete.wilds",
    "mini": f"{ANYHOW} left.1",
    "moderna": f"{USUAL} canastas.sevens-canasta canastas.natural-aces-canasta canastas.twos-canasta "
    "canastas.four-jokers-canasta canastas.wild-canasta incomplete.sevens incomplete.aces incomplete.wilds special "
    "black_threes sevens_held aces_held left.1",
    "hand-and-foot": f"{USUAL} canastas.wild-canasta",
}  # fmt: skip
OF_THE_HAND = {
    "tagliagola": f"single {OUT} concealed", "mini": OUT, "moderna": OUT, "hand-and-foot": OUT,
}  # fmt: skip


def fields_of(page: Page) -> set[str]:
    """The names of everything that may be typed or chosen in a count."""
    unseen = {"csrf_token", "request_id", "hand", "version", "noted", "number", "seen"}
    unseen |= {"contest", "refused"}
    form = page.form(SAVE)
    return {
        control["name"]
        for control in form.all("input", "select", "textarea")
        if control.get("name")
    } - unseen


@pytest.mark.parametrize("variant", variant_ids())
def test_a_variant_has_exactly_its_fields(client: Client, begin: Start, variant: str) -> None:
    sides = len(settle(variant).settings.sides)
    wanted = {f"{key}.{name}" for key in SIDE_KEYS[:sides] for name in OF_A_SIDE[variant].split()}
    wanted |= set(OF_THE_HAND.get(variant, f"{OUT} concealed").split())
    assert fields_of(client.get(counting(begin(variant)))) == wanted


@pytest.mark.parametrize(
    ("variant", "options", "more"),
    [
        ("bolivia", {"dirty_escalera": True}, {"canastas.dirty-samba"}),
        ("cubana", {"concealed_canasta": 100}, {"canastas.concealed-canasta"}),
        ("mini", {"players": 2}, set()),
        ("mini", {"players": 3}, set()),
    ],
)
def test_options_bring_their_fields(
    client: Client, begin: Start, variant: str, options: dict[str, ChoiceValue], more: set[str]
) -> None:
    page = client.get(counting(begin(variant, **options)))
    own = {name[2:] for name in fields_of(page) if name.startswith("a.")}
    alone = {"left.1"} if "players" in options else set()
    assert own == {*OF_A_SIDE[variant].split(), *more} - alone


# ---------------------------------------------------------------- what things are called

NAMED = {
    "sette": ["Canaste di sette 2.000", "Sette a metà −1.500"],
    "messicana": ["Canaste di sette 1.000", "Onori (3 rossi) 100"],
    "samba": ["Sambe 1.500"],
    "bolivia": ["Escalere (sambe) 1.500", "Bolivie 2.500"],
    "cubana": ["Canaste di pinelle 4.000", "Altre di matte 2.000", "3 neri da parte 5"],
    "canastone": ["Naturali di assi 1.000", "6 jolly e 1 pinella 5.000",
                  "Matte a metà non si chiude"],
    "moderna": ["3 neri esposti 100", "Assi a metà −2.500, non si chiude"],
    "hand-and-foot": ["Libri puliti 500", "Libri sporchi 300", "Libri di matte 1.500"],
}  # fmt: skip
IN_FULL = {
    "sette": "Noi: Giocatori con 3 o più sette in mano −500 ciascuno",
    "messicana": "Onori (3 rossi): 100 ciascuno, tutti e 6 insieme 1.200",
    "cubana": "3 neri da parte: 5 ciascuno, tutti e 4 insieme 100",
    "canastone": "Onori (3 rossi): 100 ciascuno, da 4 in poi 200 ciascuno",
    "moderna": "3 neri esposti: 100 per 1, 300 per 2, 500 per 3, 1.000 per 4",
}


def rows(page: Page) -> list[str]:
    """The names of the rows, with what each is worth."""
    return [name.text for name in page.all("div", class_="name") if name.text]


@pytest.mark.parametrize("variant", NAMED)
def test_things_are_called_as_the_players_of_the_variant_call_them(
    client: Client, begin: Start, variant: str
) -> None:
    page = client.get(counting(begin(variant)))
    assert [name for name in NAMED[variant] if name not in rows(page)] == []
    assert IN_FULL.get(variant, "") in page.text


def test_in_english_too(visit: Callable[..., Client], pad: Pad) -> None:
    client = visit("en")
    client.get("/")
    for variant, name in (
        ("hand-and-foot", "Clean books 500"), ("bolivia", "Escaleras (sambas) 1,500"),
        ("sette", "Canastas of sevens 2,000"), ("moderna", "Canastas of sevens 2,500"),
    ):  # fmt: skip
        new = NewMatch(variant, None, {}, Labels(("We", "They"), (("", ""), ("", ""))))
        told = pad.actions.start(RequestId(secrets.token_hex(16)), device(client), new)
        assert isinstance(told, Saved)
        page = client.get(f"/partite/{told.match}/smazzata")
        assert name in rows(page), rows(page)


@pytest.mark.parametrize(
    ("variant", "facts"),
    [
        ("canastone", ["Per chiudere: almeno 1 canasta naturale e 1 canasta mista; nessuna combinazione incompleta di "
                       "sole matte; uno scarto finale, non di carta speciale.",
                       "Premio di chiusura: 300, in mano 500; 1.000 con almeno 5 canaste, di cui 1 canasta naturale; "
                       "2.000 con almeno 6 canaste, di cui 5 canaste naturali e 1 canasta mista."]),
        ("hand-and-foot", ["Per chiudere: almeno 2 libri puliti, 2 libri sporchi e 1 libro di matte; il permesso del "
                           "compagno.",
                           "Premio di chiusura: 100."]),
        ("messicana", ["Per chiudere: almeno 2 canaste; un 3 rosso esposto per ogni canasta.",
                       "Premio di chiusura: 100, in mano 200."]),
        ("bolivia", ["Per chiudere: almeno 2 canaste o escalere, tra cui 1 escalera.",
                     "Premio di chiusura: 200, anche in mano."]),
        ("mini", ["Per chiudere: almeno 1 canasta pura e 1 canasta sporca."]),
    ],
)  # fmt: skip
def test_what_going_out_needs_is_told_by_families(
    client: Client, begin: Start, variant: str, facts: list[str]
) -> None:
    page = client.get(counting(begin(variant)))
    told = [fact.text for fact in page.one(id="live").one("ul").all("li")]
    assert [fact for fact in facts if fact not in told] == []


@pytest.mark.parametrize("variant", ["canastone", "moderna"])
def test_what_totals_do_not_say_is_no_warning_on_every_hand(
    client: Client, begin: Start, pad: Pad, variant: str
) -> None:
    match = begin(variant)
    typed = {"a.cards": "300", "a.left": "10", "b.cards": "200", "b.left": "20", "out": "nobody"}
    told = check(client, client.get(counting(match)), typed)
    assert told is not None
    assert not [note.text for note in told.all("p", class_="message")]
    assert "I totali non dicono con quali carte si è aperto" in told.one(id="live").one("ul").text
    assert type_and("save", client, client.get(counting(match)), typed).url == match


def test_an_obligatory_last_discard_is_asked_for_and_not_folded_away(
    client: Client, begin: Start
) -> None:
    for variant, told in (
        ("canastone", "L'ultimo scarto è obbligatorio: né una matta né un 3."),
        ("moderna", "L'ultimo scarto è obbligatorio: anche una matta, mai un 3."),
    ):
        rest = client.get(counting(begin(variant))).one("details", id="rest")
        assert told in rest.text
        assert rest.has("open")
    rest = client.get(counting(begin("classica"))).one("details", id="rest")
    assert not rest.has("open")
    assert rest.one("select", id="discard")


def test_hand_and_foot_says_which_of_the_four_hands_it_is(
    client: Client, begin: Start, pad: Pad
) -> None:
    match = begin("hand-and-foot")
    page = client.get(counting(match))
    assert page.one("h1").text == "Smazzata 1 di 4"
    assert "2 mani a testa" not in page.text
    assert "Ognuno gioca 2 mani, una dopo l'altra: la mano e il piede (pozzetto)." in page.text
    assert columns(page) == ["Noi apre con 50", "Loro apre con 50"]
    typed = {"a.cards": "60", "a.left": "10", "b.cards": "0", "b.left": "10", "out": "nobody"}
    type_and("save", client, page, typed)
    second = client.get(counting(match))
    assert second.one("h1").text == "Smazzata 2 di 4"
    assert columns(second) == ["Noi apre con 90", "Loro apre con 90"]
    told = type_and("save", client, second, typed)
    assert "Noi: in questa smazzata si apre con almeno 90 punti" in told.errors[0]
    assert (
        client.get(f"{match}/smazzate/1/correggi").one("h1").text == "Correggi la smazzata 1 di 4"
    )


# -------------------------------------------------------- refused, with the reason beside the field

LEFT = {"a.left": "10", "b.left": "10"}
REFUSED = [
    ("cubana", {"a.cards": "100", "a.black_threes_aside": "3", "b.cards": "100",
                "b.black_threes_aside": "2", "out": "nobody", **LEFT}, "b.black_threes_aside",
     "hanno 5 tre neri: nel mazzo sono 4"),
    ("messicana", {"a.canastas.sevens-canasta": "2", "a.cards": "120", "a.left": "10", "b.cards": "0", "b.left": "10",
                   "out": "a"}, "out", "serve un 3 rosso esposto per ogni canasta"),
    ("sette", {"a.melds": "7xK", "a.left.0": "4", "a.left.1": "K",
               "b.cards": "0", "b.left": "10", "out": "a"}, "a.left.0", "Chi chiude resta senza carte"),
    ("samba", {"a.melds": "10h 9h 7h\n3xA", "a.left": "10", "b.cards": "0",
               "b.left": "10", "out": "nobody"}, "a.melds", "non fanno una scala"),
    ("bolivia", {"a.melds": "10h 9h 8h 2\n3xA", "a.left": "10", "b.cards": "0",
                 "b.left": "10", "out": "nobody"}, "a.melds", "non fanno una scala"),
    ("canastone", {"a.canastas.natural-canasta": "1", "a.canastas.mixed-canasta": "1", "a.incomplete.wilds": "1",
                   "a.cards": "300", "b.cards": "0", "out": "a", **LEFT}, "out", "le matte calate da sole"),
    ("canastone", {"a.canastas.natural-canasta": "1", "a.canastas.mixed-canasta": "1", "a.cards": "300", "b.cards": "0",
                   "out": "a", "discard_none": "on", **LEFT}, "discard", "è obbligatorio"),
    ("mini", {"a.melds": "6xK", "a.left.0": "4", "a.left.1": "K", "b.melds": "0",
              "b.left.0": "9", "b.left.1": "8", "out": "nobody"}, "a.melds", "al massimo 5"),
    ("mini", {"a.melds": "5xK", "a.left.0": "0", "a.left.1": "K", "b.melds": "0",
              "b.left.0": "9", "b.left.1": "8", "out": "a"}, "out", "la chiusura non è possibile"),
    ("moderna", {"a.melds": "4x7 2\n4xA", "a.left": "10", "b.cards": "0",
                 "b.left": "10", "out": "nobody"}, "a.melds", "matte"),
    ("moderna", {"a.special": "pairs", "b.cards": "0", "b.left": "10", "out": "b"}, "out",
     "Chi mostra una mano speciale ha anche chiuso"),
    ("moderna", {"a.special": "pairs", "b.special": "garbage", "out": "a"},
     "b.special", "la mostra una parte sola"),
    ("hand-and-foot", {"a.canastas.natural-canasta": "2", "a.canastas.mixed-canasta": "2", "a.cards": "500",
                       "b.cards": "0", "out": "a", **LEFT}, "out", "la chiusura non è possibile"),
    ("hand-and-foot", {"a.cards": "100", "a.red_threes": "6", "b.cards": "100", "b.red_threes": "5", "out": "nobody",
                       **LEFT},
     "b.red_threes", "nel mazzo sono 10"),
    ("tagliagola", {"a.cards": "100", "a.left": "10", "b.cards": "0", "b.left": "10", "c.cards": "0", "c.left": "5",
                    "out": "nobody"}, "single", "Di' chi ha preso il pozzo per primo"),
    ("tagliagola", {"single": "a", "a.cards": "100", "b.cards": "150", "b.left": "10", "c.left": "5", "out": "a"},
     "out", "la chiusura non è possibile"),
]  # fmt: skip


@pytest.mark.quick(6)
@pytest.mark.parametrize(("variant", "typed", "field", "told"), REFUSED)
def test_a_wrong_hand_is_refused_beside_its_field_and_all_that_was_typed_stays(  # noqa: PLR0917 - fixtures
    client: Client,
    begin: Start,
    pad: Pad,
    variant: str,
    typed: dict[str, str],
    field: str,
    told: str,
) -> None:
    match = begin(variant)
    page = type_and("save", client, client.get(counting(match)), typed)
    assert page.title.startswith("Errore: ")
    assert f"#{html_id(field)}" in [link["href"] for link in page.one(class_="errors").all("a")]
    assert page.one(id=html_id(field))
    notes = [note for place in {field, "hand"} for note in beside(page, place)]
    assert any(told in note for note in notes), notes
    shown = form_of(page)
    assert {name: shown.get(name, "") for name in typed} == typed
    assert pad.state(match_of(match), device(client)).hands == []


BEYOND_THE_PAGE = {"side-unknown", "penalty-unknown", "out-cards-left", "points-not-multiple"}
"""What nobody can type there, or only otherwise: names and penalties are chosen, no minus is typed.
"""


NOT_ON_THE_PAGE = {*BEYOND_THE_PAGE, "card-unknown"}
"""What is no card in the notation may well be one as people write it: `JJ`."""


def invalid_hands() -> list[tuple[str, str, dict[str, Any]]]:
    """Every worked hand that may not be, and that the page can show: what it is called, its first
    rule, the hand.
    """
    found = []
    for file in sorted(CASES.glob("*/*.json")):
        for number, case in enumerate(json.loads(Path(file).read_text("utf-8"))):
            asked, expected = case["hand"], case["expect"]
            sides = asked.get("sides", {})
            if expected.get("valid", True) or not set(sides) <= set(
                asked.get("before", {"noi": 0, "loro": 0})
            ):
                continue
            code = expected["problems"][0][1]
            if code not in NOT_ON_THE_PAGE and not any(
                {"sum", "adjustments"} & set(side) for side in sides.values()
            ):
                found.append((f"{file.parent.name}-{file.stem}-{number}-{code}", code, asked))
    return found


@pytest.mark.parametrize(
    "asked", [pytest.param(asked, id=name) for name, _, asked in invalid_hands()]
)
def test_every_problem_leads_to_a_field(asked: dict[str, Any]) -> None:
    _, notes = notes_of(asked)
    assert notes
    for note in notes:
        assert note.leads_to is not None


def some_invalid_hands() -> list[Any]:
    """One hand for each rule, and in a long run one for each rule in each variant."""
    found: dict[tuple[str, str], Any] = {}
    for name, code, asked in invalid_hands():
        if not asked.get("preset") and (asked["variant"], code) not in found:
            long = any(code == known for _, known in found)
            found[asked["variant"], code] = pytest.param(
                asked, id=name, marks=[pytest.mark.full] if long else []
            )
    return list(found.values())


@pytest.mark.quick(8)
@pytest.mark.parametrize("asked", some_invalid_hands())
def test_and_that_field_is_on_the_page(client: Client, begin: Start, asked: dict[str, Any]) -> None:
    draft, notes = notes_of(asked)
    page = client.get(counting(begin(asked["variant"], **asked.get("options", {}))))
    page = type_and("check", client, page, draft)
    for note in notes:
        assert note.leads_to
        assert page.all(id=html_id(note.leads_to)), note


@cache
def app_for_links() -> Flask:
    """An application, for the addresses in the rulebook."""
    app = Flask("links")
    app.register_blueprint(rulebook.blueprint)
    return app


def notes_of(asked: dict[str, Any]) -> tuple[dict[str, str], list[FieldMessage]]:
    """The draft that says a worked hand, and the messages about what is wrong with it."""
    rules, draft, scores = typed_of(asked)
    parsed = read_draft(draft, rules, IT)
    deal = asked.get("deal", 1)
    names = ("Noi", "Loro", "Altri")[: len(scores)]

    def ask(hand: Hand) -> Judgement:
        check_usable(hand, rules, SIDE_KEYS[: len(scores)])
        return judge(rules, replace(hand, deal=deal), scores)

    with app_for_links().test_request_context():
        told = build_report(parsed, names, words(IT), judge=ask, is_final=True)
    return draft, [note for note in told.messages if note.tone == "error"]


def asked_as_played(asked: dict[str, Any]) -> dict[str, Any]:
    """A worked hand without its rules and the scores before."""
    return {key: asked[key] for key in ("sides", "out", "single") if key in asked}


def typed_of(asked: dict[str, Any]) -> tuple[Ruleset, dict[str, str], tuple[int, ...]]:
    """The rules of a worked hand, the draft that says it, and the scores before."""
    rules = read_hand_request(json.dumps(asked)).rules
    before = asked.get("before", {"noi": 0, "loro": 0})
    return (
        rules,
        fill_draft(hand_of(asked_as_played(asked), tuple(before)), rules),
        tuple(before.values()),
    )


# ---------------------------------------------------------------- the pair of tagliagola

PAIR = {
    "single": "a", "a.canastas.natural-canasta": "1", "a.cards": "100", "a.red_threes": "1",
    "b.canastas.mixed-canasta": "1", "b.cards": "150", "b.left": "10", "c.red_threes": "2", "c.left": "5", "out": "a",
}  # fmt: skip
"""Anna alone 500 + 100 + 100 + 100 = 800; the pair 300 + 150 - 10 - 5 = 435, and 200 for Carlo's
red threes.
"""


def shows(page: Page, key: str) -> bool:
    """Whether what a side laid is typed in its column."""
    around = [box for box in page.all("div", class_="cell") if box.all("input", id=f"{key}-cards")]
    return not around[0].all("div")[0].has("hidden")


def test_the_melds_of_the_pair_are_written_once_and_red_threes_are_personal(
    client: Client, begin: Start, pad: Pad
) -> None:
    match = begin("tagliagola")
    page = type_and("check", client, client.get(counting(match)), PAIR)
    anna, bea, carlo = columns(page)
    assert "Gioca da solo, contro la coppia" in anna
    assert "In coppia con Carlo" in bea
    assert (
        "Le combinazioni della coppia si scrivono una volta sola: stanno nella scheda di Bea."
        in carlo
    )
    assert [shows(page, key) for key in "abc"] == [True, True, False]
    assert {"c.red_threes", "c.left", "c.opening", "c.penalties.draw-out-of-turn"} <= fields_of(
        page
    )
    assert sums(page) == ["+800", "+435", "+635"]
    assert type_and("save", client, page, {}).url == match
    (counted,) = pad.state(match_of(match), device(client)).hands
    assert [side.hand for side in counted.sides] == [800, 435, 635]


def test_nobody_took_the_pile_and_each_lays_alone_until_somebody_goes_out(
    client: Client, begin: Start
) -> None:
    page = client.get(counting(begin("tagliagola")))
    page = type_and("check", client, page, {"single": "nobody", "out": "nobody"})
    assert all(shows(page, key) for key in "abc")
    page = type_and("check", client, page, {"out": "c"})
    assert [shows(page, key) for key in "abc"] == [True, False, True]
    assert "Gioca da solo" in columns(page)[2]


def test_the_pair_writes_with_whoever_went_out_unless_it_has_begun_elsewhere(
    client: Client, begin: Start
) -> None:
    page = client.get(counting(begin("tagliagola")))
    page = type_and("check", client, page, {"single": "a", "out": "c"})
    assert [shows(page, key) for key in "abc"] == [True, False, True]
    page = type_and("check", client, page, {"out": "b"})
    assert [shows(page, key) for key in "abc"] == [True, True, False]
    page = type_and("check", client, page, {"b.cards": "150"})
    page = type_and("check", client, page, {"out": "c"})
    assert [shows(page, key) for key in "bc"] == [True, False]


def test_what_both_of_the_pair_had_typed_stays_with_both(client: Client, begin: Start) -> None:
    page = client.get(counting(begin("tagliagola")))
    page = type_and("check", client, page, {"b.cards": "150", "c.melds": "3xK"})
    page = type_and("check", client, page, {"single": "a"})
    shown = form_of(page)
    assert (shown["b.cards"], shown["c.melds"]) == ("150", "3xK")


@pytest.mark.parametrize("typed", [{"concealed": "on"}, {"b.melds": "7xK\n3x3b"}])
def test_what_only_the_one_who_went_out_may_lay_counts_as_that_players(
    client: Client, begin: Start, typed: dict[str, str]
) -> None:
    match = begin("tagliagola")
    hand = {
        "single": "a", "a.cards": "0", "a.left": "20", "b.melds": "7xK", "b.left": "10", "out": "c",
    }  # fmt: skip
    assert type_and("save", client, client.get(counting(match)), {**hand, **typed}).url == match
    again = form_of(client.get(f"{match}/smazzate/1/correggi"), "Salva la correzione")
    assert again["c.melds"].startswith("7xK"), "shown where it counts"


def test_as_long_as_nobody_said_who_took_the_pile_nothing_is_said_of_what_hangs_on_it(
    client: Client, begin: Start
) -> None:
    page = client.get(counting(begin("tagliagola")))
    typed = {"a.cards": "0", "a.left": "5", "b.melds": "3xQ", "b.left": "5", "c.cards": "60",
             "c.left": "5", "out": "a"}  # fmt: skip
    told = check(client, page, typed)
    assert told is not None
    assert not told.one(id="bar-problems").all("li")
    assert any("Di' chi ha preso il pozzo per primo" in line for line in missing(told))
    assert sums(told) == ["–", "–", "–"]
    told = check(client, client.get(page.url), {**typed, "b.melds": "3xQ K"})
    assert told is not None
    assert "Errore: " in beside(told, "b.melds")[0]


# ---------------------------------------------------------------- the special hands of moderna


def test_a_special_hand_takes_the_place_of_everything_and_clears_nothing(
    client: Client, begin: Start, pad: Pad
) -> None:
    match = begin("moderna")
    typed = {
        "a.canastas.natural-canasta": "1", "a.cards": "335", "a.red_threes": "2", "a.left": "40",
        "a.special": "straight", "a.penalties.draw-out-of-turn": "1", "b.cards": "0", "b.left": "85", "discard": "3r",
    }  # fmt: skip
    page = type_and("check", client, client.get(counting(match)), typed)
    assert sums(page) == ["+2.900", "−85"]
    assert page.one(id="out-shown").text == "Chiusura di Noi, con la mano speciale."
    back = type_and("check", client, page, {})
    shown = form_of(back)
    assert {name: shown[name] for name in ("a.cards", "a.red_threes", "a.left", "a.special", "discard")} == {
        "a.cards": "335", "a.red_threes": "2", "a.left": "40", "a.special": "straight", "discard": "3r",
    }  # fmt: skip
    assert type_and("save", client, back, {}).url == match
    (counted,) = pad.state(match_of(match), device(client)).hands
    assert counted.counted.hand.out.side == 0
    assert [side.hand for side in counted.sides] == [2900, -85]
    again = form_of(client.get(f"{match}/smazzate/1/correggi"), "Salva la correzione")
    assert again["a.special"] == "straight"


# ---------------------------------------------------------------- melds


@pytest.mark.parametrize(
    ("variant", "options", "cards", "told"),
    [
        ("samba", {}, "10h 9h 8h", "scala · 30 punti"), ("samba", {}, "4xK 2x2", "combinazione · 80 punti"),
        ("bolivia", {}, "5x2 2xJK", "bolivia · 200 punti"), ("bolivia", {}, "3x2", "sole matte · 60 punti"),
        ("bolivia", {}, "As Ks Qs Js 10s 9s 8s", "escalera (samba) · 80 punti"),
        ("bolivia", {"dirty_escalera": True}, "As Ks Qs 2 10s 9s 8s", "escalera sporca · 90 punti"),
        ("canastone", {}, "6xJK 2", "canasta di 6 jolly e 1 pinella · 320 punti"),
        ("canastone", {}, "5xA 2x2", "canasta mista di assi · 140 punti"),
        ("cubana", {}, "4xJK 3x2", "canasta di 4 jolly e 3 pinelle · 260 punti"),
        ("hand-and-foot", {}, "7xQ", "libro pulito · 70 punti"), ("sette", {}, "7x7", "canasta di sette · 35 punti"),
        ("mini", {}, "4xK 2", "canasta sporca · 1 unità"), ("mini", {}, "5x2", "canasta di pinelle · 10 unità"),
        ("mini", {}, "3xK", "combinazione"),
    ],
)  # fmt: skip
def test_a_meld_says_what_it_is_as_it_grows(
    client: Client,
    begin: Start,
    variant: str,
    options: dict[str, ChoiceValue],
    cards: str,
    told: str,
) -> None:
    page = client.get(counting(begin(variant, **options)))
    page = type_and("check", client, page, {"a.melds": cards})
    assert page.one(id="a-melds-list").one("li").text.endswith(f": {told}")


# ---------------------------------------------------------------- what is in hand


def test_a_hand_each_where_a_rule_goes_by_the_single_hand(
    client: Client, begin: Start, pad: Pad
) -> None:
    match = begin("sette")
    typed = {
        "a.cards": "100", "a.left.0": "3x7 K", "a.left.1": "2x7",
        "b.cards": "100", "b.left": "30", "b.sevens_held": "1", "out": "nobody",
    }  # fmt: skip
    page = type_and("save", client, client.get(counting(match)), typed)
    assert page.url == match
    (counted,) = pad.state(match_of(match), device(client)).hands
    # 100 - 35 - 500; 100 - 30 - 500
    assert [side.hand for side in counted.sides] == [-435, -430]
    assert not counted.warnings


def test_every_hand_is_asked_for_but_that_of_whoever_went_out(client: Client, begin: Start) -> None:
    page = client.get(counting(begin("sette")))
    typed = {
        "a.melds": "7xK", "a.left.1": "4", "b.cards": "0",
        "b.left.0": "K", "out": "a",
    }  # fmt: skip
    told = check(client, page, typed)
    assert told is not None
    assert [link["href"] for link in told.one(id="bar-missing").all("a")] == ["#b-left-1"]


def test_hands_noted_as_one_stay_so_until_they_are_written_apart(
    client: Client, begin: Start
) -> None:
    rules = settle("sette")
    hand = {"sides": {"a": {"melds": ["5xA"], "left": "4 9 7"}, "b": {"left": 85}}, "out": None}
    draft = fill_draft(hand_of(hand), rules)
    assert draft["a.left.all"] == "9 7 4"
    page = type_and("check", client, client.get(counting(begin("sette"))), draft)
    assert "Attenzione: " in beside(page, "a.left.all")[0]
    both = read_draft({**draft, "a.left.0": "4"}, rules, IT)
    assert [problem.reason for problem in both.problems] == ["left-twice"]
    apart = {**draft, "a.left.all": "", "a.left.0": "4 9", "a.left.1": "7"}
    assert read_draft(apart, rules, IT).hand.sides[0].left == HeldByPlayer(
        (read_cards("4 9"), read_cards("7"))
    )


def test_players_with_too_many_of_a_rank_count_only_beside_points(
    client: Client, begin: Start
) -> None:
    rules = settle("moderna")
    draft = {
        "a.cards": "0",
        "a.left": "60",
        "a.aces_held": "1",
        "b.cards": "0",
        "b.left": "5",
        "out": "nobody",
    }
    assert read_draft(draft, rules, IT).hand.sides[0] == SideEntry(
        left=HeldInPoints(60), aces_held=1
    )
    by_cards = {**draft, "a.left": "", "a.left.0": "3xA", "a.left.1": "4"}
    assert read_draft(by_cards, rules, IT).hand.sides[0] == SideEntry(
        left=HeldByPlayer((read_cards("3xA"), read_cards("4")))
    )


def test_mini_is_counted_by_cards_alone_and_in_its_own_points(
    client: Client, begin: Start, pad: Pad
) -> None:
    match = begin("mini")
    page = client.get(counting(match))
    typed = {
        "a.melds": "5xK\n3xQ 2x2",
        "a.left.1": "2x4 JK",
        "b.melds": "0",
        "b.left.0": "9 9 8 8",
        "b.left.1": "0",
        "out": "a",
    }
    page = type_and("check", client, page, typed)
    # 2 + 1 - 3 for the joker - 1 for the two fours; four cards are two groups
    assert sums(page) == ["−1", "−2"]
    assert type_and("save", client, page, {}).url == match
    (counted,) = pad.state(match_of(match), device(client)).hands
    assert [side.hand for side in counted.sides] == [-1, -2]


def test_in_mini_a_side_that_laid_nothing_says_so(client: Client, begin: Start) -> None:
    page = client.get(counting(begin("mini")))
    told = check(client, page, {"a.left.0": "9", "a.left.1": "9", "out": "nobody"})
    assert told is not None
    assert "Quali carte sono state calate da Noi? (0 se nessuna)" in missing(told)


# ---------------------------------------------------------------- limits, and what is kept


@pytest.mark.parametrize(
    ("variant", "field", "most"),
    [("classica", "a.red_threes", 4), ("samba", "a.red_threes", 6), ("hand-and-foot", "a.red_threes", 10),
     ("cubana", "a.black_threes_aside", 4), ("moderna", "b.black_threes", 4),
     ("sette", "a.sevens_held", 2)],
)  # fmt: skip
def test_a_stepper_counts_no_further_than_there_are(
    client: Client, begin: Start, variant: str, field: str, most: int
) -> None:
    page = client.get(counting(begin(variant)))
    assert page.one("input", name=field)["data-most"] == str(most)
    page = type_and("check", client, page, {field: "17"})
    assert page.one("input", name=field)["value"] == "17", "what somebody typed stays"


def test_the_kind_of_going_out_is_told(client: Client, begin: Start) -> None:
    typed = {
        "a.canastas.natural-canasta": "1", "a.canastas.mixed-canasta": "4", "a.cards": "500", "b.cards": "0",
        "out": "a", "discard": "9", **LEFT,
    }  # fmt: skip
    told = check(client, client.get(counting(begin("canastone"))), typed)
    assert told is not None
    lines = {
        term.text: value.text for term, value in zip(told.all("dt"), told.all("dd"), strict=True)
    }
    assert lines["Chiusura con almeno 5 canaste"] == "+1.000"


def test_two_pages_on_one_hand_of_any_variant_show_what_differs(
    client: Client, begin: Start
) -> None:
    for variant, one, other, label in (
        ("tagliagola", {"single": "a"}, {"single": "b"}, "Primo al pozzo"),
        ("moderna", {"a.special": "pairs"}, {"a.special": "garbage"},
         "Noi: Mano speciale"),
        ("canastone", {"a.incomplete.wilds": "1"}, {"a.incomplete.wilds": "2"}, "Noi: Matte rimaste incomplete"),
    ):  # fmt: skip
        page = client.get(counting(begin(variant)))
        type_and("check", client, page, one)
        stale = type_and("check", client, page, other, 409)
        assert [row.one("th").text for row in stale.one("tbody").all("tr")] == [label]


def test_whatever_is_typed_in_any_variant_can_be_read_and_judged() -> None:
    everything = {
        "single": "b", "out": "a", "concealed": "on", "discard": "4", "a.special": "pairs",
        "b.melds": "10h 9h 8h", "b.left.0": "3x7", "c.cards": "15",
        "a.black_threes": "9", "b.black_threes_aside": "2", "a.incomplete.wilds": "3", "a.left": "5",
    }  # fmt: skip
    for variant in variant_ids():
        rules = settle(variant)
        sides = len(rules.settings.sides)
        parsed = read_draft(everything, rules, IT)
        try:
            check_usable(parsed.hand, rules, SIDE_KEYS[:sides])
        except Unusable as error:
            raise AssertionError(variant) from error
        assert judge(rules, parsed.hand).findings is not None
