"""The count in each variant: its fields and no others, its names, its questions, and what it refuses."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scorepad.i18n import Language
from scorepad.matches import Pad
from scorepad.matches.access import SIDE_KEYS, RequestId
from scorepad.matches.projection import NewMatch
from scorepad.matches.results import Saved
from scorepad.rules.judge import Finding, judge
from scorepad.rules.variants import Choice, Ruleset, settle, variant_ids
from scorepad.schemas import Unusable, read_asked, read_hand
from scorepad.web.count.leading import field_to_mend
from scorepad.web.count.prefill import draft_from
from scorepad.web.count.reading import read_draft
from scorepad.web.count.said import Count
from tests.web.client import Client, Page
from tests.web.counting import SAVE, beside, check, counting, form_of, send, type_and
from tests.web.playing import device, match_of
from tests.web.test_count_typed import CASES, in_keys

IT = Language.ITALIAN
Start = Callable[..., str]


@pytest.fixture
def begin(pad: Pad, client: Client) -> Start:
    """A match of this device in any variant, with any options; its address."""

    def start(variant: str, **options: Choice) -> str:
        client.get("/")
        chosen = {name.replace("_", "-"): value for name, value in options.items()}
        sides = settle(variant, None, chosen).settings.sides
        names = ("Noi", "Loro") if len(sides) == 2 else ("Anna", "Bea", "Carlo")
        new = NewMatch(variant, None, chosen, names, tuple(("",) * count for count in sides))
        told = pad.start(RequestId(secrets.token_hex(16)), device(client), new)
        assert isinstance(told, Saved)
        return f"/partite/{told.match}"

    return start


# ---------------------------------------------------------------- the fields, by name

PENALTIES = (
    "penalty-red-three-not-exposed penalty-pile-taken-without-meld penalty-pile-taken-top-card-unused "
    "penalty-draw-out-of-turn penalty-meld-out-of-turn-opponents penalty-meld-out-of-turn-partner "
    "penalty-permission-then-no-out house-0-points house-0-reason"
)
ANYHOW = "way sum sum-below adjust-0-points adjust-0-less adjust-0-reason"
LAID = "canasta-natural-canasta canasta-mixed-canasta cards value-50 value-20 value-10 value-5 current meld-0"
HELD = "red left-way left left-cards-0 red-held opening"
APART = f"{ANYHOW} {LAID} {HELD} {PENALTIES}"
USUAL = f"{APART} left-value-50 left-value-20 left-value-10 left-value-5"
OUT = "out discard discard-none remark agreed"

OF_A_SIDE = {
    "classica": USUAL, "due": USUAL, "tre": USUAL, "tagliagola": USUAL, "sei": USUAL, "cinque": USUAL,
    "uruguaiana": f"{USUAL} canasta-wild-canasta",
    "cubana": f"{USUAL} canasta-wild-canasta canasta-twos-canasta canasta-four-jokers-canasta extra-black-threes-aside",
    "messicana": f"{USUAL} canasta-sevens-canasta",
    "sette": f"{APART} canasta-sevens-canasta incomplete-sevens extra-sevens-held left-cards-1",
    "samba": f"{USUAL} canasta-samba suit",
    "bolivia": f"{USUAL} canasta-samba canasta-bolivia suit",
    "canastone": f"{USUAL} canasta-natural-aces-canasta canasta-mixed-aces-canasta canasta-twos-canasta "
    "canasta-six-jokers-canasta canasta-wild-canasta incomplete-wilds",
    "mini": f"{ANYHOW} current meld-0 left-cards-0 left-cards-1",
    "moderna": f"{APART} canasta-sevens-canasta canasta-natural-aces-canasta canasta-twos-canasta "
    "canasta-four-jokers-canasta canasta-wild-canasta incomplete-sevens incomplete-aces incomplete-wilds special "
    "extra-black-threes extra-sevens-held extra-aces-held left-cards-1",
    "hand-and-foot": f"{USUAL} canasta-wild-canasta",
}  # fmt: skip
OF_THE_HAND = {
    "tagliagola": f"single {OUT} concealed", "mini": OUT, "moderna": OUT, "hand-and-foot": OUT,
}  # fmt: skip


def fields_of(page: Page) -> set[str]:
    """The names of everything that may be typed or chosen in a count."""
    unseen = {"csrf_token", "request_id", "hand", "version", "number", "seen", "contest", "refused"}
    form = page.form(SAVE)
    return {control["name"] for control in form.all("input", "select", "textarea") if control.get("name")} - unseen


@pytest.mark.parametrize("variant", variant_ids())
def test_a_variant_has_exactly_its_fields(client: Client, begin: Start, variant: str) -> None:
    sides = len(settle(variant).settings.sides)
    wanted = {f"{key}-{name}" for key in SIDE_KEYS[:sides] for name in OF_A_SIDE[variant].split()}
    wanted |= set(OF_THE_HAND.get(variant, f"{OUT} concealed").split())
    assert fields_of(client.get(counting(begin(variant)))) == wanted


@pytest.mark.parametrize(
    ("variant", "options", "more"),
    [
        ("bolivia", {"dirty_escalera": True}, {"canasta-dirty-samba"}),
        ("cubana", {"concealed_canasta": 100}, {"canasta-concealed-canasta", "meld-0-concealed"}),
        ("mini", {"players": 2}, set()),
        ("mini", {"players": 3}, set()),
    ],
)
def test_options_bring_their_fields(
    client: Client, begin: Start, variant: str, options: dict[str, Choice], more: set[str]
) -> None:
    page = client.get(counting(begin(variant, **options)))
    own = {name[2:] for name in fields_of(page) if name.startswith("a-")}
    alone = {"left-cards-1"} if "players" in options else set()
    assert own == {*OF_A_SIDE[variant].split(), *more} - alone


def test_black_threes_are_tapped_only_where_they_are_melded(client: Client, begin: Start) -> None:
    for variant, there in (("classica", True), ("samba", True), ("canastone", False), ("moderna", False)):
        page = client.get(counting(begin(variant)))
        assert bool(page.one("div", id="a-melds").all("button", data_card="3b")) is there, variant
        assert page.one("div", id="a-melds").all("button", data_card="JK")


# ---------------------------------------------------------------- what things are called

NAMED = {
    "sette": ["Canaste di sette +2.000", "Sette lasciati a metà −1.500",
              "Giocatori con 3 o più sette in mano −500 ciascuno"],
    "messicana": ["Canaste di sette +1.000", "Onori (3 rossi) 100 ciascuno, tutti e 6 insieme 1.200"],
    "samba": ["Sambe +1.500"],
    "bolivia": ["Escalere (sambe) +1.500", "Bolivie +2.500"],
    "cubana": ["Canaste di pinelle +4.000", "Altre canaste di matte +2.000",
               "3 neri da parte 5 ciascuno, tutti e 4 insieme 100"],
    "canastone": ["Canaste naturali di assi +1.000", "Canaste di 6 jolly e 1 pinella +5.000",
                  "Matte lasciate a metà così non si chiude", "Onori (3 rossi) 100 ciascuno, da 4 in poi 200 ciascuno"],
    "moderna": ["3 neri esposti 100 per 1, 300 per 2, 500 per 3, 1.000 per 4",
                "Assi lasciati a metà −2.500, così non si chiude"],
    "hand-and-foot": ["Libri puliti +500", "Libri sporchi +300", "Libri di matte +1.500"],
}  # fmt: skip


@pytest.mark.parametrize("variant", NAMED)
def test_things_are_called_as_the_players_of_the_variant_call_them(client: Client, begin: Start, variant: str) -> None:
    page = client.get(counting(begin(variant)))
    labels = [label.text for label in page.all("label")]
    assert [name for name in NAMED[variant] if name not in labels] == []


def test_in_english_too(visit: Callable[..., Client], pad: Pad) -> None:
    client = visit("en")
    client.get("/")
    for variant, name in (
        ("hand-and-foot", "Clean books +500"), ("bolivia", "Escaleras (sambas) +1,500"),
        ("sette", "Players with 3 or more sevens in hand −500 each"), ("moderna", "Special hand"),
    ):  # fmt: skip
        new = NewMatch(variant, None, {}, ("We", "They"), (("", ""), ("", "")))
        told = pad.start(RequestId(secrets.token_hex(16)), device(client), new)
        assert isinstance(told, Saved)
        page = client.get(f"/partite/{told.match}/smazzata")
        assert name in [label.text for label in page.all("label")]


@pytest.mark.parametrize(
    ("variant", "facts"),
    [
        ("canastone", ["Per chiudere: almeno 2 canaste, di cui 1 naturale e 1 mista.",
                       "Non si chiude con combinazioni incomplete di sole matte.",
                       "Premio di chiusura: 300, di mano 500; 1.000 con almeno 5 canaste, di cui 1 naturale; "
                       "2.000 con almeno 6 canaste, di cui 5 naturali e 1 mista."]),
        ("hand-and-foot", ["Per chiudere: almeno 5 libri, di cui 2 puliti, 2 sporchi e 1 di matte.",
                           "Prima si chiede il permesso al compagno, e la risposta vincola.",
                           "Premio di chiusura: 100."]),
        ("messicana", ["Per chiudere: almeno 2 canaste.", "E un 3 rosso esposto per ogni canasta.",
                       "Premio di chiusura: 100, di mano 200."]),
        ("bolivia", ["Per chiudere: almeno 2 tra canaste, escalere e bolivie, di cui 1 escalera.",
                     "Premio di chiusura: 200, anche di mano."]),
        ("mini", ["Per chiudere: almeno 2 canaste, di cui 1 pura e 1 spura."]),
    ],
)  # fmt: skip
def test_what_going_out_needs_is_told_by_families(client: Client, begin: Start, variant: str, facts: list[str]) -> None:
    page = client.get(counting(begin(variant)))
    assert [fact.text for fact in page.one(id="outs").one("ul").all("li")] == facts


def test_an_obligatory_last_discard_is_asked_for_and_not_folded_away(client: Client, begin: Start) -> None:
    for variant, told in (
        ("canastone", "L'ultimo scarto è obbligatorio: né una matta né un 3."),
        ("moderna", "L'ultimo scarto è obbligatorio: anche una matta, mai un 3."),
    ):
        outs = client.get(counting(begin(variant))).one(id="outs")
        assert told in outs.text
        assert not outs.all("details")
    assert client.get(counting(begin("classica"))).one(id="outs").one("details").one("select", id="discard")


def test_hand_and_foot_says_which_of_the_four_hands_it_is(client: Client, begin: Start, pad: Pad) -> None:
    match = begin("hand-and-foot")
    page = client.get(counting(match))
    assert page.one("h1").text == "Smazzata 1 di 4"
    assert "2 mani a testa" not in page.text
    assert "Ognuno gioca 2 mani, una dopo l'altra: la mano e il piede (pozzetto)." in page.text
    assert "Apre con almeno 50" in page.one(id="side-a").text
    typed = {"a-cards": "60", "a-left": "10", "b-cards": "0", "b-left": "10", "out": "nobody"}
    type_and("save", client, page, typed)
    second = client.get(counting(match))
    assert second.one("h1").text == "Smazzata 2 di 4"
    assert "Apre con almeno 90" in second.one(id="side-b").text
    told = type_and("save", client, second, typed)
    assert "Noi: in questa smazzata si apre con almeno 90 punti" in told.errors[0]
    assert client.get(f"{match}/smazzate/1/correggi").one("h1").text == "Correggi la smazzata 1 di 4"


# ---------------------------------------------------------------- refused, with the reason beside the field

LEFT = {"a-left": "10", "b-left": "10"}
REFUSED = [
    ("cubana", {"a-cards": "100", "a-extra-black-threes-aside": "3", "b-cards": "100",
                "b-extra-black-threes-aside": "2", "out": "nobody", **LEFT}, "b-extra-black-threes-aside",
     "hanno 5 tre neri: nel mazzo sono 4"),
    ("messicana", {"a-canasta-sevens-canasta": "2", "a-cards": "120", "a-left": "10", "b-cards": "0", "b-left": "10",
                   "out": "a"}, "out", "serve un 3 rosso esposto per ogni canasta"),
    ("sette", {"a-way": "cards", "a-meld-0": "7xK", "a-left-way": "cards", "a-left-cards-0": "4", "a-left-cards-1": "K",
               "b-cards": "0", "b-left": "10", "out": "a"}, "a-left-cards-0", "Chi chiude resta senza carte"),
    ("samba", {"a-way": "cards", "a-meld-0": "10h 9h 7h", "a-meld-1": "3xA", "a-left": "10", "b-cards": "0",
               "b-left": "10", "out": "nobody"}, "a-meld-0", "non fanno una scala"),
    ("bolivia", {"a-way": "cards", "a-meld-0": "10h 9h 8h 2", "a-meld-1": "3xA", "a-left": "10", "b-cards": "0",
                 "b-left": "10", "out": "nobody"}, "a-meld-0", "non fanno una scala"),
    ("canastone", {"a-canasta-natural-canasta": "1", "a-canasta-mixed-canasta": "1", "a-incomplete-wilds": "1",
                   "a-cards": "300", "b-cards": "0", "out": "a", **LEFT}, "out", "le matte calate da sole"),
    ("canastone", {"a-canasta-natural-canasta": "1", "a-canasta-mixed-canasta": "1", "a-cards": "300", "b-cards": "0",
                   "out": "a", "discard-none": "on", **LEFT}, "discard", "è obbligatorio"),
    ("mini", {"a-meld-0": "6xK", "a-left-cards-0": "4", "a-left-cards-1": "K", "b-way": "nothing",
              "b-left-cards-0": "9", "b-left-cards-1": "8", "out": "nobody"}, "a-meld-0", "al massimo 5"),
    ("mini", {"a-meld-0": "5xK", "a-left-cards-0": "0", "a-left-cards-1": "K", "b-way": "nothing",
              "b-left-cards-0": "9", "b-left-cards-1": "8", "out": "a"}, "out", "la chiusura non è possibile"),
    ("moderna", {"a-way": "cards", "a-meld-0": "4x7 2", "a-meld-1": "4xA", "a-left": "10", "b-cards": "0",
                 "b-left": "10", "out": "nobody"}, "a-meld-0", "matte"),
    ("moderna", {"a-way": "special", "a-special": "pairs", "b-cards": "0", "b-left": "10", "out": "b"}, "out",
     "Chi mostra una mano speciale ha anche chiuso"),
    ("moderna", {"a-way": "special", "a-special": "pairs", "b-way": "special", "b-special": "garbage", "out": "a"},
     "b-special", "la mostra una parte sola"),
    ("moderna", {"a-way": "special", "b-cards": "0", "b-left": "10"}, "a-special", "Scegli quale mano speciale"),
    ("hand-and-foot", {"a-canasta-natural-canasta": "2", "a-canasta-mixed-canasta": "2", "a-cards": "500",
                       "b-cards": "0", "out": "a", **LEFT}, "out", "la chiusura non è possibile"),
    ("hand-and-foot", {"a-cards": "100", "a-red": "6", "b-cards": "100", "b-red": "5", "out": "nobody", **LEFT},
     "b-red", "nel mazzo sono 10"),
    ("tagliagola", {"a-cards": "100", "a-left": "10", "b-cards": "0", "b-left": "10", "c-cards": "0", "c-left": "5",
                    "out": "nobody"}, "single", "Di' chi ha preso il pozzo per primo"),
    ("tagliagola", {"single": "a", "a-cards": "100", "b-cards": "150", "b-left": "10", "c-left": "5", "out": "a"},
     "out", "la chiusura non è possibile"),
]  # fmt: skip


@pytest.mark.quick(6)
@pytest.mark.parametrize(("variant", "typed", "field", "told"), REFUSED)
def test_a_wrong_hand_is_refused_beside_its_field_and_all_that_was_typed_stays(  # noqa: PLR0917 - fixtures
    client: Client, begin: Start, pad: Pad, variant: str, typed: dict[str, str], field: str, told: str
) -> None:
    match = begin(variant)
    page = type_and("save", client, client.get(counting(match)), typed)
    assert page.title.startswith("Errore: ")
    assert f"#{field}" in [link["href"] for link in page.one(class_="errors").all("a")]
    assert page.one(id=field)
    notes = [note for place in {field, "hand"} for note in beside(page, place) if page.all(id=f"{place}-notes")]
    assert any(told in note for note in notes), notes
    shown = form_of(page)
    assert {name: shown.get(name, "") for name in typed} == typed
    assert pad.state(match_of(match), device(client)).hands == []


BEYOND_THE_PAGE = {"side-unknown", "penalty-unknown", "out-cards-left", "points-not-multiple"}
"""What nobody can type there, or only otherwise: names and penalties are chosen, no minus is typed."""


NOT_ON_THE_PAGE = {*BEYOND_THE_PAGE, "card-unknown"}
"""What is no card in the notation may well be one as people write it: `JJ`."""


def invalid_hands() -> list[tuple[str, str, dict[str, Any]]]:
    """Every worked hand that may not be, and that the page can show: what it is called, its first rule, the hand."""
    found = []
    for file in sorted(CASES.glob("*/*.json")):
        for number, case in enumerate(json.loads(Path(file).read_text("utf-8"))):
            asked, expected = case["hand"], case["expect"]
            sides = asked.get("sides", {})
            if expected.get("valid", True) or not set(sides) <= set(asked.get("before", {"noi": 0, "loro": 0})):
                continue
            code = expected["problems"][0][1]
            if code not in NOT_ON_THE_PAGE and not any({"sum", "adjustments"} & set(side) for side in sides.values()):
                found.append((f"{file.parent.name}-{file.stem}-{number}-{code}", code, asked))
    return found


@pytest.mark.parametrize("asked", [pytest.param(asked, id=name) for name, _, asked in invalid_hands()])
def test_every_problem_leads_to_a_field(asked: dict[str, Any]) -> None:
    draft, count, found = problems_of(asked)
    # Cards that could be two things are asked for beside their field.
    assert all(trouble.given for trouble in count.troubles)
    for finding in found:
        assert field_to_mend(finding, count, draft, IT) is not None


def some_invalid_hands() -> list[Any]:
    """One hand for each rule, and in a long run one for each rule in each variant."""
    found: dict[tuple[str, str], Any] = {}
    for name, code, asked in invalid_hands():
        if not asked.get("preset") and (asked["variant"], code) not in found:
            long = any(code == known for _, known in found)
            found[asked["variant"], code] = pytest.param(asked, id=name, marks=[pytest.mark.full] if long else [])
    return list(found.values())


@pytest.mark.quick(8)
@pytest.mark.parametrize("asked", some_invalid_hands())
def test_and_that_field_is_on_the_page(client: Client, begin: Start, asked: dict[str, Any]) -> None:
    draft, count, found = problems_of(asked)
    page = client.get(counting(begin(asked["variant"], **asked.get("options", {}))))
    page = type_and("check", client, page, draft)
    for finding in found:
        field = field_to_mend(finding, count, draft, IT)
        assert field is not None
        assert page.all(id=field), field


def problems_of(asked: dict[str, Any]) -> tuple[dict[str, str], Count, list[Finding]]:
    """The draft that says a worked hand, what is read of it, and what the rules say against that."""
    rules, draft, scores = typed_of(asked)
    count = read_draft(draft, rules, IT)
    deal = {"deal": asked["deal"]} if "deal" in asked else {}
    judged = judge(rules, read_hand({**count.hand, **deal}, rules, SIDE_KEYS[: len(scores)], scores))
    wrong = [finding for finding in judged.findings if finding.is_error]
    assert wrong or count.troubles
    return draft, count, wrong


def typed_of(asked: dict[str, Any]) -> tuple[Ruleset, dict[str, str], tuple[int, ...]]:
    """The rules of a worked hand, the draft that says it, and the scores before."""
    rules = read_asked(json.dumps(asked)).rules
    before = asked.get("before", {"noi": 0, "loro": 0})
    return rules, draft_from(in_keys(asked, dict(zip(before, SIDE_KEYS, strict=False))), rules), tuple(before.values())


# ---------------------------------------------------------------- the pair of tagliagola

PAIR = {
    "single": "a", "a-canasta-natural-canasta": "1", "a-cards": "100", "a-red": "1",
    "b-canasta-mixed-canasta": "1", "b-cards": "150", "b-left": "10", "c-red": "2", "c-left": "5", "out": "a",
}  # fmt: skip
"""Anna alone 500 + 100 + 100 + 100 = 800; the pair 300 + 150 - 10 - 5 = 435, and 200 for Carlo's red threes."""


def test_the_melds_of_the_pair_are_written_once_and_red_threes_are_personal(
    client: Client, begin: Start, pad: Pad
) -> None:
    match = begin("tagliagola")
    page = type_and("check", client, client.get(counting(match)), PAIR)
    anna, bea, carlo = (page.one(id=f"side-{key}") for key in "abc")
    assert "Gioca da sé, contro la coppia" in anna.text
    assert "In coppia con Carlo" in bea.text
    assert "Le combinazioni della coppia si scrivono qui, anche quelle di Carlo." in bea.text
    assert "Le combinazioni della coppia si scrivono una volta sola: stanno nella scheda di Bea." in carlo.text
    assert not [name for name in fields_of(page) if re.match(r"c-(way|cards|canasta|meld)", name)]
    assert {"c-red", "c-left", "c-opening", "c-penalty-draw-out-of-turn"} <= fields_of(page)
    assert page.one(id="bar-told").text == "Anna +800 Bea +435 Carlo +635"
    assert type_and("save", client, page, {}).url == match
    (counted,) = pad.state(match_of(match), device(client)).hands
    assert [side.hand for side in counted.sides] == [800, 435, 635]


def test_nobody_took_the_pile_and_each_lays_alone_until_somebody_goes_out(client: Client, begin: Start) -> None:
    page = client.get(counting(begin("tagliagola")))
    page = type_and("check", client, page, {"single": "nobody", "out": "nobody"})
    assert all(f"{key}-cards" in fields_of(page) for key in "abc")
    page = type_and("check", client, page, {"out": "c"})
    assert [f"{key}-cards" in fields_of(page) for key in "abc"] == [True, False, True]
    assert "Gioca da sé" in page.one(id="side-c").text


def test_the_pair_writes_with_whoever_went_out_unless_it_has_begun_elsewhere(client: Client, begin: Start) -> None:
    page = client.get(counting(begin("tagliagola")))
    page = type_and("check", client, page, {"single": "a", "out": "c"})
    assert [f"{key}-cards" in fields_of(page) for key in "abc"] == [True, False, True]
    page = type_and("check", client, page, {"out": "b"})
    assert [f"{key}-cards" in fields_of(page) for key in "abc"] == [True, True, False]
    page = type_and("check", client, page, {"b-cards": "150"})
    page = type_and("check", client, page, {"out": "c"})
    assert "b-cards" in fields_of(page)
    assert "c-cards" not in fields_of(page)


def test_what_both_of_the_pair_had_typed_stays_with_both(client: Client, begin: Start) -> None:
    page = client.get(counting(begin("tagliagola")))
    page = type_and("check", client, page, {"b-cards": "150", "c-way": "cards", "c-meld-0": "3xK"})
    page = type_and("check", client, page, {"single": "a"})
    shown = form_of(page)
    assert (shown["b-cards"], shown["c-meld-0"]) == ("150", "3xK")


@pytest.mark.parametrize("typed", [{"concealed": "on"}, {"b-meld-1": "3x3b"}])
def test_what_only_the_one_who_went_out_may_lay_counts_as_that_players(
    client: Client, begin: Start, typed: dict[str, str]
) -> None:
    match = begin("tagliagola")
    hand = {
        "single": "a", "a-cards": "0", "a-left": "20", "b-way": "cards", "b-meld-0": "7xK", "b-left": "10", "out": "c",
    }  # fmt: skip
    assert type_and("save", client, client.get(counting(match)), {**hand, **typed}).url == match
    again = form_of(client.get(f"{match}/smazzate/1/correggi"), "Salva la correzione")
    assert again["c-meld-0"] == "7xK", "shown where it counts"


def test_as_long_as_nobody_said_who_took_the_pile_nothing_is_said_of_what_hangs_on_it(
    client: Client, begin: Start
) -> None:
    page = client.get(counting(begin("tagliagola")))
    typed = {"a-cards": "0", "a-left": "5", "b-way": "cards", "b-meld-0": "3xQ", "b-left": "5", "c-cards": "60",
             "c-left": "5", "out": "a"}  # fmt: skip
    told = check(client, page, typed)
    assert told is not None
    assert not told.all(class_="live-problems")
    assert "Di' chi ha preso il pozzo per primo" in told.one(class_="live-missing").text
    assert told.one(id="bar-told").text == "Anna – Bea – Carlo –"
    told = check(client, client.get(page.url), {**typed, "b-meld-0": "3xQ K"})
    assert told is not None
    assert "Errore: " in beside(told, "b-meld-0")[0]


# ---------------------------------------------------------------- the special hands of moderna


def test_a_special_hand_takes_the_place_of_everything_and_clears_nothing(
    client: Client, begin: Start, pad: Pad
) -> None:
    match = begin("moderna")
    typed = {
        "a-canasta-natural-canasta": "1", "a-cards": "335", "a-red": "2", "a-left": "40", "a-way": "special",
        "a-special": "straight", "a-penalty-draw-out-of-turn": "1", "b-cards": "0", "b-left": "85", "discard": "3r",
    }  # fmt: skip
    page = type_and("check", client, client.get(counting(match)), typed)
    assert page.one(id="bar-told").text == "Noi +2.900 Loro −85"
    assert page.one(id="out-shown").text == "Chiusura di Noi, con la mano speciale."
    back = type_and("check", client, page, {"a-way": "totals"})
    shown = form_of(back)
    assert {name: shown[name] for name in ("a-cards", "a-red", "a-left", "a-special", "discard")} == {
        "a-cards": "335", "a-red": "2", "a-left": "40", "a-special": "straight", "discard": "3r",
    }  # fmt: skip
    assert type_and("save", client, back, {"a-way": "special"}).url == match
    (counted,) = pad.state(match_of(match), device(client)).hands
    assert counted.versions[-1].hand["out"]["side"] == "a"
    assert [side.hand for side in counted.sides] == [2900, -85]
    again = form_of(client.get(f"{match}/smazzate/1/correggi"), "Salva la correzione")
    assert (again["a-way"], again["a-special"]) == ("special", "straight")


# ---------------------------------------------------------------- suits


def test_ranks_tapped_after_a_suit_get_it_until_another_meld_is_begun(client: Client, begin: Start) -> None:
    page = client.get(counting(begin("samba")))
    for number, token in enumerate(("10", "9", "8", "7", "6", "5", "4")):
        page = type_and(f"card:a:{token}", client, page, {} if number else {"a-suit": "h"})
    assert page.one("input", id="a-meld-0")["value"] == "10h 9h 8h 7h 6h 5h 4h"
    assert page.one(id="a-meld-0-told").text == (
        "samba · 50 punti dieci, nove, otto, sette, sei, cinque e quattro di cuori"
    )
    page = send(client, page, "meld-new:a")
    for token in ("K", "K", "K", "2"):
        page = send(client, page, f"card:a:{token}")
    assert page.one("input", id="a-meld-1")["value"] == "3xK 2"
    page = send(client, page, "meld-edit:a:0")
    assert page.one("input", id="a-suit-h").has("checked"), "the suit of the meld in hand"
    page = send(client, page, "card:a:J")
    assert page.one("input", id="a-meld-0")["value"].endswith("4h Jh")


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
        ("mini", {}, "4xK 2", "canasta spura · 1 punto"), ("mini", {}, "5x2", "canasta di pinelle · 10 punti"),
        ("mini", {}, "3xK", "combinazione"),
    ],
)  # fmt: skip
def test_a_meld_says_what_it_is_as_it_grows(
    client: Client, begin: Start, variant: str, options: dict[str, Choice], cards: str, told: str
) -> None:
    page = client.get(counting(begin(variant, **options)))
    page = type_and("check", client, page, {"a-way": "cards", "a-meld-0": cards})
    assert page.one(id="a-meld-0-told").one("strong").text == told


# ---------------------------------------------------------------- what is in hand


def test_a_hand_each_where_a_rule_goes_by_the_single_hand(client: Client, begin: Start, pad: Pad) -> None:
    match = begin("sette")
    typed = {
        "a-cards": "100", "a-left-way": "cards", "a-left-cards-0": "3x7 K", "a-left-cards-1": "2x7",
        "b-cards": "100", "b-left": "30", "b-extra-sevens-held": "1", "out": "nobody",
    }  # fmt: skip
    page = type_and("save", client, client.get(counting(match)), typed)
    assert page.url == match
    (counted,) = pad.state(match_of(match), device(client)).hands
    # 100 - 35 - 500; 100 - 30 - 500
    assert [side.hand for side in counted.sides] == [-435, -430]
    assert counted.warnings == ()


def test_every_hand_is_asked_for_but_that_of_whoever_went_out(client: Client, begin: Start) -> None:
    page = client.get(counting(begin("sette")))
    typed = {
        "a-way": "cards", "a-meld-0": "7xK", "a-left-way": "cards", "a-left-cards-1": "4", "b-cards": "0",
        "b-left-way": "cards", "b-left-cards-0": "K", "out": "a",
    }  # fmt: skip
    told = check(client, page, typed)
    assert told is not None
    missing = [link["href"] for link in told.one(class_="live-missing").all("a")]
    assert missing == ["#b-left-cards-1"]


def test_hands_noted_as_one_stay_so_until_they_are_written_apart(client: Client, begin: Start) -> None:
    rules = settle("sette")
    hand = {"sides": {"a": {"melds": ["5xA"], "left": "4 9 7"}, "b": {"left": 85}}, "out": None}
    draft = draft_from(hand, rules)
    assert draft["a-left-cards-all"] == "4 9 7"
    page = type_and("check", client, client.get(counting(begin("sette"))), draft)
    assert "Attenzione: " in beside(page, "a-left-cards-all")[0]
    both = read_draft({**draft, "a-left-cards-0": "4"}, rules, IT)
    assert [trouble.reason for trouble in both.troubles] == ["left-twice"]
    apart = {**draft, "a-left-cards-all": "", "a-left-cards-0": "4 9", "a-left-cards-1": "7"}
    assert read_draft(apart, rules, IT).hand["sides"]["a"]["left"] == ["4 9", "7"]


def test_players_with_too_many_of_a_rank_count_only_beside_points(client: Client, begin: Start) -> None:
    rules = settle("moderna")
    draft = {"a-cards": "0", "a-left": "60", "a-extra-aces-held": "1", "b-cards": "0", "b-left": "5", "out": "nobody"}
    assert read_draft(draft, rules, IT).hand["sides"]["a"] == {"melds": [], "left": 60, "aces_held": 1}
    by_cards = {**draft, "a-left-way": "cards", "a-left-cards-0": "3xA", "a-left-cards-1": "4"}
    assert read_draft(by_cards, rules, IT).hand["sides"]["a"] == {"melds": [], "left": ["3xA", "4"]}


def test_mini_is_counted_by_cards_alone_and_in_its_own_points(client: Client, begin: Start, pad: Pad) -> None:
    match = begin("mini")
    page = client.get(counting(match))
    for token in ("K", "K", "K", "K", "K"):
        page = send(client, page, f"card:a:{token}")
    page = send(client, page, "meld-new:a")
    for token in ("Q", "Q", "Q", "2", "2"):
        page = send(client, page, f"card:a:{token}")
    for token in ("4", "4", "JK", "3r"):
        page = send(client, page, f"left:a-left-cards-1:{token}")
    assert page.one("input", id="a-left-cards-1")["value"] == "2x4 JK 3r"
    page = send(client, page, "unleft:a-left-cards-1")
    typed = {"b-way": "nothing", "b-left-cards-0": "9 9 8 8", "b-left-cards-1": "0", "out": "a"}
    page = type_and("check", client, page, typed)
    # 2 + 1 - 3 for the joker - 1 for the two fours; four cards are two groups
    assert page.one(id="bar-told").text == "Noi −1 Loro −2"
    assert type_and("save", client, page, {}).url == match
    (counted,) = pad.state(match_of(match), device(client)).hands
    assert [side.hand for side in counted.sides] == [-1, -2]


def test_in_mini_a_side_that_laid_nothing_says_so(client: Client, begin: Start) -> None:
    page = client.get(counting(begin("mini")))
    told = check(client, page, {"a-left-cards-0": "9", "a-left-cards-1": "9", "out": "nobody"})
    assert told is not None
    missing = told.one(class_="live-missing").text
    assert "Noi: Tocca le carte calate; se non ha calato niente, scegli «Non ha calato»." in missing


# ---------------------------------------------------------------- limits, and what is kept


@pytest.mark.parametrize(
    ("variant", "field", "most"),
    [("classica", "a-red", 4), ("samba", "a-red", 6), ("hand-and-foot", "a-red", 10),
     ("cubana", "a-extra-black-threes-aside", 4), ("moderna", "b-extra-black-threes", 4),
     ("sette", "a-extra-sevens-held", 2)],
)  # fmt: skip
def test_a_stepper_counts_no_further_than_there_are(
    client: Client, begin: Start, variant: str, field: str, most: int
) -> None:
    page = client.get(counting(begin(variant)))
    assert page.one("button", value=f"up:{field}")["data-most"] == str(most)
    for _ in range(most + 1):
        page = send(client, page, f"up:{field}")
    assert page.one("input", id=field)["value"] == str(most)
    page = type_and(f"up:{field}", client, page, {field: "17"})
    assert page.one("input", id=field)["value"] == "17", "what somebody typed stays"


def test_the_kind_of_going_out_is_told(client: Client, begin: Start) -> None:
    typed = {
        "a-canasta-natural-canasta": "1", "a-canasta-mixed-canasta": "4", "a-cards": "500", "b-cards": "0",
        "out": "a", "discard": "9", **LEFT,
    }  # fmt: skip
    told = check(client, client.get(counting(begin("canastone"))), typed)
    assert told is not None
    lines = {term.text: value.text for term, value in zip(told.all("dt"), told.all("dd"), strict=True)}
    assert lines["Chiusura con almeno 5 canaste"] == "+1.000"


def test_two_pages_on_one_hand_of_any_variant_show_what_differs(client: Client, begin: Start) -> None:
    for variant, one, other, label in (
        ("tagliagola", {"single": "a"}, {"single": "b"}, "Chi ha preso il pozzo per primo?"),
        ("moderna", {"a-way": "special", "a-special": "pairs"}, {"a-way": "special", "a-special": "garbage"},
         "Noi: Mano speciale"),
        ("canastone", {"a-incomplete-wilds": "1"}, {"a-incomplete-wilds": "2"}, "Noi: Matte lasciate a metà"),
    ):  # fmt: skip
        page = client.get(counting(begin(variant)))
        type_and("check", client, page, one)
        stale = type_and("check", client, page, other, 409)
        assert [row.one("th").text for row in stale.one("tbody").all("tr")] == [label]


def test_whatever_is_typed_in_any_variant_can_be_read_and_judged() -> None:
    everything = {
        "single": "b", "out": "a", "concealed": "on", "discard": "4", "a-way": "special", "a-special": "pairs",
        "b-way": "cards", "b-meld-0": "10h 9h 8h", "b-left-way": "cards", "b-left-cards-0": "3x7", "c-cards": "15",
        "a-extra-black-threes": "9", "b-extra-black-threes-aside": "2", "a-incomplete-wilds": "3", "a-left": "5",
    }  # fmt: skip
    for variant in variant_ids():
        rules = settle(variant)
        sides = len(rules.settings.sides)
        count = read_draft(everything, rules, IT)
        try:
            hand = read_hand(count.hand, rules, SIDE_KEYS[:sides], (0,) * sides)
        except Unusable as trouble:
            raise AssertionError(variant) from trouble
        for finding in judge(rules, hand).findings:
            assert field_to_mend(finding, count, everything, IT) or finding.where[0] == "before"
