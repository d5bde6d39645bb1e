"""House rules with as much as their file may hold: every page and sheet of them opens in time.

House rules are a game of one's own, in a TOML file: it extends another game by bonuses, penalties,
canastas, options and openings. Here the file is called `piena.toml` ("full").
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from scorepad.rules.loader import MOST_ENTRIES
from scorepad.rules.toml_reader import LONGEST_NAME, LONGEST_TEXT
from scorepad.rules.variants import get_variant, offer_own_variants
from scorepad.storage.own_rules import HouseRules, NamedPoints, compose_house_rules
from tests.cookies import admin_cookie
from tests.web.client import Client
from tests.web.player import Begin
from tests.web.playing import hand, side
from tests.web.tables import read_tables

pytestmark = pytest.mark.long

HEAD = 'id = "piena"\nextends = "classica"\n'


def name_of(kind: str, number: int, filling: str, length: int) -> str:
    """Make a name of at most this length, unlike any other, such as `Premio 3 WWW`."""
    too_long = f"{kind} {number} {filling * length}"
    return too_long[:length].strip()


def list_entries(table: str, filling: str, length: int) -> str:
    """Write as many `bonuses` or `penalties` as a file may hold, in TOML."""
    text = ""
    for number in range(MOST_ENTRIES[table]):
        name = name_of("Nome", number, filling, length)
        text += f"[{table}.{table}-{number}]\n"
        text += f'points = 5000\nstanding = "house"\nwords.it = "{name}"\n'
    return text


def list_canastas(filling: str, length: int) -> str:
    """Write as many canastas as a file may hold, each a meld of sevens, in TOML.

    Their names are filled up to this length: `Canasta 3 WWW` with the filling `W`.
    """
    text = '[settings.canastas]\nstanding = "house"\n'
    for number in range(MOST_ENTRIES["canastas"]):
        name = name_of("Canasta", number, filling, length)
        text += "[[settings.canastas.value]]\n"
        text += f'item = "kind-{number}"\nfamily = "family-{number}"\nwords.it = "{name}"\n'
        text += 'points = 5000\nshape = "group"\nrank = "7"\n'
    return text


def list_everything(filling: str, length: int) -> str:
    """Write bonuses, penalties and canastas, whose names are filled up to a length with a text."""
    lists = list_entries("bonuses", filling, length) + list_entries("penalties", filling, length)
    return lists + list_canastas(filling, length)


def list_options() -> str:
    """Write as many options as a file may hold, in TOML.

    With each option the table chooses how many cards are dealt, from 3 to 10.
    """
    text = ""
    for number in range(MOST_ENTRIES["options"]):
        # Its name has 100 letters: "Opzione 0 nome lungo nome lungo …" ("long name").
        name = name_of("Opzione", number, "nome lungo ", 100)
        text += f'[options.option-{number}]\ndefault = 0\nwords.it = "{name}"\n'

        # The values are numbered from 0 to 7. Value 0 has 3 cards dealt. All are house rules.
        for value in range(8):
            cards_dealt = 3 + value
            text += f"[[options.option-{number}.values]]\nis = {value}\n"
            text += f"set.dealt = {cards_dealt}\n"
            text += f'standing = "house"\nwords.it = "Valore {value}"\n'
    return text


FULL_FILES = {
    "short names": HEAD + list_everything("nome lungo ", 20),
    "long names": HEAD + list_everything("nome lungo ", LONGEST_NAME),
    "wide names": HEAD + list_everything("W", LONGEST_NAME),
    "a wide name of its own": f'{HEAD}[words.it]\nname = "{"W" * LONGEST_NAME}"\nspecial = "{"W" * LONGEST_TEXT}"\n',
    "options": HEAD + list_options(),
    "openings": HEAD + '[settings.opening-by]\nvalue = "deal"\nstanding = "house"\n[settings.opening-deals]\n'
    f'standing = "house"\nvalue = {[50] * MOST_ENTRIES["opening-deals"]}\n[ends]\nhands = 99\nminutes = 1440\n',
    "steps": HEAD + '[settings.opening-steps]\nstanding = "house"\n'
    f"value = {[[1000 * number, 50] for number in range(MOST_ENTRIES['opening-steps'])]}\n",
}  # fmt: skip
PATHS = read_tables("rules_at_their_limits")


@pytest.fixture(params=FULL_FILES)
def full_rules(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Offer each of the full house rules to whoever starts a match; the text of their file."""
    (tmp_path / "piena.toml").write_text(FULL_FILES[request.param], "utf-8")
    assert offer_own_variants(tmp_path).broken == ()
    yield FULL_FILES[request.param]
    offer_own_variants(None)


def slow_or_refused(client: Client, paths: Iterable[str]) -> list[str]:
    """Open pages, and return those that fail or take more than 6 seconds of the processor.

    They take far less, unless the machine is busy with other tests.
    """
    found = []
    for path in paths:
        begun = time.process_time()
        status = client.raw.get(path, follow_redirects=True).status_code
        seconds = time.process_time() - begun
        described = f"{path}: {status} in {seconds:.2f} s of the processor"
        print(described)
        if status != 200 or seconds > 6:
            found.append(described)
    return found


@pytest.mark.usefixtures("full_rules")
def test_pages_and_papers_of_full_rules_open(client: Client) -> None:
    # House rules named `piena` ("full") have as many entries as a file may hold. Only the
    # administrator may change them.
    client.raw.set_cookie("scorepad_admin", admin_cookie())

    # Many pages are opened as they are, such as the rulebook "/regole/piena".
    paths = PATHS["pages"]

    # Some are opened with another value than the usual one for every option: "?option-0=1&…". They
    # are four pads on a sheet, a large pad, a card with the rules, and the page of a new match.
    every_option = "&".join(f"{option}=1" for option in get_variant("piena").options)
    with_every_option = [
        f"/regole/piena/segnapunti.pdf?per-foglio=4&{every_option}",
        f"/regole/piena/segnapunti.pdf?grande&{every_option}",
        f"/regole/piena/scheda.pdf?{every_option}",
        f"/partite/nuova?variante=piena&{every_option}",
    ]
    assert slow_or_refused(client, paths + with_every_option) == []


@pytest.mark.usefixtures("full_rules")
def test_match_by_full_rules_can_be_played_and_printed(begin: Begin) -> None:
    # House rules named `piena` ("full") have as many entries as a file may hold. In a hand one side
    # has every bonus twice, and every penalty that costs points.
    player = begin("piena")
    rules = get_variant("piena")
    penalties = [code for code, penalty in rules.penalties.items() if penalty.points]
    with_everything = side(bonuses=[*rules.bonuses] * 2, penalties=penalties)
    player.play(hand(with_everything, side()))

    # The page of the match, the form of the next hand ("/smazzata"), two sheets to print, a picture
    # and the state of the match open without delay.
    paths = [f"{player.match}{path}" for path in PATHS["of_a_match"]]
    assert slow_or_refused(player.client, paths) == []


def test_full_rules_can_be_changed(full_rules: str) -> None:
    # On the page of the rules somebody leaves one bonus of them all, and gives them another name.
    classica = get_variant("classica")
    bonuses = {"bonuses-0": NamedPoints("Altro", 5)}
    changed = HouseRules(classica.id, "Altra", special="", bonuses=bonuses)

    # The file is written anew. What the page does not show, such as options, is kept.
    begun = time.process_time()
    written = compose_house_rules(changed, "piena", classica, "it", full_rules)
    seconds = time.process_time() - begun

    assert seconds < 2  # of the processor
    assert len(written.encode()) <= 32 * 1024, "a larger file is not read"
