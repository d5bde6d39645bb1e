"""House rules made, changed, taken over and removed on the pages."""

from __future__ import annotations

import io
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scorepad import limited
from scorepad.i18n import words
from scorepad.i18n.settings_in_words import variant_name, variant_special
from scorepad.matches import Pad
from scorepad.rules.loader import MOST_ENTRIES
from scorepad.rules.variants import get_variant, package_ids, use_own
from scorepad.web.own_rules.views import MOST_OF_DEVICE, MOST_OF_GUESTS
from tests.cookies import admin_cookie
from tests.web.client import Client, Page
from tests.web.playing import device, match_of, play, side, start

OWN = Path(__file__).parents[1] / "rules" / "own"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    """The folder of the house rules of guests, which the first of them makes."""
    use_own(tmp_path / "house")
    yield tmp_path / "house" / "guests"
    use_own(None)


def make(
    client: Client, name: str = "Canasta di casa", variant: str = "classica", **typed: str
) -> Page:
    """House rules saved through the form; `canastas__natural_canasta` is the field
    `canastas.natural-canasta`.
    """
    page = client.get(f"/nostre-regole/nuove?da={variant}")
    return save(client, page, name=name, **typed)


def save(client: Client, page: Page, status: int = 200, **typed: str) -> Page:
    sent = page.values(page.form("Salva le regole"))
    for key, value in typed.items():
        field = key.replace("__", ".").replace("_", "-")
        assert field in sent, f"no field {field}: {list(sent)}"
        sent[field] = value
    return client.post(page.url, sent, status)


def of(folder: Path, name: str = "canasta-di-casa") -> dict[str, Any]:
    return tomllib.loads((folder / f"{name}.toml").read_text("utf-8"))


def rows(page: Page) -> dict[str, str]:
    """The table of what differs: each rule with what is played and what is usual."""
    found = page.one("dl", class_="differences")
    return {
        row.one("dt").text: " | ".join(each.text for each in row.all("dd"))
        for row in found.all("div")
        if row.all("dt")
    }


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
    client: Client, pad: Pad, folder: Path
) -> None:
    page = make(
        client, special="Tredici carte.", dealt="13", drawn="2", canastas__natural_canasta="700",
        bonus_0="Taglio giusto", bonus_0_points="100", penalties__draw_out_of_turn="200",
    )  # fmt: skip
    assert page.url == "/nostre-regole/canasta-di-casa"
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
    written = of(folder)
    assert written["extends"] == "classica"
    assert written["settings"]["dealt"] == {"value": 13, "standing": "house"}
    assert set(written["settings"]) == {"dealt", "drawn", "canastas"}
    assert written["bonuses"]["taglio-giusto"] == {
        "points": 100, "standing": "house", "words": {"it": "Taglio giusto"},
    }  # fmt: skip
    url = start(client, "canasta-di-casa")
    played = {
        "sides": {
            "a": side(245, 0, natural=1) | {"bonuses": ["taglio-giusto"], "red_threes": 0},
            "b": side(0, 20) | {"penalties": ["draw-out-of-turn"]},
        },
        "out": None,
    }
    play(pad, client, url, played)
    # A natural canasta of the house 700, cards 245, the cut 100; cards left 20, the penalty of the
    # house 200.
    assert [each.total for each in pad.state(match_of(url), device(client)).sides] == [1045, -220]


@pytest.mark.quick(4)
@pytest.mark.parametrize("variant", package_ids())
def test_of_every_variant_a_name_alone_changes_nothing(
    client: Client, folder: Path, variant: str
) -> None:
    page = make(client, variant=variant)
    assert rows(page) == {}
    written = of(folder)
    assert written.keys() == {"id", "extends", "takes-options", "words"}
    parent = get_variant(variant)
    assert set(written["takes-options"]) == set(parent.options)
    own = get_variant("canasta-di-casa")
    assert {key: value.value for key, value in own.settings.items()} == {
        key: value.value for key, value in parent.settings.items()
    }
    assert client.get(f"/partite/nuova?variante={own.id}").title.startswith("Nuova partita")


def test_every_figure_out_of_its_limits_is_told_and_nothing_typed_is_lost(
    client: Client, folder: Path
) -> None:
    page = client.get("/nostre-regole/nuove")
    told = save(
        client, page, 422, name="", dealt="99", canastas__mixed_canasta="302", out_bonus="-5", opening_steps__1500="",
        bonus_0="Taglio", hands="0",
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
    values = told.values(told.form("Salva le regole"))
    assert (values["dealt"], values["canastas.mixed-canasta"], values["bonus-0"]) == (
        "99",
        "302",
        "Taglio",
    )
    assert not folder.exists()


def test_without_a_target_something_else_must_end_the_match(client: Client) -> None:
    page = client.get("/nostre-regole/nuove")
    told = save(client, page, 422, name="Senza fine", target="")
    assert told.errors == [
        "Senza traguardo serve un numero di smazzate o di minuti che chiuda la partita."
    ]
    done = save(client, told, target="", minutes="50")
    assert rows(done)["Minuti di gioco di casa"] == "50"
    for path in (
        "/partite/nuova?variante=senza-fine",
        "/regole/senza-fine",
        "/arbitro?variante=senza-fine",
    ):
        assert "Senza fine" in client.get(path).text
    assert "target" not in get_variant("senza-fine").options


def test_a_save_that_changes_nothing_leaves_a_file_written_by_hand_as_it_was(
    client: Client, folder: Path
) -> None:
    by_hand = (
        "id = 'casa'\nextends = 'classica'\n[words.it]\nname = 'Casa'\n[penalties.talking]\npoints = 50\n"
        "standing = 'house'\nwords.it = 'Parlare al tavolo'\n[penalties.spying]\nstanding = 'house'\n"
        "words.it = 'Guardare le carte'\n[bonuses.cut]\npoints = 100\nstanding = 'read'\nread = 'come a Torino'\n"
        "words.it = 'Taglio'\n"
    )
    send(client, by_hand.encode())
    save(client, client.get("/nostre-regole/casa/cambia"))
    assert tomllib.loads((folder / "casa.toml").read_text("utf-8")) == tomllib.loads(by_hand) | {
        "takes-options": []
    }
    save(client, client.get("/nostre-regole/casa/cambia"), penalty_0_points="100")
    assert of(folder, "casa")["penalties"]["talking"] == {
        "points": 100, "standing": "house", "words": {"it": "Parlare al tavolo"},
    }  # fmt: skip


def test_more_decks_ask_for_the_values_of_their_red_threes(client: Client, folder: Path) -> None:
    page = client.get("/nostre-regole/nuove")
    told = save(client, page, 422, name="Canasta di casa", decks="3", dealt="13")
    assert told.errors == [
        "5 tre rossi insieme: scrivi un numero da 0 a 9.000, multiplo di 5.",
        "6 tre rossi insieme: scrivi un numero da 0 a 9.000, multiplo di 5.",
        "Hai cambiato: Mazzi. Così i mazzi hanno più 3 rossi di quanti hanno un valore. Scrivi anche: Onori.",
    ]
    values = told.values(told.form("Salva le regole"))
    assert (values["decks"], values["dealt"]) == ("3", "13")
    assert (values["red-three-values.4"], values["red-three-values.5"]) == ("800", "")
    assert not folder.exists()
    save(client, told, red_three_values__5="850", red_three_values__6="1.200")
    assert of(folder)["settings"]["red-three-values"]["value"] == [100, 200, 300, 800, 850, 1200]
    assert "red-three-values.6" in client.get("/nostre-regole/canasta-di-casa/cambia").answer.text


def test_an_option_that_the_house_decides_is_no_choice_of_its_matches(
    client: Client, folder: Path
) -> None:
    page = client.get("/nostre-regole/nuove")
    choice = page.all("input", name="option-wild-limit", type="radio")
    other = next(each["value"] for each in choice if not each.has("checked"))
    save(client, page, name="Canasta di casa", option_wild_limit=other)
    written = of(folder)
    assert "wild-limit" not in written["takes-options"]
    assert set(written["settings"]) == {"wild-ratio"}
    again = client.get("/nostre-regole/canasta-di-casa/cambia")
    assert again.one("input", name="option-wild-limit", type="radio", value=other).has("checked")
    usual = next(each["value"] for each in choice if each.has("checked"))
    save(client, again, option_wild_limit=usual)
    assert of(folder).keys() == {"id", "extends", "takes-options", "words"}


def test_a_change_holds_for_new_matches_and_leaves_those_that_were_started(
    client: Client, pad: Pad
) -> None:
    make(client, canastas__natural_canasta="700")
    before = start(client, "canasta-di-casa")
    page = client.get("/nostre-regole/canasta-di-casa/cambia")
    save(client, page, name="Canasta nuova", canastas__natural_canasta="900")
    assert variant_name(get_variant("canasta-di-casa"), words("it")) == "Canasta nuova"
    after = start(client, "canasta-di-casa")
    for url, total in ((before, 945), (after, 1145)):
        play(
            pad,
            client,
            url,
            {"sides": {"a": side(245, 0, natural=1), "b": side(0, 0)}, "out": None},
        )
        assert pad.state(match_of(url), device(client)).sides[0].total == total


def test_a_file_written_by_hand_keeps_its_words_and_comments(client: Client, folder: Path) -> None:
    by_hand = (
        (OWN / "quattro-canaste.toml")
        .read_text("utf-8")
        .replace("[words.it]", "# del circolo\n[words.it]")
    )
    send(client, by_hand.encode())
    save(client, client.get("/nostre-regole/quattro-canaste/cambia"), canastas__all_sevens="2000")
    written, text = (
        of(folder, "quattro-canaste"),
        (folder / "quattro-canaste.toml").read_text("utf-8"),
    )
    assert written["settings"]["canastas"]["value"][0] == {
        "item": "all-sevens", "points": 2000, "shape": "group", "rank": "7", "wilds": [0, 0], "family": "sevens",
        "words": {"it": "Canasta di sette", "en": "Canasta of sevens"},
    }  # fmt: skip
    assert "# del circolo" in text
    assert written["words"]["en"]["name"] == "Four canastas"
    assert written["settings"]["wild-melds"]["value"] == "allowed"


@pytest.mark.parametrize("file", sorted(OWN.glob("*.toml")), ids=lambda file: file.stem)
def test_a_file_is_taken_over_downloaded_and_taken_by_another_pad(
    client: Client, folder: Path, file: Path, tmp_path: Path
) -> None:
    page = send(client, file.read_bytes())
    assert page.url == f"/nostre-regole/{file.stem}"
    answer = client.raw.get(page.links()["Scarica il file"])
    assert answer.data == file.read_bytes()
    assert f"{file.stem}.toml" in answer.headers["Content-Disposition"]
    save(client, client.get(f"{page.url}/cambia"))  # unchanged, it is the same variant
    saved = of(folder, file.stem)
    given = tomllib.loads(file.read_text("utf-8"))
    assert {key: saved.get(key) for key in given if key != "takes-options"} == {
        key: value for key, value in given.items() if key != "takes-options"
    }
    use_own(tmp_path / "other")
    assert send(client, answer.data).url == f"/nostre-regole/{file.stem}"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "Scegli un file."),
        (
            b"id = " + b"x" * 32_768,
            "Il file è troppo grande per essere di regole: al massimo 32 kB.",
        ),
        (b"\xff\xfe", "il file non si legge"),
        (
            b"id = 'casa'\nextends = 'classica'\n[settings.delt]\nvalue = 13\nstanding = 'house'",
            "riga 3",
        ),
        (b"id = 'classica'\nextends = 'samba'", "classica"),
        (b"extends = 'classica'", "id"),
        (b"id = 'casa'\nextends = 'poker'", "poker"),
        (b"id = 'casa'\nextends = 'due'\nx = " + b"[" * 20_000, "casa.toml"),
        (b"id = 'casa'\nextends = 'due'\nx = " + b"9" * 6_000, "casa.toml"),
        (b"id = '" + b"a" * 300 + b"'\nextends = 'due'", "id"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_and_not_kept(
    client: Client, folder: Path, content: bytes, told: str
) -> None:
    page = send(client, content, status=422)
    assert told in page.errors[0]
    assert not folder.exists() or not list(folder.iterdir())


def test_a_name_that_another_file_has_is_not_overwritten(client: Client, folder: Path) -> None:
    make(client)
    other = b"id = 'canasta-di-casa'\nextends = 'samba'\n"
    assert "le regole «canasta-di-casa» ci sono già" in send(client, other, status=422).errors[0]
    assert of(folder)["extends"] == "classica"
    page = client.get("/nostre-regole/nuove")
    told = save(client, page, 422, name="canasta di Casa", dealt="15")
    assert told.errors == ["«canasta di Casa» è già il nome di altre regole. Scegline un altro."]
    save(client, told, name="Canasta di casa!")
    assert of(folder, "canasta-di-casa-2")["settings"]["dealt"]["value"] == 15


def test_only_who_saved_rules_or_has_every_match_changes_and_removes_them(
    client: Client, visit: Callable[..., Client], folder: Path
) -> None:
    url = make(client, dealt="13").url
    other = visit()
    page = other.get(url)
    assert "Cambia le cifre" not in page.links()
    assert "Scarica il file" in page.links()
    other.get(f"{url}/cambia", 403)
    token = (
        page.one("input", name="csrf_token")["value"]
        if page.all("input", name="csrf_token")
        else ""
    )
    other.post(f"{url}/elimina", {"csrf_token": token, "request_id": "a" * 24}, 403)
    assert of(folder)["id"] == "canasta-di-casa"
    other.raw.set_cookie("scorepad_admin", admin_cookie())
    gone = other.submit(other.get(url), "Elimina «Canasta di casa»")
    assert gone.notices == ["«Canasta di casa» è eliminato."]
    assert not list(folder.iterdir())
    client.get(url, 404)


def test_a_match_goes_on_where_its_rules_were_removed(client: Client, pad: Pad) -> None:
    url = make(client, canastas__natural_canasta="700").url
    match = start(client, "canasta-di-casa")
    client.submit(client.get(url), "Elimina «Canasta di casa»")
    play(
        pad, client, match, {"sides": {"a": side(245, 0, natural=1), "b": side(0, 0)}, "out": None}
    )
    assert pad.state(match_of(match), device(client)).sides[0].total == 945
    assert "Canasta di casa" in client.get(match).text


def test_broken_files_in_the_folder_are_named_on_the_page(client: Client, folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "rotto.toml").write_text(
        "id = 'rotto'\nextends = 'classica'\n[settings.dealt]\nvalu = 13\n"
    )
    use_own(folder.parent)
    page = client.get("/nostre-regole/")
    assert "Un file non si può usare" in page.text
    assert re.search(r"rotto\.toml.*riga 4", page.text)


def test_a_folder_that_cannot_be_written_is_told_and_what_was_typed_stays(
    client: Client, folder: Path
) -> None:
    folder.parent.mkdir()
    folder.write_text("no folder")
    page = save(client, client.get("/nostre-regole/nuove"), 503, name="Canasta di casa", dealt="13")
    assert page.errors[0].startswith("Le regole non sono state salvate: ")
    assert page.values(page.form("Salva le regole"))["dealt"] == "13"


def test_the_pages_are_english_in_english(visit: Callable[..., Client], folder: Path) -> None:
    page = visit("en").get("/nostre-regole/nuove")
    assert page.one("h1").text == "New house rules"
    form = page.values(page.form("Save the rules")) | {"name": "House canasta", "dealt": "13"}
    client = visit("en")
    page = client.get("/nostre-regole/nuove")
    done = client.post(
        page.url, page.values(page.form("Save the rules")) | {k: form[k] for k in ("name", "dealt")}
    )
    assert rows(done) == {"Cards dealt house rule": "13 | Usually: 11"}
    assert of(folder, "house-canasta")["words"] == {"en": {"name": "House canasta"}}


def test_where_one_language_lacks_a_name_or_a_sentence_the_other_stands_in(client: Client) -> None:
    italian = b"words.it = { name = 'Casa', special = 'In due' }"
    send(client, b"id = 'casa'\nextends = 'due'\n" + italian + b"\nwords.en.name = 'Home'")
    assert variant_name(get_variant("casa"), words("en")) == "Home"
    assert variant_special(get_variant("casa"), words("en")) == "In due"


@pytest.mark.parametrize("path", ["/nuove", "/casa/cambia", "/casa/elimina", "/file"])
@pytest.mark.parametrize("wrong", [{"csrf_token": "x"}, {"csrf_token": ""}, {"request_id": ""}])
def test_nothing_is_saved_or_removed_without_the_token_and_the_name_of_the_submission(
    client: Client, folder: Path, path: str, wrong: dict[str, str]
) -> None:
    saved = b"id = 'casa'\nextends = 'due'\n"
    send(client, saved)
    page = client.get("/nostre-regole/nuove")
    sent: dict[str, Any] = page.values(page.form("Salva le regole")) | {"name": "Altre"} | wrong
    answer = client.raw.post(f"/nostre-regole{path}", data=sent)
    assert answer.status_code == 422
    assert [file.name for file in folder.iterdir()] == ["casa.toml"]
    assert (folder / "casa.toml").read_bytes() == saved


@pytest.mark.parametrize("name", ["a\0b.toml", "../x.toml", ".toml", "è.toml", "x" * 300 + ".toml"])
def test_a_file_without_an_id_and_of_an_odd_name_is_refused(
    client: Client, folder: Path, name: str
) -> None:
    assert "id" in send(client, b"extends = 'due'", name, 422).errors[0]
    assert not folder.exists()


@pytest.mark.long
def test_the_search_knows_house_rules_as_long_as_they_are_there(client: Client) -> None:
    dealt = "/regole/cerca?testo=carte+distribuite"
    assert "/regole/canasta-di-casa" not in client.get(dealt).answer.text
    url = make(client, dealt="13").url
    assert "/regole/canasta-di-casa" in client.get(f"{dealt}&gioco=canasta-di-casa").answer.text
    client.submit(client.get(url), "Elimina «Canasta di casa»")
    assert "/regole/canasta-di-casa" not in client.get(dealt).answer.text


@pytest.mark.parametrize("name", ["Nuove", "File", "Cerca", "Check"])
def test_rules_called_as_an_address_have_a_page_all_the_same(client: Client, name: str) -> None:
    page = make(client, name, dealt="13")
    assert page.one("h1").text == name
    assert rows(page) == {"Carte distribuite di casa": "13 | Di solito: 11"}
    assert name in client.get(f"/regole/{page.url.rpartition('/')[2]}").text


def test_a_number_of_hands_written_into_the_settings_ends_a_match_without_a_target(
    client: Client,
) -> None:
    by_hand = "id = 'casa'\nextends = 'classica'\n" + "".join(
        f"[settings.{key}]\nvalue = {value}\nstanding = 'house'\n" for key, value in
        {"target": "'unlimited'", "match-deals": "4", "dealt": "13"}.items()
    )  # fmt: skip
    send(client, by_hand.encode())
    page = save(client, client.get("/nostre-regole/casa/cambia"), name="Casa", dealt="12")
    assert rows(page)["Carte distribuite di casa"] == "12 | Di solito: 11"
    assert get_variant("casa").settings["match-deals"].value == 4


def test_penalties_of_ones_own_are_made_scored_and_kept(
    client: Client, pad: Pad, folder: Path
) -> None:
    page = make(
        client, penalty_0="Parlare", penalty_0_points="50", bonus_0="Parlare", bonus_0_points="20"
    )
    assert rows(page) == {"Parlare di casa": "+20"} | {"Parlare di casa": "−50"}
    assert of(folder)["penalties"] == {
        "parlare": {"points": 50, "standing": "house", "words": {"it": "Parlare"}},
    }  # fmt: skip
    change = client.get("/nostre-regole/canasta-di-casa/cambia")
    save(client, change, penalty_0="Parlare troppo")
    assert of(folder)["penalties"]["parlare"]["words"] == {"it": "Parlare troppo"}
    url = start(client, "canasta-di-casa")
    played = {
        "sides": {"a": side(245, 0, natural=1) | {"penalties": ["parlare"]}, "b": side(0, 0)},
        "out": None,
    }
    assert "Parlare troppo" in play(pad, client, url, played).text
    assert pad.state(match_of(url), device(client)).sides[0].total == 500 + 245 - 50
    assert save(client, change, 422, penalty_1="Spiare").errors == [
        "Una penalità ha un nome e i punti: scrivili tutti e due, o nessuno."
    ]


def test_a_figure_and_an_option_that_contradict_each_other_are_told(
    client: Client, folder: Path
) -> None:
    page = client.get("/nostre-regole/nuove")
    values = [
        each["value"] for each in page.all("input", name="option-opening-steps", type="radio")
    ]
    other = next(
        each
        for each in values
        if each != page.values(page.form("Salva le regole"))["option-opening-steps"]
    )
    told = save(
        client, page, 422, name="Casa", option_opening_steps=other, opening_steps__1500="100"
    )
    (error,) = told.errors
    assert error.startswith("Apertura da 1.500 punti in su è già decisa da «")
    # The figures that nobody touched give way to the option.
    save(client, told, opening_steps__1500="90")
    kept = get_variant("casa").settings["opening-steps"].value
    assert kept == next(
        each.sets["opening-steps"] for each in get_variant("classica").options["opening-steps"].values
        if str(each.value).lower() == other
    )  # fmt: skip


CUT = "id = '{0}'\nextends = 'classica'\nwords.it.name = '{0}'\n[bonuses.cut]\npoints = 100\nstanding = 'house'\n"


def test_the_words_of_a_file_are_those_of_its_rules_alone_and_stay_in_a_match(
    client: Client, pad: Pad
) -> None:
    for name, cut in (("una", "Taglio giusto"), ("altra", "Taglio esatto")):
        send(client, (CUT.format(name) + f"words.it = '{cut}'\n").encode())
    played = {
        "sides": {"a": side(245, 0, natural=1) | {"bonuses": ["cut"]}, "b": side(0, 0)},
        "out": None,
    }
    matches = {name: start(client, name) for name in ("una", "altra")}
    for name, cut, not_cut in (("una", "giusto", "esatto"), ("altra", "esatto", "giusto")):
        text = play(pad, client, matches[name], played).text + client.get(f"/regole/{name}").text
        assert f"Taglio {cut}" in text
        assert f"Taglio {not_cut}" not in text
        assert f"Taglio {cut}" in client.get(f"/partite/nuova?variante={name}").text
    compared = client.get("/regole/confronta?uno=una&altro=altra").text
    assert "Taglio giusto" in compared
    assert "Taglio esatto" in compared
    save(client, client.get("/nostre-regole/una/cambia"), bonus_0="Bel taglio")
    assert "Bel taglio" in client.get("/regole/una").text
    after = client.get(matches["una"]).text
    assert "Taglio giusto" in after
    assert "Bel taglio" not in after


def test_a_bonus_has_its_place_in_the_rulebook_and_the_links_of_a_match_lead_there(
    client: Client, pad: Pad
) -> None:
    url = make(client, dealt="13", bonus_0="Taglio giusto", bonus_0_points="100").url
    book = client.get("/regole/canasta-di-casa")
    assert book.one(id="premio-taglio-giusto").one("h3").text == "Taglio giusto di casa"
    assert "13" in book.one("dl", class_="changed").text
    match = start(client, "canasta-di-casa")
    played = {
        "sides": {"a": side(245, 0, natural=1) | {"bonuses": ["taglio-giusto"]}, "b": side(0, 0)},
        "out": None,
    }
    shown = play(pad, client, match, played)
    assert "/regole/canasta-di-casa#premio-taglio-giusto" in shown.answer.text
    client.submit(client.get(url), "Elimina «Canasta di casa»")
    assert "/regole/canasta-di-casa" not in client.get(match).answer.text


def test_a_match_has_no_links_into_a_rulebook_that_was_changed_since(client: Client) -> None:
    make(client, dealt="13")
    match = start(client, "canasta-di-casa")
    assert "/regole/canasta-di-casa" in client.get(match).answer.text
    save(client, client.get("/nostre-regole/canasta-di-casa/cambia"), dealt="15")
    assert "/regole/canasta-di-casa" not in client.get(match).answer.text


def test_a_save_in_one_language_copies_no_words_of_the_other(
    visit: Callable[..., Client], folder: Path
) -> None:
    send(
        visit(),
        (CUT.format("Casa").replace("'Casa'", "'casa'", 1) + "words.it = 'Taglio'\n").encode(),
    )
    client = visit("en")
    client.raw.set_cookie("scorepad_admin", admin_cookie())
    page = client.get("/nostre-regole/casa/cambia")
    client.post(
        page.url,
        page.values(page.form("Save the rules")) | {"dealt": "13", "bonus-0-points": "200"},
    )
    written = of(folder, "casa")
    assert written["words"] == {"it": {"name": "Casa"}}
    assert written["bonuses"]["cut"] == {
        "points": 200,
        "standing": "house",
        "words": {"it": "Taglio"},
    }
    client.post(
        page.url, page.values(page.form("Save the rules")) | {"name": "Home", "bonus-0": "Cut"}
    )
    written = of(folder, "casa")
    assert written["words"] == {"it": {"name": "Casa"}, "en": {"name": "Home"}}
    assert written["bonuses"]["cut"]["words"] == {"it": "Taglio", "en": "Cut"}


def test_a_full_pad_takes_no_more_house_rules_but_changes_those_it_has(
    visit: Callable[..., Client], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorepad.web.own_rules.views.MOST_RULES", 1)
    owner = at_home(visit())
    send(owner, b"id = 'casa'\nextends = 'due'\n")
    full = "Ci sono già 1 regole di casa"
    assert full in send(owner, b"id = 'altra'\nextends = 'due'\n", status=422).errors[0]
    assert full in save(owner, owner.get("/nostre-regole/nuove"), 422, name="Altra").errors[0]
    assert (
        save(owner, owner.get("/nostre-regole/casa/cambia"), dealt="13").url
        == "/nostre-regole/casa"
    )
    assert [file.name for file in folder.parent.iterdir()] == ["casa.toml"]


def at_home(client: Client) -> Client:
    """A client with access to all matches."""
    client.raw.set_cookie("scorepad_admin", admin_cookie())
    return client


def many(client: Client, name: str, count: int) -> None:
    """Save so many house rules through the form."""
    for number in range(count):
        make(client, f"{name} {number}")


def test_strangers_store_few_house_rules_and_none_in_the_way_of_the_owner(
    visit: Callable[..., Client], folder: Path
) -> None:
    stranger = visit()
    many(stranger, "Straniera", MOST_OF_DEVICE)
    told = save(
        stranger, stranger.get("/nostre-regole/nuove"), 422, name="Una di troppo", dealt="13"
    )
    assert f"Da questo telefono hai già salvato {MOST_OF_DEVICE} regole" in told.errors[0]
    assert told.values(told.form("Salva le regole"))["dealt"] == "13"
    # A new session is a new device, but the guests have a limit together.
    for number in range(1, MOST_OF_GUESTS // MOST_OF_DEVICE):
        many(visit(), f"Altra {number}", MOST_OF_DEVICE)
    full = f"hanno già salvato {MOST_OF_GUESTS} regole in tutto"
    assert full in send(visit(), b"id = 'casa'\nextends = 'due'\n", status=422).errors[0]
    assert len(list(folder.iterdir())) == MOST_OF_GUESTS
    assert make(at_home(visit()), "Canasta di casa").url == "/nostre-regole/canasta-di-casa"
    # The limits hold after a restart.
    use_own(folder.parent)
    late = visit()
    assert full in save(late, late.get("/nostre-regole/nuove"), 422, name="Altra ancora").errors[0]
    stranger.submit(stranger.get("/nostre-regole/straniera-0"), "Elimina «Straniera 0»")
    assert make(stranger, "Straniera nuova").url == "/nostre-regole/straniera-nuova"


@pytest.mark.parametrize("path", ["/partite/nuova", "/nostre-regole/"])
def test_the_rules_of_other_guests_are_folded(visit: Callable[..., Client], path: str) -> None:
    make(at_home(visit()), "Del padrone")
    make(visit(), "Di un ospite")
    own = visit()
    make(own, "Mie")
    for client, folded in ((own, ["Di un ospite"]), (visit(), ["Di un ospite", "Mie"])):
        page = client.get(path)
        (fold,) = [
            each
            for each in page.all("details", class_="fold")
            if "salvate da" in each.all("summary")[0].text
        ]
        inside = [each.text for each in fold.all("span", class_="variant-name")]
        assert inside == folded
        everything = [each.text for each in page.all("span", class_="variant-name")]
        assert {"Del padrone", "Di un ospite", "Mie"} <= set(everything)


def test_a_guest_may_begin_a_match_by_the_rules_of_another(
    visit: Callable[..., Client], pad: Pad
) -> None:
    make(visit(), "Di un ospite", dealt="13")
    client = visit()
    url = start(client, "di-un-ospite")
    assert pad.state(match_of(url), device(client)).rules.settings.dealt == 13


def test_of_many_mistakes_the_first_are_told_in_full_and_how_many_more(client: Client) -> None:
    text = "id = 'casa'\nextends = 'due'\n" + "".join(f"k{number} = 1\n" for number in range(700))
    told = send(client, text.encode(), status=422).errors
    assert len(told) == 21
    assert told[0].startswith("casa.toml, riga 3, k0: ")
    assert told[19].startswith("casa.toml, riga 22, k19: ")
    assert told[20] == "Ci sono altri 680 errori, che si vedono quando questi sono corretti."


def test_a_file_that_takes_too_much_to_read_is_refused_with_a_sentence(
    client: Client, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limited, "SECONDS", 0.01)
    told = send(client, b"id = 'casa'\nextends = 'due'\n", status=422)
    assert told.errors == [
        "Per leggere questo file ci vorrebbero troppo tempo o troppa memoria. Accorcialo e caricalo di nuovo."
    ]
    assert not folder.exists()


def test_a_file_whose_tables_stand_apart_can_be_changed(client: Client, folder: Path) -> None:
    apart = (
        "id = 'casa'\nextends = 'classica'\n[words.it]\nname = 'Casa'\n"
        "[bonuses.cut]\npoints = 100\nstanding = 'house'\nwords.it = 'Taglio'\n[words.en]\nname = 'Home'\n"
        "[bonuses.luck]\npoints = 5\nstanding = 'house'\nwords.it = 'Fortuna'\n"
    )
    send(client, apart.encode())
    save(client, client.get("/nostre-regole/casa/cambia"), bonus_1_points="50", dealt="13")
    written = of(folder, "casa")
    assert written["words"] == {"it": {"name": "Casa"}, "en": {"name": "Home"}}
    assert [each["points"] for each in written["bonuses"].values()] == [100, 50]
    assert written["settings"]["dealt"]["value"] == 13


def test_one_bonus_more_than_a_file_may_hold_is_told_and_nothing_typed_is_lost(
    client: Client, folder: Path
) -> None:
    text = "id = 'casa'\nextends = 'due'\n"
    for number in range(MOST_ENTRIES["bonuses"]):
        text += (
            f"[bonuses.b{number}]\npoints = 5\nstanding = 'house'\nwords.it = 'Premio {number}'\n"
        )
    send(client, text.encode())
    before = (folder / "casa.toml").read_bytes()
    page = client.get("/nostre-regole/casa/cambia")
    told = save(client, page, 422, bonus_40="Uno di troppo", bonus_40_points="5")
    assert "qui ce ne stanno al massimo 40, e ce ne sono 41" in told.errors[0]
    assert told.values(told.form("Salva le regole"))["bonus-40"] == "Uno di troppo"
    assert (folder / "casa.toml").read_bytes() == before


def test_of_two_files_with_one_id_the_owners_holds(tmp_path: Path) -> None:
    for place, name in ((tmp_path, "Casa"), (tmp_path / "guests", "Altra")):
        place.mkdir(exist_ok=True)
        (place / "casa.toml").write_text(
            f"id = 'casa'\nextends = 'due'\nwords.it.name = '{name}'\n", "utf-8"
        )
    found = use_own(tmp_path)
    assert [error.problem for error in found.broken] == ["id-exists"]
    assert found.guests == frozenset()
    assert get_variant("casa").words["it"]["variant.casa.name"] == "Casa"
