"""House rules made, changed, taken over and removed on the pages, and what follows a figure."""

from __future__ import annotations

import io
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scorepad import limited
from scorepad.rules.loader import MOST_ENTRIES
from scorepad.rules.variants import get_variant, offer_own_variants, package_ids
from scorepad.web.own_rules import views
from tests.cookies import admin_cookie
from tests.web.client import Client, Page, Visit
from tests.web.player import Begin
from tests.web.playing import hand, side
from tests.web.tables import read_tables

OWN = Path(__file__).parents[1] / "rules" / "own"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    """The folder of the house rules of guests, which the first of them makes."""
    offer_own_variants(tmp_path / "house")
    yield tmp_path / "house" / "guests"
    offer_own_variants(None)


NEW, SAVED = "/nostre-regole/nuove", "/nostre-regole/canasta-di-casa"


def make(client: Client, name: str = "Canasta di casa", status: int = 200, **typed: str) -> Page:
    """House rules saved through the form; `canastas__natural_canasta` is the field
    `canastas.natural-canasta`.
    """
    return save(client, client.get(NEW), status, name=name, **typed)


def change(client: Client, rules: str = "canasta-di-casa", status: int = 200, **typed: str) -> Page:
    return save(client, client.get(f"/nostre-regole/{rules}/cambia"), status, **typed)


def save(client: Client, page: Page, status: int = 200, **typed: str) -> Page:
    sent = shown(page)
    for key, value in typed.items():
        field = key.replace("__", ".").replace("_", "-")
        assert field in sent, f"no field {field}: {list(sent)}"
        sent[field] = value
    return client.post(page.url, sent, status)


def of(folder: Path, name: str = "canasta-di-casa") -> dict[str, Any]:
    """What the file of house rules says."""
    return tomllib.loads((folder / f"{name}.toml").read_text("utf-8"))


def settings_in(folder: Path) -> dict[str, object]:
    """The settings that the file gives."""
    return {key: each["value"] for key, each in of(folder).get("settings", {}).items()}


def value(key: str, rules: str = "canasta-di-casa") -> Any:
    """A setting of house rules, in force."""
    return get_variant(rules).settings[key].value


def held_red_three_costs() -> int | None:
    return get_variant("canasta-di-casa").penalties["red-three-not-exposed"].points


def played(**ours: Any) -> dict[str, Any]:
    """A hand in which our side lays a natural canasta and 245 points of cards."""
    return hand(side(245, 0, natural=1, **ours), side())


def at_home(client: Client) -> Client:
    """A client with access to all matches."""
    client.raw.set_cookie("scorepad_admin", admin_cookie())
    return client


def shown(page: Page) -> dict[str, str]:
    """What stands in the form of house rules."""
    return page.values(page.form("Salva le regole"))


def rows(page: Page) -> dict[str, str]:
    """The table of what differs: each rule with what is played and what is usual."""
    found = page.one("dl", class_="differences")
    return {
        row.one("dt").text: " | ".join(each.text for each in row.all("dd"))
        for row in found.all("div")
        if row.all("dt")
    }


def written_by_hand(kind: str) -> bytes:
    """A file of house rules as somebody wrote it."""
    text: str = read_tables("house_rules")[kind]
    return text.encode()


def send(client: Client, content: bytes, name: str = "casa.toml", status: int = 200) -> Page:
    page = client.get("/nostre-regole/")
    sent: dict[str, Any] = page.values(page.form("Carica queste regole")) | {
        "file": (io.BytesIO(content), name)
    }
    answer = client.raw.post("/nostre-regole/file", data=sent, content_type="multipart/form-data")
    if answer.status_code == 303:
        return client.get(answer.headers["Location"], status)
    return client._shown(answer, "/nostre-regole/", status)


def test_rules_are_made_shown_with_what_differs_played_and_scored(
    client: Client, begin: Begin, folder: Path
) -> None:
    page = make(
        client, special="Tredici carte.", dealt="13", drawn="2", canastas__natural_canasta="700",
        bonus_0="Taglio giusto", bonus_0_points="100", penalties__draw_out_of_turn="200",
    )  # fmt: skip
    assert page.url == SAVED
    assert page.notices == [
        "Regole «Canasta di casa» salvate. Si possono scegliere a ogni nuova partita."
    ]
    assert rows(page) == {
        "Carte distribuite di casa": "13 | Di solito: 11",
        "Carte pescate di casa": "2 | Di solito: 1",
        "Premi delle canaste di casa":
            "canaste naturali 700, canaste miste 300 | Di solito: canaste naturali 500, canaste miste 300",
        "Taglio giusto di casa": "+100",
        "Pescata fuori turno di casa": "−200 | Di solito: −100",
    }  # fmt: skip
    written = of(folder)["settings"]
    assert written["dealt"] == {"value": 13, "standing": "house"}
    assert set(written) == {"dealt", "drawn", "canastas"}
    player = begin("canasta-di-casa")
    ours = side(245, 0, natural=1, bonuses=["taglio-giusto"])
    player.play(hand(ours, side(0, 20, penalties=["draw-out-of-turn"])))
    # A natural canasta of the house 700, cards 245, the cut 100; cards left 20, the penalty of the
    # house 200.
    assert player.points == [[1045, -220]]


@pytest.mark.quick(4)
@pytest.mark.parametrize("variant", package_ids())
def test_of_every_variant_a_name_alone_changes_nothing(
    client: Client, folder: Path, variant: str
) -> None:
    page = save(client, client.get(f"{NEW}?da={variant}"), name="Canasta di casa")
    assert rows(page) == {}
    parent, written = get_variant(variant), of(folder)
    assert written.keys() == {"id", "extends", "takes-options", "words"}
    assert written["extends"] == variant
    assert set(written["takes-options"]) == set(parent.options)
    assert all(value(key) == setting.value for key, setting in parent.settings.items())
    assert client.get("/partite/nuova?variante=canasta-di-casa").title.startswith("Nuova partita")


def test_every_figure_out_of_its_limits_is_told_and_nothing_typed_is_lost(
    client: Client, folder: Path
) -> None:
    told = make(
        client, "", 422, dealt="99", canastas__mixed_canasta="302", out_bonus="-5",
        opening_steps__1500="", bonus_0="Taglio", hands="0",
    )  # fmt: skip
    assert told.errors == [
        "Scrivi un nome, per esempio «Canasta del circolo».",
        "Numero di smazzate: scrivi un numero da 1 a 99.",
        "Canaste miste: scrivi un numero da 0 a 5.000, multiplo di 5.",
        "Premio di chiusura: scrivi un numero da 0 a 5.000, multiplo di 5.",
        "Apertura da 1.500 punti in su: scrivi un numero da 0 a 1.000, multiplo di 5.",
        "Carte distribuite: scrivi un numero da 3 a 26.",
        "Un premio ha un nome e i punti: scrivili tutti e due, o nessuno.",
    ]
    assert {"dealt": "99", "bonus-0": "Taglio"}.items() <= shown(told).items()
    assert not folder.exists()


def test_without_a_target_something_else_must_end_the_match(client: Client) -> None:
    told = make(client, "Senza fine", 422, target="")
    assert told.errors == [
        "Senza traguardo serve un numero di smazzate o di minuti che chiuda la partita."
    ]
    done = save(client, told, target="", minutes="50")
    assert rows(done)["Minuti di gioco di casa"] == "50"
    assert "target" not in get_variant("senza-fine").options


def test_a_number_of_hands_written_into_the_settings_ends_a_match_without_a_target(
    client: Client,
) -> None:
    send(client, written_by_hand("four hands without a target"))
    page = change(client, "casa", name="Casa", dealt="12")
    assert rows(page)["Carte distribuite di casa"] == "12 | Di solito: 11"
    assert value("match-deals", "casa") == 4


def test_a_save_that_changes_nothing_leaves_a_file_written_by_hand_as_it_was(
    client: Client, folder: Path
) -> None:
    by_hand = written_by_hand("penalties and a bonus")
    send(client, by_hand)
    change(client, "casa")
    assert of(folder, "casa") == tomllib.loads(by_hand.decode()) | {"takes-options": []}
    change(client, "casa", penalty_0_points="100")
    assert of(folder, "casa")["penalties"]["talking"] == {
        "points": 100, "standing": "house", "words": {"it": "Parlare al tavolo"},
    }  # fmt: skip


def test_more_decks_ask_for_the_values_of_their_red_threes(client: Client, folder: Path) -> None:
    told = make(client, status=422, decks="3", dealt="13")
    assert told.errors == [
        "5 tre rossi insieme: scrivi un numero da 0 a 9.000, multiplo di 5.",
        "6 tre rossi insieme: scrivi un numero da 0 a 9.000, multiplo di 5.",
        "Hai cambiato: Mazzi. Così i mazzi hanno più 3 rossi di quanti hanno un valore. Scrivi anche: Onori.",
    ]
    typed = {"decks": "3", "red-three-values.4": "800", "red-three-values.5": ""}
    assert typed.items() <= shown(told).items()
    assert not folder.exists()
    save(client, told, red_three_values__5="850", red_three_values__6="1.200")
    assert settings_in(folder)["red-three-values"] == [100, 200, 300, 800, 850, 1200]


def test_an_option_that_the_house_decides_is_no_choice_of_its_matches(
    client: Client, folder: Path
) -> None:
    choice = client.get(NEW).all("input", name="option-wild-limit", type="radio")
    usual = next(each["value"] for each in choice if each.has("checked"))
    other = next(each["value"] for each in choice if not each.has("checked"))
    make(client, option_wild_limit=other)
    assert "wild-limit" not in of(folder)["takes-options"]
    assert set(settings_in(folder)) == {"wild-ratio"}
    again = client.get(f"{SAVED}/cambia")
    assert again.one("input", name="option-wild-limit", type="radio", value=other).has("checked")
    save(client, again, option_wild_limit=usual)
    assert of(folder).keys() == {"id", "extends", "takes-options", "words"}


def test_a_change_holds_for_new_matches_and_leaves_those_that_were_started(
    client: Client, begin: Begin
) -> None:
    make(client, canastas__natural_canasta="700")
    before = begin("canasta-di-casa")
    page = change(client, name="Canasta nuova", canastas__natural_canasta="900")
    assert page.one("h1").text == "Canasta nuova"
    after = begin("canasta-di-casa")
    for player in (before, after):
        player.play(played())
    assert [before.points, after.points] == [[[945, 0]], [[1145, 0]]]


def test_a_file_written_by_hand_keeps_its_words_and_comments(client: Client, folder: Path) -> None:
    given = (OWN / "quattro-canaste.toml").read_text("utf-8")
    send(client, given.replace("[words.it]", "# del circolo\n[words.it]").encode())
    change(client, "quattro-canaste", canastas__all_sevens="2000")
    written = of(folder, "quattro-canaste")
    assert written["settings"]["canastas"]["value"][0] == {
        "item": "all-sevens", "points": 2000, "shape": "group", "rank": "7", "wilds": [0, 0], "family": "sevens",
        "words": {"it": "Canasta di sette", "en": "Canasta of sevens"},
    }  # fmt: skip
    assert "# del circolo" in (folder / "quattro-canaste.toml").read_text("utf-8")
    assert written["words"]["en"]["name"] == "Four canastas"


@pytest.mark.quick(2)
@pytest.mark.parametrize("file", sorted(OWN.glob("*.toml")), ids=lambda file: file.stem)
def test_a_file_is_taken_over_downloaded_and_taken_by_another_pad(
    client: Client, folder: Path, file: Path, tmp_path: Path
) -> None:
    page = send(client, file.read_bytes())
    assert page.url == f"/nostre-regole/{file.stem}"
    answer = client.raw.get(page.links()["Scarica il file"])
    assert answer.data == file.read_bytes()
    assert f"{file.stem}.toml" in answer.headers["Content-Disposition"]
    change(client, file.stem)  # unchanged, it is the same variant
    given = tomllib.loads(file.read_text("utf-8"))
    given.pop("takes-options", None)
    assert given.items() <= of(folder, file.stem).items()
    offer_own_variants(tmp_path / "other")
    assert send(client, answer.data).url == page.url


DUE = b"id = 'casa'\nextends = 'due'\n"
NAMELESS = b"extends = 'due'"


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("casa", b"", "Scegli un file."),
        ("casa", b"x" * 32_769, "Il file è troppo grande per essere di regole: al massimo 32 kB."),
        ("casa", b"\xff\xfe", "il file non si legge"),
        ("casa", DUE + b"[settings.delt]\nvalue = 13\nstanding = 'house'", "riga 3"),
        ("casa", b"id = 'classica'\nextends = 'samba'", "classica"),
        ("a\0b", NAMELESS, "id"),
        ("../x", NAMELESS, "id"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_and_not_kept(
    client: Client, folder: Path, name: str, content: bytes, told: str
) -> None:
    assert told in send(client, content, f"{name}.toml", 422).errors[0]
    assert not folder.exists() or not list(folder.iterdir())


def test_a_name_that_another_file_has_is_not_overwritten(client: Client, folder: Path) -> None:
    make(client)
    other = b"id = 'canasta-di-casa'\nextends = 'samba'\n"
    assert "le regole «canasta-di-casa» ci sono già" in send(client, other, status=422).errors[0]
    assert of(folder)["extends"] == "classica"
    told = make(client, "canasta di Casa", 422, dealt="15")
    assert told.errors == ["«canasta di Casa» è già il nome di altre regole. Scegline un altro."]
    save(client, told, name="Canasta di casa!")
    assert of(folder, "canasta-di-casa-2")["settings"]["dealt"]["value"] == 15


def test_only_who_saved_rules_or_has_every_match_changes_and_removes_them(
    client: Client, visit: Visit, folder: Path
) -> None:
    url = make(client, dealt="13").url
    other = visit()
    assert "Cambia le cifre" not in other.get(url).links()
    other.get(f"{url}/cambia", 403)
    form = other.get("/nostre-regole/")
    other.post(f"{url}/elimina", form.values(form.form("Carica queste regole")), 403)
    gone = other.submit(at_home(other).get(url), "Elimina «Canasta di casa»")
    assert gone.notices == ["«Canasta di casa» è eliminato."]
    assert not list(folder.iterdir())
    client.get(url, 404)


def test_broken_files_in_the_folder_are_named_on_the_page(client: Client, folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "rotto.toml").write_text(
        "id = 'rotto'\nextends = 'due'\n[settings.dealt]\nvalu = 1\n"
    )
    offer_own_variants(folder.parent)
    page = client.get("/nostre-regole/")
    assert "Un file non si può usare" in page.text
    assert re.search(r"rotto\.toml.*riga 4", page.text)


def test_a_folder_that_cannot_be_written_is_told_and_what_was_typed_stays(
    client: Client, folder: Path
) -> None:
    folder.parent.mkdir()
    folder.write_text("no folder")
    page = make(client, status=503, dealt="13")
    assert page.errors[0].startswith("Le regole non sono state salvate: ")
    assert shown(page)["dealt"] == "13"


def test_the_pages_are_english_in_english(visit: Visit, folder: Path) -> None:
    client = visit("en")
    done = client.submit(client.get(NEW), "Save the rules", name="House canasta", dealt="13")
    assert rows(done) == {"Cards dealt house rule": "13 | Usually: 11"}
    assert of(folder, "house-canasta")["words"] == {"en": {"name": "House canasta"}}


def test_where_one_language_lacks_a_name_or_a_sentence_the_other_stands_in(
    client: Client, visit: Visit
) -> None:
    send(client, DUE + b"words.it = { name = 'Casa', special = 'In due' }\nwords.en.name = 'Home'")
    (told,) = [each.text for each in visit("en").get("/regole").all("a", href="/regole/casa")]
    assert told.startswith("Home")
    assert "In due" in told


@pytest.mark.parametrize("wrong", [{"csrf_token": "x"}, {"csrf_token": ""}, {"request_id": ""}])
def test_nothing_is_saved_or_removed_without_the_token_and_the_name_of_the_submission(
    client: Client, folder: Path, wrong: dict[str, str]
) -> None:
    send(client, DUE)
    page = client.get(NEW)
    sent = {**shown(page), "name": "Altre", **wrong}
    for path in ("/nuove", "/casa/cambia", "/casa/elimina", "/file"):
        assert client.raw.post(f"/nostre-regole{path}", data=sent).status_code == 422, path
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == {"casa.toml": DUE}


@pytest.mark.long
def test_the_search_knows_house_rules_as_long_as_they_are_there(client: Client) -> None:
    dealt = "/regole/cerca?testo=carte+distribuite&gioco=canasta-di-casa"
    assert "/regole/canasta-di-casa" not in client.get(dealt).answer.text
    url = make(client, dealt="13").url
    assert "/regole/canasta-di-casa" in client.get(dealt).answer.text
    client.submit(client.get(url), "Elimina «Canasta di casa»")
    assert "/regole/canasta-di-casa" not in client.get(dealt).answer.text


@pytest.mark.parametrize("name", ["Nuove", "File", "Cerca", "Check"])
def test_rules_called_as_an_address_have_a_page_all_the_same(client: Client, name: str) -> None:
    page = make(client, name)
    assert page.one("h1").text == name
    assert name in client.get(f"/regole/{page.url.rpartition('/')[2]}").text


def test_penalties_of_ones_own_are_made_scored_and_kept(
    client: Client, begin: Begin, folder: Path
) -> None:
    page = make(client, penalty_0="Parlare", penalty_0_points="50")
    assert rows(page) == {"Parlare di casa": "−50"}
    change(client, penalty_0="Parlare troppo")
    assert of(folder)["penalties"] == {
        "parlare": {"points": 50, "standing": "house", "words": {"it": "Parlare troppo"}},
    }  # fmt: skip
    player = begin("canasta-di-casa")
    assert "Parlare troppo" in player.play(played(penalties=["parlare"])).text
    assert player.points == [[500 + 245 - 50, 0]]
    half = ["Una penalità ha un nome e i punti: scrivili tutti e due, o nessuno."]
    assert change(client, status=422, penalty_1="Spiare").errors == half
    assert change(client, status=422, penalty_1_points="50").errors == half


def test_a_figure_and_an_option_that_contradict_each_other_are_told(client: Client) -> None:
    told = make(client, "Casa", 422, option_opening_steps="no-fifteen", opening_steps__1500="100")
    (error,) = told.errors
    assert error.startswith("Apertura da 1.500 punti in su è già decisa da «")
    # The figures that nobody touched give way to the option.
    save(client, told, opening_steps__1500="90")
    chosen = get_variant("classica").options["opening-steps"].value_of("no-fifteen")
    assert chosen is not None
    assert value("opening-steps", "casa") == chosen.sets["opening-steps"]


def test_a_bonus_has_its_place_in_the_rulebook_and_the_links_of_a_match_lead_there(
    client: Client, begin: Begin
) -> None:
    url = make(client, dealt="13", bonus_0="Taglio giusto", bonus_0_points="100").url
    place = "/regole/canasta-di-casa#premio-taglio-giusto"
    book = client.get(place)
    assert book.one(id="premio-taglio-giusto").one("h3").text == "Taglio giusto di casa"
    assert "13" in book.one("dl", class_="changed").text
    player = begin("canasta-di-casa")
    assert place in player.play(played(bonuses=["taglio-giusto"])).answer.text
    for dealt, is_led_there in (("15", False), ("13", True)):
        change(client, dealt=dealt)
        assert (place in player.page().answer.text) is is_led_there
    client.submit(client.get(url), "Elimina «Canasta di casa»")
    assert place not in player.page().answer.text


def test_a_save_in_one_language_copies_no_words_of_the_other(visit: Visit, folder: Path) -> None:
    send(visit(), written_by_hand("a bonus"))
    client = at_home(visit("en"))
    page = client.get("/nostre-regole/casa/cambia")
    client.submit(page, "Save the rules", dealt="13", bonus_0_points="200")
    written = of(folder, "casa")
    assert written["words"] == {"it": {"name": "casa"}}
    assert written["bonuses"]["cut"]["words"] == {"it": "Taglio"}
    client.submit(page, "Save the rules", name="Home", bonus_0="Cut")
    written = of(folder, "casa")
    assert written["words"] == {"it": {"name": "casa"}, "en": {"name": "Home"}}
    assert written["bonuses"]["cut"]["words"] == {"it": "Taglio", "en": "Cut"}


def test_a_full_pad_takes_no_more_house_rules_but_changes_those_it_has(
    visit: Visit, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "MOST_RULES", 1)
    owner = at_home(visit())
    send(owner, DUE)
    assert "Ci sono già 1 regole di casa" in make(owner, "Altra", 422).errors[0]
    assert change(owner, "casa", dealt="13").url == "/nostre-regole/casa"
    assert [file.name for file in folder.parent.iterdir()] == ["casa.toml"]


def test_strangers_store_few_house_rules_and_none_in_the_way_of_the_owner(
    visit: Visit, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "MOST_OF_DEVICE", 2)
    monkeypatch.setattr(views, "MOST_OF_GUESTS", 3)
    stranger = visit()
    make(stranger, "Straniera")
    make(stranger, "Altra straniera")
    told = make(stranger, "Una di troppo", 422, dealt="13")
    assert "Da questo telefono hai già salvato 2 regole" in told.errors[0]
    assert shown(told)["dealt"] == "13"
    # A new session is a new device, but the guests have a limit together.
    make(visit(), "Di un altro")
    full = "hanno già salvato 3 regole in tutto"
    assert full in send(visit(), DUE, status=422).errors[0]
    assert len(list(folder.iterdir())) == 3
    assert make(at_home(visit())).url == SAVED
    offer_own_variants(folder.parent)  # as after a restart
    assert full in make(visit(), "Altra ancora", 422).errors[0]
    stranger.submit(stranger.get("/nostre-regole/straniera"), "Elimina «Straniera»")
    assert make(stranger, "Straniera nuova").url == "/nostre-regole/straniera-nuova"


def test_the_rules_of_other_guests_are_folded_and_may_be_played(visit: Visit, begin: Begin) -> None:
    own = visit()
    make(at_home(visit()), "Del padrone")
    make(visit(), "Di un ospite")
    make(own, "Mie")
    for path in ("/partite/nuova", "/nostre-regole/"):
        for client, folded in ((own, ["Di un ospite"]), (visit(), ["Di un ospite", "Mie"])):
            page = client.get(path)
            folds = page.all("details", class_="fold")
            (fold,) = [each for each in folds if "salvate da" in each.all("summary")[0].text]
            assert [each.text for each in fold.all("span", class_="variant-name")] == folded
            everything = [each.text for each in page.all("span", class_="variant-name")]
            assert {"Del padrone", "Di un ospite", "Mie"} <= set(everything)
    assert begin("di-un-ospite").state.rules.variant == "di-un-ospite"


def test_a_file_that_takes_too_much_to_read_is_refused_with_a_sentence(
    client: Client, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limited, "SECONDS", 0.01)
    assert "troppo tempo o troppa memoria" in send(client, DUE, status=422).errors[0]
    assert not folder.exists()


def test_a_file_whose_tables_stand_apart_can_be_changed(client: Client, folder: Path) -> None:
    send(client, written_by_hand("tables that stand apart"))
    change(client, "casa", bonus_1_points="50")
    written = of(folder, "casa")
    assert written["words"] == {"it": {"name": "Casa"}, "en": {"name": "Home"}}
    assert [each["points"] for each in written["bonuses"].values()] == [100, 50]


def test_one_bonus_more_than_a_file_may_hold_is_told_and_nothing_typed_is_lost(
    client: Client, folder: Path
) -> None:
    bonus = "[bonuses.b{0}]\npoints = 5\nstanding = 'house'\nwords.it = 'Premio {0}'\n"
    full = DUE + "".join(map(bonus.format, range(MOST_ENTRIES["bonuses"]))).encode()
    send(client, full)
    told = change(client, "casa", 422, bonus_40="Uno di troppo", bonus_40_points="5")
    assert "qui ce ne stanno al massimo 40, e ce ne sono 41" in told.errors[0]
    assert shown(told)["bonus-40"] == "Uno di troppo"
    assert (folder / "casa.toml").read_bytes() == full


# ---------------------------------------------------------------- figures that hang together


def most_wilds() -> int:
    """How many wild cards a mixed canasta may hold."""
    return int(value("canastas")[1]["wilds"][1])


def test_the_mixed_canasta_follows_the_limit_of_wild_cards_and_the_page_says_so(
    client: Client, folder: Path
) -> None:
    page = make(client, wild_limit="4")
    assert settings_in(folder) == {"wild-limit": 4}
    assert most_wilds() == 4
    assert rows(page)["Premi delle canaste di casa"] == (
        "canaste miste con 4 matte al massimo | Di solito: canaste miste con 3 matte al massimo | "
        "segue: Matte, al massimo"
    )
    # The page cannot type the wild cards of a canasta: they follow further, also with other points.
    change(client, wild_limit="2", canastas__mixed_canasta="350")
    assert (settings_in(folder)["wild-limit"], most_wilds()) == (2, 2)
    change(client, wild_limit="5")
    assert most_wilds() == 5


def test_without_wild_cards_there_is_no_mixed_canasta_until_the_limit_comes_back(
    client: Client, folder: Path
) -> None:
    make(client, wild_limit="0")
    assert [kind["item"] for kind in value("canastas")] == ["natural-canasta"]
    change(client, wild_limit="3")
    assert settings_in(folder) == {}


def test_a_concealed_going_out_worth_less_is_asked_for_and_kept_if_that_is_meant(
    client: Client, folder: Path
) -> None:
    told = make(client, status=422, out_bonus="300", dealt="13")
    assert told.errors == [
        "Hai cambiato: Premio di chiusura. Così la chiusura in mano varrebbe meno di quella normale. Scrivi "
        "anche: Premio di chiusura in mano."
    ]
    assert {"out-bonus": "300", "concealed-out-bonus": ""}.items() <= shown(told).items()
    save(client, told, concealed_out_bonus="200")
    assert settings_in(folder) == {"dealt": 13, "out-bonus": 300, "concealed-out-bonus": 200}


def test_the_penalty_and_the_red_three_held_move_each_other_until_each_is_given(
    client: Client, folder: Path
) -> None:
    make(client, held_red_three="300")
    assert settings_in(folder) == {"held-red-three": 300}
    assert held_red_three_costs() == 300
    change(client, held_red_three="400")
    assert held_red_three_costs() == 400
    change(client, penalties__red_three_not_exposed="500")
    assert (value("held-red-three"), held_red_three_costs()) == (400, 500)
    change(client, held_red_three="500")
    assert settings_in(folder) == {}


@pytest.mark.parametrize(("typed", "error"), read_tables("house_rules")["misfits"])
def test_figures_that_do_not_fit_are_refused(
    client: Client, folder: Path, typed: dict[str, str], error: str
) -> None:
    told = make(client, status=422, **typed)
    assert any(error in each for each in told.errors), told.errors
    assert not folder.exists()
