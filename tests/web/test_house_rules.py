"""House rules made, changed, taken over and removed on the pages, and what follows a figure."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scorepad import limited
from scorepad.rules.variants import get_variant, offer_own_variants, package_ids
from scorepad.web.own_rules import views
from tests.cookies import admin_cookie
from tests.web.client import Client, Page, Visit
from tests.web.player import Begin
from tests.web.playing import hand, side
from tests.web.tables import read_tables

OWN_RULES_FOLDER = Path(__file__).parents[1] / "rules" / "own"
TABLES = read_tables("house_rules")
NEW_RULES = "/nostre-regole/nuove"
SAVED_RULES = "/nostre-regole/canasta-di-casa"
SAVE = "Salva le regole"  # "Save the rules"
REMOVE = "Elimina «Canasta di casa»"  # "Remove …"
MINIMAL_FILE = b"id = 'casa'\nextends = 'due'\n"
"""House rules like those of the game for two, `due`, in every respect."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    """Return the folder of the house rules of guests, which the first of them makes.

    `offer_own_variants` says where house rules are read from, as at the start of the server.
    """
    offer_own_variants(tmp_path / "house")
    yield tmp_path / "house" / "guests"
    offer_own_variants(None)


def save_new_rules(
    client: Client, name: str = "Canasta di casa", status: int = 200, **typed: str
) -> Page:
    """Save new house rules of this name, and return the page shown then."""
    return client.submit(NEW_RULES, SAVE, status, name=name, **typed)


def change_rules(
    client: Client, rules: str = "canasta-di-casa", status: int = 200, **typed: str
) -> Page:
    """Save the form of existing house rules with these fields changed; return the next page."""
    return client.submit(f"/nostre-regole/{rules}/cambia", SAVE, status, **typed)


def upload_rules(
    client: Client, content: bytes, status: int = 200, name: str = "casa.toml"
) -> Page:
    """Upload a file of house rules, and return the page shown then."""
    page = client.get("/nostre-regole/")
    return client.upload(page, "Carica queste regole", content, status, name)


def values_of_form(page: Page) -> dict[str, str]:
    """What stands in the form of house rules."""
    return page.form_values(SAVE)


def shown_differences(page: Page) -> dict[str, str]:
    """Return the table of what differs from the usual rules.

    The keys are the rules. A value is what is played and, after a bar, what is usual.
    """
    found = {}
    for row in page.one("dl", class_="differences").all("div"):
        if row.all("dt"):
            found[row.one("dt").text] = " | ".join(row.texts("dd"))
    return found


def stored_rules(folder: Path, name: str = "canasta-di-casa") -> dict[str, Any]:
    """Return what the file of house rules says."""
    return tomllib.loads((folder / f"{name}.toml").read_text("utf-8"))


def stored_settings(folder: Path) -> dict[str, object]:
    """Return the values of the settings that the file of "Canasta di casa" gives."""
    given = stored_rules(folder).get("settings", {})
    return {key: setting["value"] for key, setting in given.items()}


def setting_of(rules: str, key: str) -> Any:
    """The value of a setting of house rules, in force."""
    return get_variant(rules).settings[key].value


def hand_with_natural_canasta(**ours: Any) -> dict[str, Any]:
    """Return a hand in which our side lays a natural canasta and 245 points of cards."""
    return hand(side(245, 0, natural=1, **ours), side())


def make_admin(client: Client) -> Client:
    """Give a client access to all matches and all rules, and return it."""
    client.raw.set_cookie("scorepad_admin", admin_cookie())
    return client


# ---------------------------------------------------------------- made on the page


def test_new_rules_are_saved_and_their_differences_shown(client: Client) -> None:
    # Somebody makes rules named "Canasta di casa" from those of the classic game. These fields of
    # the form are changed.
    page = save_new_rules(
        client,
        **{
            "canastas.natural-canasta": "700",
            "special": "Tredici carte.",  # what is special: "Thirteen cards."
            "dealt": "13",
            "drawn": "2",
            "bonus-0": "Taglio giusto",  # a bonus of the house, for the right cut of the cards
            "bonus-0-points": "100",
            "penalties.draw-out-of-turn": "200",
        },
    )

    # "Rules saved. They can be chosen for each new match."
    assert page.url == SAVED_RULES
    assert page.notices == [
        "Regole «Canasta di casa» salvate. Si possono scegliere a ogni nuova partita."
    ]

    # Their page lists what differs. "di casa" marks a rule of the house, "Di solito" is "usually".
    assert shown_differences(page) == {
        "Carte distribuite di casa": "13 | Di solito: 11",  # cards dealt, usually 11
        "Carte pescate di casa": "2 | Di solito: 1",  # cards drawn
        "Premi delle canaste di casa": (  # bonuses of canastas
            "canaste naturali 700, canaste miste 300"
            " | Di solito: canaste naturali 500, canaste miste 300"
        ),
        "Taglio giusto di casa": "+100",
        "Pescata fuori turno di casa": "−200 | Di solito: −100",  # drawing out of turn
    }


def test_file_of_new_rules_has_only_settings_that_differ(client: Client, folder: Path) -> None:
    save_new_rules(client, **{"canastas.natural-canasta": "700", "dealt": "13", "drawn": "2"})

    # Each of them is marked as decided by the house.
    settings_in_file = stored_rules(folder)["settings"]
    assert sorted(settings_in_file) == ["canastas", "dealt", "drawn"]
    assert settings_in_file["dealt"] == {"value": 13, "standing": "house"}


def test_match_goes_by_new_rules(client: Client, begin: Begin) -> None:
    # In these rules a natural canasta is worth 700, and drawing out of turn costs 200. The right
    # cut of the cards ("taglio giusto") has a bonus of 100.
    save_new_rules(
        client,
        **{
            "canastas.natural-canasta": "700",
            "penalties.draw-out-of-turn": "200",
            "bonus-0": "Taglio giusto",
            "bonus-0-points": "100",
        },
    )

    # Noi lay a natural canasta and cards worth 245, and get the bonus. Loro lay nothing, have 20
    # left, and get the penalty.
    player = begin("canasta-di-casa")
    noi = side(cards=245, natural=1, bonuses=["taglio-giusto"])
    loro = side(left=20, penalties=["draw-out-of-turn"])
    player.play(hand(noi, loro))

    assert player.points == [[1045, -220]]  # 700 + 245 + 100, and −20 − 200


@pytest.mark.quick(4)
@pytest.mark.parametrize("variant", package_ids())
def test_rules_with_only_a_name_equal_their_parent(
    client: Client, folder: Path, variant: str
) -> None:
    # House rules are based on a variant, their parent. "da" means "from".
    parent = get_variant(variant)
    page = client.submit(f"{NEW_RULES}?da={variant}", SAVE, name="Canasta di casa")
    assert shown_differences(page) == {}

    # The file says which variant that is, and that all its options can be chosen for a match.
    file = stored_rules(folder)
    assert sorted(file) == ["extends", "id", "takes-options", "words"]
    assert file["extends"] == variant
    assert sorted(file["takes-options"]) == sorted(parent.options)

    # Every setting is that of the parent, and a match by these rules can be started.
    for key, setting in parent.settings.items():
        assert setting_of("canasta-di-casa", key) == setting.value
    new_match = client.get("/partite/nuova?variante=canasta-di-casa")
    assert new_match.title.startswith("Nuova partita")


def test_figures_out_of_limits_are_refused_and_kept_in_form(client: Client, folder: Path) -> None:
    # Each of these fields is wrong, and the name is missing.
    typed = {
        "canastas.mixed-canasta": "302",
        "opening-steps.1500": "",
        "dealt": "99",
        "out-bonus": "-5",
        "bonus-0": "Taglio",
        "hands": "0",
    }
    refused = save_new_rules(client, name="", status=422, **typed)

    assert refused.errors == [
        # "Write a name, for example «Canasta of the club»."
        "Scrivi un nome, per esempio «Canasta del circolo».",
        # "Number of hands, write a number from 1 to 99."
        "Numero di smazzate: scrivi un numero da 1 a 99.",
        # mixed canastas, a multiple of 5
        "Canaste miste: scrivi un numero da 0 a 5.000, multiplo di 5.",
        # the bonus for going out
        "Premio di chiusura: scrivi un numero da 0 a 5.000, multiplo di 5.",
        # the opening minimum from 1,500 points on
        "Apertura da 1.500 punti in su: scrivi un numero da 0 a 1.000, multiplo di 5.",
        # cards dealt to each player
        "Carte distribuite: scrivi un numero da 3 a 26.",
        # a bonus needs a name and points
        "Un premio ha un nome e i punti: scrivili tutti e due, o nessuno.",
    ]
    # The form keeps what was typed, and no file was written.
    assert typed.items() <= values_of_form(refused).items()
    assert not folder.exists()


def test_rules_without_target_need_another_end(client: Client) -> None:
    # The usual end of a match is a target, such as 5,000 points. These rules are called "Endless".
    refused = save_new_rules(client, "Senza fine", status=422, target="")

    # "Without a target, a number of hands or of minutes has to end the match."
    assert refused.errors == [
        "Senza traguardo serve un numero di smazzate o di minuti che chiuda la partita."
    ]

    # With 50 "minutes of play" they are saved. No option of a match sets a target any more.
    page = client.submit(refused, SAVE, target="", minutes="50")
    assert shown_differences(page)["Minuti di gioco di casa"] == "50"
    assert "target" not in get_variant("senza-fine").options


def test_rules_with_number_of_hands_need_no_target(client: Client) -> None:
    # The file says `match-deals` 4: after four hands a match is over.
    upload_rules(client, TABLES["four hands without a target"].encode())

    # It can be changed on the page, which keeps the number of hands.
    page = change_rules(client, "casa", name="Casa", dealt="12")

    assert shown_differences(page)["Carte distribuite di casa"] == "12 | Di solito: 11"
    assert setting_of("casa", "match-deals") == 4


def test_more_decks_need_values_for_more_red_threes(client: Client, folder: Path) -> None:
    # A deck has two red threes. The classic game is played with two decks, and says what one to
    # four red threes are worth together. With three decks there are six of them.
    refused = save_new_rules(client, status=422, decks="3", dealt="13")
    assert refused.errors == [
        # the value of five red threes together
        "5 tre rossi insieme: scrivi un numero da 0 a 9.000, multiplo di 5.",
        "6 tre rossi insieme: scrivi un numero da 0 a 9.000, multiplo di 5.",
        # "You have changed: Decks. So the decks have more red threes than have a value. Write also:
        # Red threes."
        "Hai cambiato: Mazzi. Così i mazzi hanno più 3 rossi di quanti hanno un valore. Scrivi anche: Onori.",
    ]

    # The form keeps what was typed. It has the usual value of four red threes, and none of five.
    typed = {"decks": "3", "red-three-values.4": "800", "red-three-values.5": ""}
    assert typed.items() <= values_of_form(refused).items()
    assert not folder.exists()

    # With a value for five and one for six the rules are saved.
    more = {"red-three-values.5": "850", "red-three-values.6": "1.200"}
    client.submit(refused, SAVE, **more)
    assert stored_settings(folder)["red-three-values"] == [100, 200, 300, 800, 850, 1200]


def test_decided_option_is_not_offered_for_matches(client: Client, folder: Path) -> None:
    # How many wild cards a meld may have is an option, `wild-limit`: it can be chosen for each
    # match. These house rules decide it for all their matches: no more than natural cards.
    page = save_new_rules(client, option_wild_limit="not-more-than-naturals")

    # In the file it is a setting, and no longer one of the options that can be chosen.
    file = stored_rules(folder)
    assert "wild-limit" not in file["takes-options"]
    assert stored_settings(folder) == {"wild-ratio": "not-more-than-naturals"}

    # The form to change the rules ("cambia") has its radio button checked.
    form = client.get(f"{page.url}/cambia")
    checked_button = form.one("input", name="option-wild-limit", type="radio", checked="")
    assert checked_button["value"] == "not-more-than-naturals"

    # The rules are changed to the usual value, at most three wild cards. The file has no settings
    # any more.
    client.submit(form, SAVE, option_wild_limit="three")
    assert sorted(stored_rules(folder)) == ["extends", "id", "takes-options", "words"]


def test_figure_that_contradicts_an_option_is_refused(client: Client) -> None:
    # The points that a side needs for its first melds, the opening, rise with its score. The value
    # "no-fifteen" of an option decides them: 50 below zero and from 0 points on, 90 from 1,500 and
    # 120 from 3,000. The field for 1,500 says 100.
    typed = {"option-opening-steps": "no-fifteen", "opening-steps.1500": "100"}
    refused = save_new_rules(client, "Casa", status=422, **typed)

    # "The opening from 1,500 points on is decided already by …"
    (error,) = refused.errors
    assert error.startswith("Apertura da 1.500 punti in su è già decisa da «")

    # With 90 in that field the rules are saved. The field for a score below zero still has 15, as in
    # the usual rules. Nobody has typed into it, so the 50 of the option hold.
    assert values_of_form(refused)["opening-below-zero"] == "15"
    client.submit(refused, SAVE, **{"opening-steps.1500": "90"})
    assert setting_of("casa", "opening-steps") == [[0, 50], [1500, 90], [3000, 120]]
    assert setting_of("casa", "opening-below-zero") == 50


def test_own_penalty_is_saved_renamed_and_scored(
    client: Client, begin: Begin, folder: Path
) -> None:
    # The penalty is called "talking", and later "talking too much".
    page = save_new_rules(client, penalty_0="Parlare", penalty_0_points="50")
    assert shown_differences(page) == {"Parlare di casa": "−50"}

    # Renamed, it keeps its key in the file.
    change_rules(client, penalty_0="Parlare troppo")
    assert stored_rules(folder)["penalties"] == {
        "parlare": {"points": 50, "standing": "house", "words": {"it": "Parlare troppo"}}
    }

    player = begin("canasta-di-casa")
    page = player.play(hand_with_natural_canasta(penalties=["parlare"]))
    assert "Parlare troppo" in page.text
    assert player.points == [[695, 0]]  # natural canasta 500, cards 245, penalty −50


@pytest.mark.parametrize("typed", [{"penalty_0": "Spiare"}, {"penalty_0_points": "50"}])
def test_penalty_without_name_or_points_is_refused(client: Client, typed: dict[str, str]) -> None:
    refused = save_new_rules(client, status=422, **typed)
    # "A penalty has a name and points. Write both of them, or none."
    assert refused.errors == ["Una penalità ha un nome e i punti: scrivili tutti e due, o nessuno."]


def test_rulebook_shows_own_bonus(client: Client) -> None:
    save_new_rules(client, dealt="13", bonus_0="Taglio giusto", bonus_0_points="100")

    rulebook = client.get("/regole/canasta-di-casa")

    # The bonus ("premio") has a section, and the 13 cards dealt stand among what was changed.
    assert rulebook.one(id="premio-taglio-giusto").one("h3").text == "Taglio giusto di casa"
    assert "13" in rulebook.one("dl", class_="changed").text


def test_match_links_to_own_bonus_while_its_rules_are_unchanged(
    client: Client, begin: Begin
) -> None:
    saved = save_new_rules(client, dealt="13", bonus_0="Taglio giusto", bonus_0_points="100")
    bonus_url = "/regole/canasta-di-casa#premio-taglio-giusto"

    # Somebody plays a match by these rules, and gets the bonus.
    player = begin("canasta-di-casa")
    match_page = player.play(hand_with_natural_canasta(bonuses=["taglio-giusto"]))
    assert bonus_url in match_page.answer.text

    # The rules are changed. The match still goes by those of its start, of which there is no page
    # now.
    change_rules(client, dealt="15")
    assert bonus_url not in player.page().answer.text

    # The change is taken back. Later the rules are removed.
    change_rules(client, dealt="13")
    assert bonus_url in player.page().answer.text

    client.submit(saved.url, REMOVE)
    assert bonus_url not in player.page().answer.text


@pytest.mark.parametrize("name", ["Nuove", "File", "Cerca", "Check"])
def test_rules_may_be_named_like_another_page(client: Client, name: str) -> None:
    # "/nostre-regole/nuove" is the page of new rules, for instance. The rules named so get an
    # address that is free.
    page = save_new_rules(client, name)
    assert page.heading == name
    assert name in client.get(f"/regole/{page.url.rpartition('/')[2]}").text


@pytest.mark.long
def test_search_finds_house_rules_until_they_are_removed(client: Client) -> None:
    # The rulebook is searched for "cards dealt" in the game "Canasta di casa".
    search = "/regole/cerca?testo=carte+distribuite&gioco=canasta-di-casa"
    found = "/regole/canasta-di-casa"
    assert found not in client.get(search).answer.text

    saved = save_new_rules(client, dealt="13")
    assert found in client.get(search).answer.text

    client.submit(saved.url, REMOVE)
    assert found not in client.get(search).answer.text


# ---------------------------------------------------------------- files written by hand


def test_saving_keeps_what_is_unchanged_in_a_file_written_by_hand(
    client: Client, folder: Path
) -> None:
    # The file has two penalties, one of them without points, and a bonus "as in Turin".
    written_by_hand = TABLES["penalties and a bonus"]
    upload_rules(client, written_by_hand.encode())

    # The form is saved as it is. The file then says too that no options can be chosen for a match.
    change_rules(client, "casa")
    expected = tomllib.loads(written_by_hand)
    expected["takes-options"] = []
    assert stored_rules(folder, "casa") == expected

    # The points of the first penalty are changed from 50 to 100. Its key and its name stay.
    change_rules(client, "casa", penalty_0_points="100")
    assert stored_rules(folder, "casa")["penalties"]["talking"] == {
        "points": 100,
        "standing": "house",
        "words": {"it": "Parlare al tavolo"},
    }


def test_saving_keeps_words_and_comments_of_a_file(client: Client, folder: Path) -> None:
    # In these rules a canasta of sevens has a name in both languages. A comment is added by hand.
    rules = (OWN_RULES_FOLDER / "quattro-canaste.toml").read_text("utf-8")
    with_comment = rules.replace("[words.it]", "# del circolo\n[words.it]")
    upload_rules(client, with_comment.encode())

    change_rules(client, "quattro-canaste", **{"canastas.all-sevens": "2000"})

    file = stored_rules(folder, "quattro-canaste")
    canasta = file["settings"]["canastas"]["value"][0]
    assert canasta["points"] == 2000
    assert canasta["words"] == {"it": "Canasta di sette", "en": "Canasta of sevens"}
    assert file["words"]["en"]["name"] == "Four canastas"
    assert "# del circolo" in (folder / "quattro-canaste.toml").read_text("utf-8")


def test_file_with_scattered_tables_can_be_changed(client: Client, folder: Path) -> None:
    # In TOML `[words.it]` and `[words.en]` belong together, and so do the two bonuses, cut and
    # luck. In this file they alternate.
    upload_rules(client, TABLES["tables that stand apart"].encode())

    # The points of the second bonus are changed from 5 to 50.
    change_rules(client, "casa", bonus_1_points="50")

    file = stored_rules(folder, "casa")
    assert file["words"] == {"it": {"name": "Casa"}, "en": {"name": "Home"}}
    assert file["bonuses"]["cut"]["points"] == 100
    assert file["bonuses"]["luck"]["points"] == 50


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    "file", sorted(OWN_RULES_FOLDER.glob("*.toml")), ids=lambda file: file.stem
)
def test_file_can_be_uploaded_downloaded_and_uploaded_elsewhere(
    client: Client, folder: Path, file: Path, tmp_path: Path
) -> None:
    page = upload_rules(client, file.read_bytes())
    assert page.url == f"/nostre-regole/{file.stem}"

    # "Download the file" gives the same bytes.
    download = client.raw.get(page.links()["Scarica il file"])
    assert download.data == file.read_bytes()
    assert f"{file.stem}.toml" in download.headers["Content-Disposition"]

    # The form is saved as it is. The file still says what it said; only the options are listed
    # anew.
    change_rules(client, file.stem)
    uploaded = tomllib.loads(file.read_text("utf-8"))
    uploaded.pop("takes-options", None)
    assert uploaded.items() <= stored_rules(folder, file.stem).items()

    # Another score pad, with another folder, takes the downloaded file.
    offer_own_variants(tmp_path / "other")
    assert upload_rules(client, download.data).url == page.url


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("casa", b"", "Scegli un file."),  # "Choose a file."
        ("casa", b"x" * 32_769, "Il file è troppo grande per essere di regole: al massimo 32 kB."),
        ("casa", b"\xff\xfe", "il file non si legge"),  # "the file cannot be read"
        # The setting is called "dealt". "riga 3" is "line 3".
        ("casa", MINIMAL_FILE + b"[settings.delt]\nvalue = 13\nstanding = 'house'", "riga 3"),
        # The id of a variant that scorepad itself has.
        ("casa", b"id = 'classica'\nextends = 'samba'", "classica"),
        # Without an id in the file, its name without ".toml" is the id.
        ("a\0b", b"extends = 'due'", "id"),
        ("../x", b"extends = 'due'", "id"),
    ],
    ids=[
        "empty",
        "too large",
        "not UTF-8",
        "unknown setting",
        "id of the package",
        "NUL in the name",
        "another folder",
    ],
)
def test_unusable_file_is_refused(
    client: Client, folder: Path, name: str, content: bytes, error: str
) -> None:
    # The error says what is wrong with the file, or what part of it: "id" if the rules have no
    # usable id, which would also be the name of their own file.
    refused = upload_rules(client, content, status=422, name=f"{name}.toml")
    assert error in refused.errors[0]

    # Nothing is saved.
    assert list(folder.glob("*")) == []


def test_file_that_takes_too_long_to_read_is_refused(
    client: Client, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A file is read in a process of its own, with limits on time and memory.
    monkeypatch.setattr(limited, "SECONDS", 0.01)
    refused = upload_rules(client, MINIMAL_FILE, status=422)

    # "too much time or too much memory"
    assert "troppo tempo o troppa memoria" in refused.errors[0]
    assert not folder.exists()


def test_one_bonus_too_many_is_refused_and_kept_in_form(client: Client, folder: Path) -> None:
    # House rules may have 40 bonuses, and this file has them.
    full_file = MINIMAL_FILE
    for number in range(40):
        bonus = f"points = 5\nstanding = 'house'\nwords.it = 'Premio {number}'\n"
        full_file += f"[bonuses.b{number}]\n{bonus}".encode()
    upload_rules(client, full_file)

    # One more, "One too many", is added on the page.
    one_more = {"bonus_40": "Uno di troppo", "bonus_40_points": "5"}
    refused = change_rules(client, "casa", status=422, **one_more)

    # "at most 40 fit in here, and there are 41"
    assert "qui ce ne stanno al massimo 40, e ce ne sono 41" in refused.errors[0]
    assert values_of_form(refused)["bonus-40"] == "Uno di troppo"
    assert (folder / "casa.toml").read_bytes() == full_file


def test_page_names_broken_file_and_line(client: Client, folder: Path) -> None:
    # The administrator puts a file into the folder by hand, with a misspelled word in its fourth
    # line.
    folder.mkdir(parents=True)
    broken = "id = 'rotto'\nextends = 'due'\n[settings.dealt]\nvalu = 1\n"
    (folder / "rotto.toml").write_text(broken)
    offer_own_variants(folder.parent)

    page = client.get("/nostre-regole/")

    # "A file cannot be used", with its name and "line 4"
    assert "Un file non si può usare" in page.text
    assert re.search(r"rotto\.toml.*riga 4", page.text)


def test_failed_write_is_reported_and_form_kept(client: Client, folder: Path) -> None:
    # Nothing can be written, because there is a file where the folder should be.
    folder.parent.mkdir()
    folder.write_text("")

    page = save_new_rules(client, status=503, dealt="13")

    # "The rules were not saved"
    assert page.errors[0].startswith("Le regole non sono state salvate: ")
    assert values_of_form(page)["dealt"] == "13"


# ---------------------------------------------------------------- languages


def test_missing_english_words_are_shown_in_italian(client: Client, visit: Visit) -> None:
    # The file has the name in both languages, and a sentence ("For two") in Italian only.
    words_of_file = b"words.it = { name = 'Casa', special = 'In due' }\nwords.en.name = 'Home'"
    upload_rules(client, MINIMAL_FILE + words_of_file)

    link = visit("en").get("/regole").one("a", href="/regole/casa")

    assert link.text.startswith("Home")
    assert "In due" in link.text


def test_saving_in_english_does_not_copy_italian_words(visit: Visit, folder: Path) -> None:
    # This file has rules named "casa" with a bonus "Taglio" ("cut") of 100 points, both named in
    # Italian only. The fields of its form in English have these Italian words.
    upload_rules(visit(), TABLES["a bonus"].encode())
    client = make_admin(visit("en"))
    form = client.get("/nostre-regole/casa/cambia")

    # Somebody changes only figures: the cards dealt and the points of the bonus. The names are
    # still Italian, and the rules have no English ones.
    client.submit(form, "Save the rules", dealt="13", bonus_0_points="200")
    file = stored_rules(folder, "casa")
    assert file["words"] == {"it": {"name": "casa"}}
    assert file["bonuses"]["cut"]["words"] == {"it": "Taglio"}

    # In the same form the names are changed. The rules get these as their English ones.
    saved = client.submit(form, "Save the rules", name="Home", dealt="13", bonus_0="Cut")
    assert shown_differences(saved)["Cards dealt house rule"] == "13 | Usually: 11"
    file = stored_rules(folder, "casa")
    assert file["words"] == {"it": {"name": "casa"}, "en": {"name": "Home"}}
    assert file["bonuses"]["cut"]["words"] == {"it": "Taglio", "en": "Cut"}


# ---------------------------------------------------------------- who may


def test_uploaded_rules_of_the_same_id_are_refused(client: Client, folder: Path) -> None:
    save_new_rules(client, "Canasta di casa")

    same_id = b"id = 'canasta-di-casa'\nextends = 'samba'\n"
    refused = upload_rules(client, same_id, status=422)

    assert "le regole «canasta-di-casa» ci sono già" in refused.errors[0]  # "… are here already"
    assert stored_rules(folder)["extends"] == "classica"


def test_rules_of_the_same_name_are_not_overwritten(client: Client, folder: Path) -> None:
    save_new_rules(client, "Canasta di casa")

    # Capitals make no difference. "… is the name of other rules already. Choose another one."
    refused = save_new_rules(client, "canasta di Casa", status=422, dealt="15")
    assert refused.errors == ["«canasta di Casa» è già il nome di altre regole. Scegline un altro."]

    # A name that would give the same id gets an id with a number.
    client.submit(refused, SAVE, name="Canasta di casa!")
    assert stored_rules(folder, "canasta-di-casa-2")["settings"]["dealt"]["value"] == 15


def test_only_author_and_admin_may_change_and_remove_rules(
    client: Client, visit: Visit, folder: Path
) -> None:
    url = save_new_rules(client, dealt="13").url
    other = visit()

    # Another device is not offered to "change the figures", and is refused if it tries to change or
    # to remove the rules all the same.
    assert "Cambia le cifre" not in other.get(url).links()
    other.get(f"{url}/cambia", status=403)
    page = other.get("/nostre-regole/")
    form = page.form_values("Carica queste regole")
    other.post(f"{url}/elimina", form, status=403)

    # The administrator may remove them: "«Canasta di casa» is removed."
    make_admin(other)
    removed = other.submit(url, REMOVE)
    assert removed.notices == ["«Canasta di casa» è eliminato."]
    assert list(folder.iterdir()) == []
    client.get(url, status=404)


@pytest.mark.parametrize("wrong", [{"csrf_token": "x"}, {"csrf_token": ""}, {"request_id": ""}])
def test_form_without_csrf_token_or_request_id_changes_nothing(
    client: Client, folder: Path, wrong: dict[str, str]
) -> None:
    upload_rules(client, MINIMAL_FILE)
    form = {**values_of_form(client.get(NEW_RULES)), "name": "Altre", **wrong}

    # These make new rules, change rules, remove them and upload a file.
    for path in ("/nuove", "/casa/cambia", "/casa/elimina", "/file"):
        answer = client.raw.post(f"/nostre-regole{path}", data=form)
        assert answer.status_code == 422, path

    assert list(folder.iterdir()) == [folder / "casa.toml"]
    assert (folder / "casa.toml").read_bytes() == MINIMAL_FILE


def test_full_pad_accepts_changes_but_no_new_rules(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The pad may have one set of house rules, and has it.
    monkeypatch.setattr(views, "MOST_RULES", 1)
    owner = make_admin(visit())
    upload_rules(owner, MINIMAL_FILE)

    refused = save_new_rules(owner, "Altra", status=422)
    changed = change_rules(owner, "casa", dealt="13")

    # "There are 1 house rules already"
    assert "Ci sono già 1 regole di casa" in refused.errors[0]
    assert changed.url == "/nostre-regole/casa"


def test_device_may_save_a_limited_number_of_rules(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "MOST_OF_DEVICE", 2)
    save_new_rules(client, "Prima")
    save_new_rules(client, "Seconda")

    refused = save_new_rules(client, "Terza", status=422, dealt="13")

    # "From this phone you have saved 2 rules already"
    assert "Da questo telefono hai già salvato 2 regole" in refused.errors[0]
    assert values_of_form(refused)["dealt"] == "13"


def test_guests_together_may_save_a_limited_number_of_rules(
    visit: Visit, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Two guests save the two sets of rules that guests may have together.
    monkeypatch.setattr(views, "MOST_OF_GUESTS", 2)
    guest = visit()
    save_new_rules(guest, "Straniera")
    save_new_rules(visit(), "Di un altro")

    # A third guest is refused, with the message that guests "have saved 2 rules in all already".
    # The administrator, who is no guest, is not.
    guests_are_full = "hanno già salvato 2 regole in tutto"
    refused = upload_rules(visit(), MINIMAL_FILE, status=422)
    assert guests_are_full in refused.errors[0]
    assert len(list(folder.iterdir())) == 2
    assert save_new_rules(make_admin(visit())).url == SAVED_RULES

    # It is the same after the server was restarted and has read the folder again.
    offer_own_variants(folder.parent)
    refused = save_new_rules(visit(), "Altra ancora", status=422)
    assert guests_are_full in refused.errors[0]

    # One removed makes room for another.
    guest.submit("/nostre-regole/straniera", "Elimina «Straniera»")
    saved = save_new_rules(guest, "Straniera nuova")
    assert saved.url == "/nostre-regole/straniera-nuova"


@pytest.mark.parametrize("path", ["/partite/nuova", "/nostre-regole/"])
def test_rules_of_other_guests_are_folded_but_can_be_played(
    client: Client, visit: Visit, begin: Begin, path: str
) -> None:
    # The administrator, another guest and this guest ("mine") save rules.
    save_new_rules(make_admin(visit()), "Del padrone")
    save_new_rules(visit(), "Di un ospite")
    save_new_rules(client, "Mie")

    page = client.get(path)

    # All can be chosen. Only those of the other guest are behind a fold.
    every_name = page.texts("span", class_="variant-name")
    assert names_of_other_guests_rules(page) == ["Di un ospite"]
    assert "Del padrone" in every_name
    assert "Mie" in every_name
    assert begin("di-un-ospite").state.rules.variant == "di-un-ospite"


def names_of_other_guests_rules(page: Page) -> list[str]:
    """Return the names of rules in the fold "rules saved by other guests"."""
    names = []
    for fold in page.all("details", class_="fold"):
        if "salvate da" in fold.texts("summary")[0]:
            names += fold.texts("span", class_="variant-name")
    return names


# ---------------------------------------------------------------- figures that hang together


def test_mixed_canasta_follows_the_wild_card_limit(client: Client, folder: Path) -> None:
    # Jokers and twos are wild cards. Nobody types how many of them a mixed canasta may have: it is
    # at least one, and at most as many as in any meld.
    page = save_new_rules(client, wild_limit="4")
    assert stored_settings(folder) == {"wild-limit": 4}
    assert wilds_of_mixed_canasta() == [1, 4]

    # The page says of this value that it follows from "Wild cards, at most".
    assert shown_differences(page)["Premi delle canaste di casa"] == (
        # mixed canastas with at most 4 wild cards, usually 3
        "canaste miste con 4 matte al massimo | Di solito: canaste miste con 3 matte al massimo | "
        "segue: Matte, al massimo"
    )

    # It still follows when the canasta has got points of its own, and is in the file.
    change_rules(client, wild_limit="2", **{"canastas.mixed-canasta": "350"})
    assert wilds_of_mixed_canasta() == [1, 2]

    change_rules(client, wild_limit="5")
    assert wilds_of_mixed_canasta() == [1, 5]


def wilds_of_mixed_canasta() -> list[int]:
    """Return the least and the most wild cards of a mixed canasta, in "Canasta di casa"."""
    _natural, mixed = setting_of("canasta-di-casa", "canastas")
    return mixed["wilds"]


def test_no_wild_cards_means_no_mixed_canasta(client: Client, folder: Path) -> None:
    # A mixed canasta has wild cards. Where none are allowed there is only the natural one.
    save_new_rules(client, wild_limit="0")
    (only_kind,) = setting_of("canasta-di-casa", "canastas")
    assert only_kind["item"] == "natural-canasta"

    # With the usual limit of three everything is as usual.
    change_rules(client, wild_limit="3")
    assert stored_settings(folder) == {}


def test_lower_concealed_out_bonus_must_be_confirmed(client: Client, folder: Path) -> None:
    # Going out concealed means that a side lays its first cards and its last in the same turn. It
    # is worth 200, twice the usual going out. If that gets 300, somebody has to confirm the 200.
    refused = save_new_rules(client, status=422, out_bonus="300")
    assert refused.errors == [
        # The bonus for going out was changed: so going out concealed would be worth less than that.
        "Hai cambiato: Premio di chiusura. Così la chiusura in mano varrebbe meno di quella normale."
        " Scrivi anche: Premio di chiusura in mano."
    ]

    # Typed by somebody, the 200 are accepted.
    client.submit(refused, SAVE, concealed_out_bonus="200")
    assert stored_settings(folder) == {"out-bonus": 300, "concealed-out-bonus": 200}


@pytest.mark.parametrize(("typed", "error"), TABLES["misfits"])
def test_inconsistent_figures_are_refused(
    client: Client, folder: Path, typed: dict[str, str], error: str
) -> None:
    # An example from `house_rules.toml`: {"decks": "1", "dealt": "14"}, 14 cards are dealt to each
    # player of one deck. "The cards do not suffice" ("le carte non bastano").
    refused = save_new_rules(client, status=422, **typed)
    assert error in "\n".join(refused.errors)

    # No rules were saved: the first ones would have made the folder.
    assert not folder.exists()
