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

OWN = Path(__file__).parents[1] / "rules" / "own"
TABLES = read_tables("house_rules")
NEW, SAVED = "/nostre-regole/nuove", "/nostre-regole/canasta-di-casa"
SAVE = "Salva le regole"
REMOVE = "Elimina «Canasta di casa»"
DUE = b"id = 'casa'\nextends = 'due'\n"
NATURAL_CANASTA = "canastas.natural-canasta"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    """The folder of the house rules of guests, which the first of them makes."""
    offer_own_variants(tmp_path / "house")
    yield tmp_path / "house" / "guests"
    offer_own_variants(None)


def save_new_rules(
    client: Client, name: str = "Canasta di casa", status: int = 200, **typed: str
) -> Page:
    """Save new house rules of this name."""
    return client.submit(NEW, SAVE, status, name=name, **typed)


def change_rules(
    client: Client, rules: str = "canasta-di-casa", status: int = 200, **typed: str
) -> Page:
    """Save the form of house rules that are there, with these fields changed."""
    return client.submit(f"/nostre-regole/{rules}/cambia", SAVE, status, **typed)


def upload_rules(
    client: Client, content: bytes, status: int = 200, name: str = "casa.toml"
) -> Page:
    """Upload a file of house rules."""
    page = client.get("/nostre-regole/")
    return client.upload(page, "Carica queste regole", content, status, name)


def values_of_form(page: Page) -> dict[str, str]:
    """What stands in the form of house rules."""
    return page.form_values(SAVE)


def shown_differences(page: Page) -> dict[str, str]:
    """The table of what differs from the usual rules: each rule with what is played and, after a
    bar, what is usual.
    """
    found = {}
    for row in page.one("dl", class_="differences").all("div"):
        if row.all("dt"):
            found[row.one("dt").text] = " | ".join(row.texts("dd"))
    return found


def stored_rules(folder: Path, name: str = "canasta-di-casa") -> dict[str, Any]:
    """What the file of house rules says."""
    return tomllib.loads((folder / f"{name}.toml").read_text("utf-8"))


def stored_settings(folder: Path) -> dict[str, object]:
    """The settings that the file gives."""
    given = stored_rules(folder).get("settings", {})
    return {key: setting["value"] for key, setting in given.items()}


def setting_of(rules: str, key: str) -> Any:
    """The value of a setting of house rules, in force."""
    return get_variant(rules).settings[key].value


def hand_with_natural_canasta(**ours: Any) -> dict[str, Any]:
    """A hand in which our side lays a natural canasta and 245 points of cards."""
    return hand(side(245, 0, natural=1, **ours), side())


def with_every_match(client: Client) -> Client:
    """A client with access to all matches."""
    client.raw.set_cookie("scorepad_admin", admin_cookie())
    return client


# ---------------------------------------------------------------- made on the page


def test_rules_are_made_shown_with_what_differs_played_and_scored(
    client: Client, begin: Begin, folder: Path
) -> None:
    typed = {
        NATURAL_CANASTA: "700",
        "special": "Tredici carte.",
        "dealt": "13",
        "drawn": "2",
        "bonus-0": "Taglio giusto",
        "bonus-0-points": "100",
        "penalties.draw-out-of-turn": "200",
    }

    page = save_new_rules(client, **typed)

    assert page.url == SAVED
    assert page.notices == [
        "Regole «Canasta di casa» salvate. Si possono scegliere a ogni nuova partita."
    ]
    assert shown_differences(page) == {
        "Carte distribuite di casa": "13 | Di solito: 11",
        "Carte pescate di casa": "2 | Di solito: 1",
        "Premi delle canaste di casa": (
            "canaste naturali 700, canaste miste 300"
            " | Di solito: canaste naturali 500, canaste miste 300"
        ),
        "Taglio giusto di casa": "+100",
        "Pescata fuori turno di casa": "−200 | Di solito: −100",
    }
    settings_in_file = stored_rules(folder)["settings"]
    assert settings_in_file["dealt"] == {"value": 13, "standing": "house"}
    assert sorted(settings_in_file) == ["canastas", "dealt", "drawn"]

    player = begin("canasta-di-casa")
    ours = side(245, 0, natural=1, bonuses=["taglio-giusto"])
    theirs = side(0, 20, penalties=["draw-out-of-turn"])
    player.play(hand(ours, theirs))

    # A natural canasta of the house 700, cards 245, the cut 100; cards left 20, the penalty of the
    # house 200.
    assert player.points == [[1045, -220]]


@pytest.mark.quick(4)
@pytest.mark.parametrize("variant", package_ids())
def test_of_every_variant_a_name_alone_changes_nothing(
    client: Client, folder: Path, variant: str
) -> None:
    page = client.submit(f"{NEW}?da={variant}", SAVE, name="Canasta di casa")

    assert shown_differences(page) == {}
    parent = get_variant(variant)
    file = stored_rules(folder)
    assert sorted(file) == ["extends", "id", "takes-options", "words"]
    assert file["extends"] == variant
    assert sorted(file["takes-options"]) == sorted(parent.options)
    for key, setting in parent.settings.items():
        assert setting_of("canasta-di-casa", key) == setting.value
    new_match = client.get("/partite/nuova?variante=canasta-di-casa")
    assert new_match.title.startswith("Nuova partita")


def test_every_figure_out_of_its_limits_is_told_and_nothing_typed_is_lost(
    client: Client, folder: Path
) -> None:
    typed = {
        "canastas.mixed-canasta": "302",
        "opening-steps.1500": "",
        "dealt": "99",
        "out-bonus": "-5",
        "bonus-0": "Taglio",
        "hands": "0",
    }
    refused = save_new_rules(client, "", status=422, **typed)

    assert refused.errors == [
        "Scrivi un nome, per esempio «Canasta del circolo».",
        "Numero di smazzate: scrivi un numero da 1 a 99.",
        "Canaste miste: scrivi un numero da 0 a 5.000, multiplo di 5.",
        "Premio di chiusura: scrivi un numero da 0 a 5.000, multiplo di 5.",
        "Apertura da 1.500 punti in su: scrivi un numero da 0 a 1.000, multiplo di 5.",
        "Carte distribuite: scrivi un numero da 3 a 26.",
        "Un premio ha un nome e i punti: scrivili tutti e due, o nessuno.",
    ]
    assert typed.items() <= values_of_form(refused).items()
    assert not folder.exists()


def test_without_a_target_something_else_must_end_the_match(client: Client) -> None:
    refused = save_new_rules(client, "Senza fine", status=422, target="")
    assert refused.errors == [
        "Senza traguardo serve un numero di smazzate o di minuti che chiuda la partita."
    ]

    page = client.submit(refused, SAVE, target="", minutes="50")
    assert shown_differences(page)["Minuti di gioco di casa"] == "50"
    assert "target" not in get_variant("senza-fine").options


def test_a_number_of_hands_written_into_the_settings_ends_a_match_without_a_target(
    client: Client,
) -> None:
    upload_rules(client, TABLES["four hands without a target"].encode())

    page = change_rules(client, "casa", name="Casa", dealt="12")

    assert shown_differences(page)["Carte distribuite di casa"] == "12 | Di solito: 11"
    assert setting_of("casa", "match-deals") == 4


def test_more_decks_ask_for_the_values_of_their_red_threes(client: Client, folder: Path) -> None:
    refused = save_new_rules(client, status=422, decks="3", dealt="13")
    assert refused.errors == [
        "5 tre rossi insieme: scrivi un numero da 0 a 9.000, multiplo di 5.",
        "6 tre rossi insieme: scrivi un numero da 0 a 9.000, multiplo di 5.",
        "Hai cambiato: Mazzi. Così i mazzi hanno più 3 rossi di quanti hanno un valore. Scrivi anche: Onori.",
    ]
    typed = {"decks": "3", "red-three-values.4": "800", "red-three-values.5": ""}
    assert typed.items() <= values_of_form(refused).items()
    assert not folder.exists()

    more = {"red-three-values.5": "850", "red-three-values.6": "1.200"}
    client.submit(refused, SAVE, **more)
    assert stored_settings(folder)["red-three-values"] == [100, 200, 300, 800, 850, 1200]


def test_an_option_that_the_house_decides_is_no_choice_of_its_matches(
    client: Client, folder: Path
) -> None:
    page = save_new_rules(client, option_wild_limit="not-more-than-naturals")
    assert "wild-limit" not in stored_rules(folder)["takes-options"]
    assert stored_settings(folder) == {"wild-ratio": "not-more-than-naturals"}

    form = client.get(f"{page.url}/cambia")
    choices = {"name": "option-wild-limit", "type": "radio"}
    assert form.one("input", **choices, checked="")["value"] == "not-more-than-naturals"

    client.submit(form, SAVE, option_wild_limit="three")  # as usual
    assert sorted(stored_rules(folder)) == ["extends", "id", "takes-options", "words"]


def test_a_figure_and_an_option_that_contradict_each_other_are_told(client: Client) -> None:
    """The option decides that an opening takes 90 from 1,500 points on."""
    typed = {"option-opening-steps": "no-fifteen", "opening-steps.1500": "100"}
    refused = save_new_rules(client, "Casa", status=422, **typed)
    (error,) = refused.errors
    assert error.startswith("Apertura da 1.500 punti in su è già decisa da «")

    # The figures that nobody touched give way to the option.
    client.submit(refused, SAVE, **{"opening-steps.1500": "90"})
    chosen = get_variant("classica").options["opening-steps"].value_of("no-fifteen")
    assert chosen is not None
    assert setting_of("casa", "opening-steps") == chosen.sets["opening-steps"]


def test_penalties_of_ones_own_are_made_scored_and_kept(
    client: Client, begin: Begin, folder: Path
) -> None:
    page = save_new_rules(client, penalty_0="Parlare", penalty_0_points="50")
    assert shown_differences(page) == {"Parlare di casa": "−50"}

    change_rules(client, penalty_0="Parlare troppo")
    assert stored_rules(folder)["penalties"] == {
        "parlare": {"points": 50, "standing": "house", "words": {"it": "Parlare troppo"}}
    }

    player = begin("canasta-di-casa")
    page = player.play(hand_with_natural_canasta(penalties=["parlare"]))
    assert "Parlare troppo" in page.text
    # 500 for the natural canasta, 245 of cards, and the penalty.
    assert player.points == [[500 + 245 - 50, 0]]


@pytest.mark.parametrize("half", [{"penalty_0": "Spiare"}, {"penalty_0_points": "50"}])
def test_a_penalty_needs_a_name_and_points(client: Client, half: dict[str, str]) -> None:
    refused = save_new_rules(client, status=422, **half)
    assert refused.errors == ["Una penalità ha un nome e i punti: scrivili tutti e due, o nessuno."]


def test_a_bonus_has_its_place_in_the_rulebook_and_the_links_of_a_match_lead_there(
    client: Client, begin: Begin
) -> None:
    saved = save_new_rules(client, dealt="13", bonus_0="Taglio giusto", bonus_0_points="100")
    bonus_url = "/regole/canasta-di-casa#premio-taglio-giusto"

    rulebook = client.get(bonus_url)
    assert rulebook.one(id="premio-taglio-giusto").one("h3").text == "Taglio giusto di casa"
    assert "13" in rulebook.one("dl", class_="changed").text

    player = begin("canasta-di-casa")
    match_page = player.play(hand_with_natural_canasta(bonuses=["taglio-giusto"]))
    assert bonus_url in match_page.answer.text

    change_rules(client, dealt="15")
    assert bonus_url not in player.page().answer.text, "the match goes by other rules"

    change_rules(client, dealt="13")
    assert bonus_url in player.page().answer.text

    client.submit(saved.url, REMOVE)
    assert bonus_url not in player.page().answer.text


@pytest.mark.parametrize("name", ["Nuove", "File", "Cerca", "Check"])
def test_rules_called_as_an_address_have_a_page_all_the_same(client: Client, name: str) -> None:
    page = save_new_rules(client, name)
    assert page.heading == name
    assert name in client.get(f"/regole/{page.url.rpartition('/')[2]}").text


@pytest.mark.long
def test_the_search_knows_house_rules_as_long_as_they_are_there(client: Client) -> None:
    search = "/regole/cerca?testo=carte+distribuite&gioco=canasta-di-casa"
    found = "/regole/canasta-di-casa"
    assert found not in client.get(search).answer.text

    saved = save_new_rules(client, dealt="13")
    assert found in client.get(search).answer.text

    client.submit(saved.url, REMOVE)
    assert found not in client.get(search).answer.text


# ---------------------------------------------------------------- files written by hand


def test_a_save_that_changes_nothing_leaves_a_file_written_by_hand_as_it_was(
    client: Client, folder: Path
) -> None:
    written_by_hand = TABLES["penalties and a bonus"]
    upload_rules(client, written_by_hand.encode())

    change_rules(client, "casa")
    assert stored_rules(folder, "casa") == tomllib.loads(written_by_hand) | {"takes-options": []}

    change_rules(client, "casa", penalty_0_points="100")
    assert stored_rules(folder, "casa")["penalties"]["talking"] == {
        "points": 100,
        "standing": "house",
        "words": {"it": "Parlare al tavolo"},
    }


def test_a_file_written_by_hand_keeps_its_words_and_comments(client: Client, folder: Path) -> None:
    rules = (OWN / "quattro-canaste.toml").read_text("utf-8")
    with_comment = rules.replace("[words.it]", "# del circolo\n[words.it]")
    upload_rules(client, with_comment.encode())

    change_rules(client, "quattro-canaste", **{"canastas.all-sevens": "2000"})

    file = stored_rules(folder, "quattro-canaste")
    canasta = file["settings"]["canastas"]["value"][0]
    assert canasta["points"] == 2000
    assert canasta["words"] == {"it": "Canasta di sette", "en": "Canasta of sevens"}
    assert file["words"]["en"]["name"] == "Four canastas"
    assert "# del circolo" in (folder / "quattro-canaste.toml").read_text("utf-8")


def test_a_file_whose_tables_stand_apart_can_be_changed(client: Client, folder: Path) -> None:
    upload_rules(client, TABLES["tables that stand apart"].encode())

    change_rules(client, "casa", bonus_1_points="50")

    file = stored_rules(folder, "casa")
    assert file["words"] == {"it": {"name": "Casa"}, "en": {"name": "Home"}}
    assert file["bonuses"]["cut"]["points"] == 100
    assert file["bonuses"]["luck"]["points"] == 50


@pytest.mark.quick(2)
@pytest.mark.parametrize("file", sorted(OWN.glob("*.toml")), ids=lambda file: file.stem)
def test_a_file_is_taken_over_downloaded_and_taken_by_another_pad(
    client: Client, folder: Path, file: Path, tmp_path: Path
) -> None:
    page = upload_rules(client, file.read_bytes())
    assert page.url == f"/nostre-regole/{file.stem}"

    download = client.raw.get(page.links()["Scarica il file"])
    assert download.data == file.read_bytes()
    assert f"{file.stem}.toml" in download.headers["Content-Disposition"]

    change_rules(client, file.stem)  # unchanged, it is the same variant
    uploaded = tomllib.loads(file.read_text("utf-8"))
    uploaded.pop("takes-options", None)
    assert uploaded.items() <= stored_rules(folder, file.stem).items()

    offer_own_variants(tmp_path / "other")
    assert upload_rules(client, download.data).url == page.url


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("casa", b"", "Scegli un file."),
        ("casa", b"x" * 32_769, "Il file è troppo grande per essere di regole: al massimo 32 kB."),
        ("casa", b"\xff\xfe", "il file non si legge"),
        ("casa", DUE + b"[settings.delt]\nvalue = 13\nstanding = 'house'", "riga 3"),
        ("casa", b"id = 'classica'\nextends = 'samba'", "classica"),
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
def test_a_file_that_cannot_be_used_is_told_and_not_kept(
    client: Client, folder: Path, name: str, content: bytes, error: str
) -> None:
    refused = upload_rules(client, content, status=422, name=f"{name}.toml")
    assert error in refused.errors[0]
    assert list(folder.glob("*")) == []


def test_a_file_that_takes_too_much_to_read_is_refused_with_a_sentence(
    client: Client, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limited, "SECONDS", 0.01)
    refused = upload_rules(client, DUE, status=422)
    assert "troppo tempo o troppa memoria" in refused.errors[0]
    assert not folder.exists()


def test_one_bonus_more_than_a_file_may_hold_is_told_and_nothing_typed_is_lost(
    client: Client, folder: Path
) -> None:
    bonus = "[bonuses.b{0}]\npoints = 5\nstanding = 'house'\nwords.it = 'Premio {0}'\n"
    forty_bonuses = "".join(bonus.format(number) for number in range(40))
    full_file = DUE + forty_bonuses.encode()
    upload_rules(client, full_file)

    one_more = {"bonus_40": "Uno di troppo", "bonus_40_points": "5"}
    refused = change_rules(client, "casa", status=422, **one_more)

    assert "qui ce ne stanno al massimo 40, e ce ne sono 41" in refused.errors[0]
    assert values_of_form(refused)["bonus-40"] == "Uno di troppo"
    assert (folder / "casa.toml").read_bytes() == full_file


def test_broken_files_in_the_folder_are_named_on_the_page(client: Client, folder: Path) -> None:
    folder.mkdir(parents=True)
    broken = "id = 'rotto'\nextends = 'due'\n[settings.dealt]\nvalu = 1\n"
    (folder / "rotto.toml").write_text(broken)
    offer_own_variants(folder.parent)

    page = client.get("/nostre-regole/")

    assert "Un file non si può usare" in page.text
    assert re.search(r"rotto\.toml.*riga 4", page.text)


def test_a_folder_that_cannot_be_written_is_told_and_what_was_typed_stays(
    client: Client, folder: Path
) -> None:
    folder.parent.mkdir()
    folder.write_text("no folder")

    page = save_new_rules(client, status=503, dealt="13")

    assert page.errors[0].startswith("Le regole non sono state salvate: ")
    assert values_of_form(page)["dealt"] == "13"


# ---------------------------------------------------------------- languages


def test_where_one_language_lacks_a_name_or_a_sentence_the_other_stands_in(
    client: Client, visit: Visit
) -> None:
    words_of_file = b"words.it = { name = 'Casa', special = 'In due' }\nwords.en.name = 'Home'"
    upload_rules(client, DUE + words_of_file)

    link = visit("en").get("/regole").one("a", href="/regole/casa")

    assert link.text.startswith("Home")
    assert "In due" in link.text, "there is no English sentence"


def test_a_save_in_one_language_copies_no_words_of_the_other(visit: Visit, folder: Path) -> None:
    upload_rules(visit(), TABLES["a bonus"].encode())
    client = with_every_match(visit("en"))
    page = client.get("/nostre-regole/casa/cambia")

    client.submit(page, "Save the rules", dealt="13", bonus_0_points="200")
    file = stored_rules(folder, "casa")
    assert file["words"] == {"it": {"name": "casa"}}
    assert file["bonuses"]["cut"]["words"] == {"it": "Taglio"}

    saved = client.submit(page, "Save the rules", name="Home", dealt="13", bonus_0="Cut")
    assert shown_differences(saved)["Cards dealt house rule"] == "13 | Usually: 11"
    file = stored_rules(folder, "casa")
    assert file["words"] == {"it": {"name": "casa"}, "en": {"name": "Home"}}
    assert file["bonuses"]["cut"]["words"] == {"it": "Taglio", "en": "Cut"}


# ---------------------------------------------------------------- who may


def test_a_name_that_another_file_has_is_not_overwritten(client: Client, folder: Path) -> None:
    save_new_rules(client, "Canasta di casa")

    same_id = b"id = 'canasta-di-casa'\nextends = 'samba'\n"
    refused = upload_rules(client, same_id, status=422)
    assert "le regole «canasta-di-casa» ci sono già" in refused.errors[0]
    assert stored_rules(folder)["extends"] == "classica"

    refused = save_new_rules(client, "canasta di Casa", status=422, dealt="15")
    assert refused.errors == ["«canasta di Casa» è già il nome di altre regole. Scegline un altro."]

    client.submit(refused, SAVE, name="Canasta di casa!")
    assert stored_rules(folder, "canasta-di-casa-2")["settings"]["dealt"]["value"] == 15


def test_only_who_saved_rules_or_has_every_match_changes_and_removes_them(
    client: Client, visit: Visit, folder: Path
) -> None:
    url = save_new_rules(client, dealt="13").url
    other = visit()

    assert "Cambia le cifre" not in other.get(url).links()
    other.get(f"{url}/cambia", status=403)
    page = other.get("/nostre-regole/")
    form = page.form_values("Carica queste regole")
    other.post(f"{url}/elimina", form, status=403)

    with_every_match(other)
    removed = other.submit(url, REMOVE)
    assert removed.notices == ["«Canasta di casa» è eliminato."]
    assert list(folder.iterdir()) == []
    client.get(url, status=404)


@pytest.mark.parametrize("wrong", [{"csrf_token": "x"}, {"csrf_token": ""}, {"request_id": ""}])
def test_nothing_is_saved_or_removed_without_the_token_and_the_name_of_the_submission(
    client: Client, folder: Path, wrong: dict[str, str]
) -> None:
    upload_rules(client, DUE)
    form = {**values_of_form(client.get(NEW)), "name": "Altre", **wrong}

    for path in ("/nuove", "/casa/cambia", "/casa/elimina", "/file"):
        answer = client.raw.post(f"/nostre-regole{path}", data=form)
        assert answer.status_code == 422, path

    assert list(folder.iterdir()) == [folder / "casa.toml"]
    assert (folder / "casa.toml").read_bytes() == DUE


def test_a_full_pad_takes_no_more_house_rules_but_changes_those_it_has(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "MOST_RULES", 1)
    owner = with_every_match(visit())
    upload_rules(owner, DUE)

    refused = save_new_rules(owner, "Altra", status=422)
    changed = change_rules(owner, "casa", dealt="13")

    assert "Ci sono già 1 regole di casa" in refused.errors[0]
    assert changed.url == "/nostre-regole/casa"


def test_strangers_store_few_house_rules_and_none_in_the_way_of_the_owner(
    visit: Visit, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "MOST_OF_DEVICE", 2)
    monkeypatch.setattr(views, "MOST_OF_GUESTS", 3)
    guests_are_full = "hanno già salvato 3 regole in tutto"
    stranger = visit()
    save_new_rules(stranger, "Straniera")
    save_new_rules(stranger, "Altra straniera")

    third_of_device = save_new_rules(stranger, "Una di troppo", status=422, dealt="13")
    assert "Da questo telefono hai già salvato 2 regole" in third_of_device.errors[0]
    assert values_of_form(third_of_device)["dealt"] == "13"

    # A new session is a new device, but the guests have a limit together.
    save_new_rules(visit(), "Di un altro")
    fourth_of_guests = upload_rules(visit(), DUE, status=422)
    assert guests_are_full in fourth_of_guests.errors[0]
    assert len(list(folder.iterdir())) == 3
    assert save_new_rules(with_every_match(visit())).url == SAVED

    offer_own_variants(folder.parent)  # as after a restart
    refused = save_new_rules(visit(), "Altra ancora", status=422)
    assert guests_are_full in refused.errors[0]

    stranger.submit("/nostre-regole/straniera", "Elimina «Straniera»")
    saved = save_new_rules(stranger, "Straniera nuova")
    assert saved.url == "/nostre-regole/straniera-nuova"


@pytest.mark.parametrize("path", ["/partite/nuova", "/nostre-regole/"])
def test_the_rules_of_other_guests_are_folded_and_may_be_played(
    client: Client, visit: Visit, begin: Begin, path: str
) -> None:
    save_new_rules(with_every_match(visit()), "Del padrone")
    save_new_rules(visit(), "Di un ospite")
    save_new_rules(client, "Mie")

    page = client.get(path)

    folded_names = []
    for fold in page.all("details", class_="fold"):
        if "salvate da" in fold.texts("summary")[0]:
            folded_names += fold.texts("span", class_="variant-name")
    every_name = page.texts("span", class_="variant-name")
    assert folded_names == ["Di un ospite"]
    assert "Del padrone" in every_name
    assert "Mie" in every_name
    assert begin("di-un-ospite").state.rules.variant == "di-un-ospite"


# ---------------------------------------------------------------- figures that hang together


def test_the_mixed_canasta_follows_the_limit_of_wild_cards_and_the_page_says_so(
    client: Client, folder: Path
) -> None:
    """How many wild cards a mixed canasta may have is nowhere typed: at most as many as any meld."""

    def wilds_of_mixed_canasta() -> list[int]:
        """The least and the most."""
        _, mixed_canasta = setting_of("canasta-di-casa", "canastas")
        return mixed_canasta["wilds"]

    page = save_new_rules(client, wild_limit="4")
    assert stored_settings(folder) == {"wild-limit": 4}
    assert wilds_of_mixed_canasta() == [1, 4]
    assert shown_differences(page)["Premi delle canaste di casa"] == (
        "canaste miste con 4 matte al massimo | Di solito: canaste miste con 3 matte al massimo | "
        "segue: Matte, al massimo"
    )

    change_rules(client, wild_limit="2", **{"canastas.mixed-canasta": "350"})
    assert wilds_of_mixed_canasta() == [1, 2]

    change_rules(client, wild_limit="5")
    assert wilds_of_mixed_canasta() == [1, 5]


def test_without_wild_cards_there_is_no_mixed_canasta_until_the_limit_comes_back(
    client: Client, folder: Path
) -> None:
    save_new_rules(client, wild_limit="0")
    (only_kind,) = setting_of("canasta-di-casa", "canastas")
    assert only_kind["item"] == "natural-canasta"

    change_rules(client, wild_limit="3")
    assert stored_settings(folder) == {}


def test_a_concealed_going_out_worth_less_is_asked_for_and_kept_if_that_is_meant(
    client: Client, folder: Path
) -> None:
    refused = save_new_rules(client, status=422, out_bonus="300")
    assert refused.errors == [
        "Hai cambiato: Premio di chiusura. Così la chiusura in mano varrebbe meno di quella normale."
        " Scrivi anche: Premio di chiusura in mano."
    ]

    client.submit(refused, SAVE, concealed_out_bonus="200")
    assert stored_settings(folder) == {"out-bonus": 300, "concealed-out-bonus": 200}


@pytest.mark.parametrize(("typed", "error"), TABLES["misfits"])
def test_figures_that_do_not_fit_are_refused(
    client: Client, folder: Path, typed: dict[str, str], error: str
) -> None:
    refused = save_new_rules(client, status=422, **typed)
    assert error in "\n".join(refused.errors)
    assert not folder.exists()
