"""What an open page asks again and again, and the match in large figures."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from werkzeug.test import TestResponse

from scorepad.matches.access import Access, RequestId
from scorepad.matches.keys import NO_KEYS
from scorepad.storage.rows import hash_device_id
from scorepad.web.cookies import VIEW_COOKIE
from tests.web.client import Client, Page
from tests.web.player import Begin, Player
from tests.web.playing import (
    HAND_430_TO_60,
    HAND_1700_TO_60,
    HAND_MINUS_220_TO_80,
    device,
    hand,
    match_of,
    side,
)

LISTS = [
    "/",
    "/?cerca=rossi",
    "/in-corso",
    "/giocatori",
    "/giocatori/Ada",
    "/giocatori/Ada?tutte=1",
]


def ask(client: Client, url: str, known_tag: str = "") -> TestResponse:
    """What a page of this address is answered when it asks for news; the lists have an empty one."""
    headers = {"Accept-Encoding": "gzip"}
    if known_tag:
        headers["If-None-Match"] = f'"{known_tag}"'
    return client.raw.get(f"{url}/stato", headers=headers)


def tag_of(client: Client, url: str) -> str:
    """The tag that says how far the match has come, or the lists where the address is empty."""
    answer = ask(client, url)
    assert answer.status_code == 200
    tag = answer.json["tag"]
    assert answer.get_etag() == (tag, False)
    return str(tag)


def live_parts(page: Page) -> list[str]:
    """The ids of the parts of a page that change while it is open."""
    return [part.get("id") for part in page.all() if part.has("data-live-part")]


def news_of_open_page(player: Player, page: Page) -> str:
    """What an open page says has changed when it looks again."""
    return player.client.get(page.one("main")["data-live-page"]).one(id="live-moved").text


def loads_live_script(page: Page) -> bool:
    return any("/live.js" in script["src"] for script in page.all("script"))


# ------------------------------------------------------------------------------ how far it has come


def test_whoever_knows_is_told_that_nothing_is_new_and_nothing_more(player: Player) -> None:
    tag = tag_of(player.client, player.match)

    no_news = ask(player.client, player.match, tag)
    assert no_news.status_code == 304
    assert no_news.data == b""
    assert re.fullmatch(r"[0-2]\d:[0-5]\d", no_news.headers["Scorepad-Clock"])
    assert "Set-Cookie" not in no_news.headers
    assert no_news.headers["Cache-Control"] == "private, no-cache"
    assert len(str(no_news.headers)) < 750

    player.play(HAND_1700_TO_60)
    news = ask(player.client, player.match, tag)
    assert news.status_code == 200
    assert len(news.data) < 40


def test_that_a_hand_is_begun_or_a_penalty_noted_is_news_and_further_typing_is_not(
    player: Player,
) -> None:
    page = player.open()
    tag_at_first = tag_of(player.client, player.match)

    page = player.check({"a.cards": "5"}, page)
    tag_begun = tag_of(player.client, player.match)
    assert tag_begun != tag_at_first

    player.check({"a.cards": "50"}, page)
    assert tag_of(player.client, player.match) == tag_begun

    player.note("1")
    noted = ask(player.client, player.match)
    assert noted.json["tag"] != tag_begun
    assert noted.headers["Scorepad-Typed"] == "2:2"  # the version of the fields, and the entry


def test_a_phone_is_told_anew_when_its_access_changes_and_nothing_once_it_is_out(
    player: Player, guest: Client
) -> None:
    url = player.match
    assert ask(guest, url).status_code == 404

    player.let_in(guest, VIEW_COOKIE)
    tag_of_viewer = tag_of(guest, url)
    assert tag_of_viewer != tag_of(player.client, url)
    assert ask(guest, url, tag_of_viewer).status_code == 304

    player.let_in(guest)
    assert ask(guest, url, tag_of_viewer).status_code == 200, "it may do more than before"

    with player.pad.context.storage.writing() as rows:
        rows.revoke(player.match_id, hash_device_id(device(guest)))
    assert ask(guest, url, tag_of_viewer).status_code == 404


# -------------------------------------------------------------------------------- pages that follow


@pytest.mark.parametrize(
    "path",
    ["", "/tabellone", "/smazzata", "/smazzate/1/correggi", "/smazzate/1/controlla", "/controllo"],
)
def test_a_page_of_the_match_follows_it_from_where_it_stands(player: Player, path: str) -> None:
    player.play(HAND_1700_TO_60)

    page = player.client.get(player.match + path)

    main = page.one("main")
    assert main["data-live-tag"] == tag_of(player.client, player.match)
    assert main["data-live-state"] == f"{player.match}/stato"
    assert main["data-live-page"] == player.match + path
    assert main["data-live-announcement"] == "Dopo 1 smazzata: Noi 1.700 e Loro 60."
    assert "Quello che vedi è delle {clock}." in main["data-live-away"]
    assert loads_live_script(page)
    assert page.one(id="live-status").text == ""
    assert all(live_parts(page)), "every part has an id"
    changes_by_its_own_script = path in ("/smazzata", "/smazzate/1/correggi")
    assert live_parts(page) or changes_by_its_own_script


@pytest.mark.parametrize("path", ["/partite/nuova", "/regole"])
def test_a_page_of_no_match_asks_nothing(client: Client, path: str) -> None:
    page = client.get(path)
    assert not page.one("main").has("data-live-state")
    assert not loads_live_script(page)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("arbitro", 200),
        ("arbitro/apertura", 200),
        ("arbitro/penalita?caso=draw-out-of-turn", 200),
        ("arbitro/calata?cards=gatti&do=next", 422),
        ("arbitro/calata?endpoint=x&_scheme=javascript&_anchor=x&cards=3xK&passo=risposta", 200),
    ],
    ids=["first page", "a question", "a case", "a wrong question", "more than the question holds"],
)
def test_the_referee_in_a_match_says_that_its_scores_changed_meanwhile(
    player: Player, path: str, status: int
) -> None:
    page = player.page(path, status)
    assert page.one(id="live-moved").text == ""
    assert page.one("main")["data-live-page"].startswith("/partite/")

    player.play(HAND_1700_TO_60)

    assert "Noi 1.700" in news_of_open_page(player, page)


def test_the_rulings_kept_with_a_match_are_a_part_that_follows_it(player: Player) -> None:
    main = player.page("arbitro/decisioni").one("main")
    assert main["data-live-page"].endswith("/arbitro/decisioni")
    assert main.one("div", id="rulings").has("data-live-part")


def test_a_page_that_is_the_answer_to_a_form_is_fetched_again_where_it_belongs(
    player: Player,
) -> None:
    page_of_before = player.play(HAND_1700_TO_60)
    player.play(HAND_MINUS_220_TO_80)
    refused = player.submit(page_of_before, "Annulla", status=409)
    assert refused.one("main")["data-live-page"] == player.match


def test_looking_again_takes_no_word_from_the_page_that_it_is_for(player: Player) -> None:
    """The notice of an undo is kept for the page that the person sees next."""
    page = player.play(HAND_1700_TO_60)
    form = page.form("Annulla")
    player.client.raw.post(form["action"], data=page.values(form))

    looked_again = player.client.raw.get(player.match, headers={"Scorepad-Live": "1"})
    seen_by_person = player.page()

    assert "notice" not in looked_again.text
    assert len(seen_by_person.notices) == 1


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("smazzata", "Questa smazzata è già stata contata"),
        ("smazzate/1/correggi", "Questa smazzata è appena cambiata"),
    ],
)
def test_a_count_has_the_words_for_a_hand_that_another_phone_was_quicker_with(
    player: Player, path: str, words: str
) -> None:
    player.play(HAND_1700_TO_60)
    form = player.page(path).one(id="count")
    assert form["data-overtaken"].startswith(words)
    assert form["data-overtaken-match"] == player.match


# ------------------------------------------------------------------------------ the list of matches


DEEDS: dict[str, Callable[[Player], object]] = {
    "a hand": lambda player: player.play(HAND_1700_TO_60),
    "a correction": lambda player: player.correct_to(1, HAND_430_TO_60),
    "a name": lambda player: player.submit("nomi", "Salva", name_0="Rossi"),
    "an undo": lambda player: player.undo("Annulla"),
}


@pytest.mark.parametrize("deed", DEEDS.values(), ids=DEEDS.keys())
def test_whatever_is_done_to_a_match_is_news_for_its_page_and_for_the_lists(
    player: Player, deed: Callable[[Player], object]
) -> None:
    player.play(HAND_MINUS_220_TO_80)
    tag_of_match = tag_of(player.client, player.match)
    tag_of_lists = tag_of(player.client, "")

    deed(player)

    assert tag_of(player.client, player.match) != tag_of_match
    assert tag_of(player.client, "") != tag_of_lists


def test_a_match_that_is_begun_or_deleted_is_news_for_the_lists(
    client: Client, begin: Begin
) -> None:
    client.get("/")
    tags = [tag_of(client, "")]
    player = begin()
    tags.append(tag_of(client, ""))
    begin()
    tags.append(tag_of(client, ""))
    player.pad.actions.delete(player.match_id, player.device)
    tags.append(tag_of(client, ""))

    assert len(set(tags)) == 4, "all differ"


def test_what_others_play_is_no_news_for_the_lists_of_a_device_that_is_not_let_in(
    player: Player, guest: Client
) -> None:
    guest.get("/")
    tag = tag_of(guest, "")

    player.play(HAND_1700_TO_60)
    assert ask(guest, "", tag).status_code == 304

    player.let_in(guest, VIEW_COOKIE)
    assert ask(guest, "", tag).status_code == 200


def test_who_comes_in_is_no_news_for_the_list_of_matches(player: Player, guest: Client) -> None:
    tag = tag_of(player.client, "")
    player.let_in(guest, VIEW_COOKIE)
    assert ask(player.client, "", tag).status_code == 304


@pytest.mark.parametrize("path", LISTS)
def test_every_list_of_matches_follows_them(client: Client, begin: Begin, path: str) -> None:
    begin(name_0="Rossi", player_0_0="Ada").play(*[HAND_1700_TO_60] * 3)  # beyond the target
    begin(player_0_0="Ada").play(HAND_1700_TO_60)

    page = client.get(path)

    main = page.one("main")
    assert main["data-live-state"] == "/stato"
    assert main["data-live-tag"] == tag_of(client, "")
    fetched_again = client.get(main["data-live-page"])
    assert fetched_again.heading == page.heading
    assert live_parts(page)
    assert all(live_parts(page)), "every part has an id"


def test_at_home_the_totals_of_the_match_that_changed_last_are_told(
    client: Client, begin: Begin
) -> None:
    assert client.get("/").one("main")["data-live-announcement"] == ""
    begin().play(HAND_MINUS_220_TO_80)
    begin().play(HAND_1700_TO_60)
    assert client.get("/").one("main")["data-live-announcement"] == "Noi 1.700 e Loro 60"


# --------------------------------------------------------------------------------- phones, checking


def test_the_page_of_the_phones_follows_who_comes_goes_and_sits_down(
    player: Player, guest: Client
) -> None:
    client = player.client
    devices = player.pad.devices
    match = player.match_id
    phones = f"{player.match}/telefoni"
    main = client.get(phones).one("main")
    assert main["data-live-state"] == f"{phones}/stato"
    assert main["data-live-page"] == phones
    tags = [tag_of(client, phones)]
    assert main["data-live-tag"] == tags[0]

    player.let_in(guest, VIEW_COOKIE)
    tags.append(tag_of(client, phones))
    player.let_in(guest)
    tags.append(tag_of(client, phones))
    devices.set_side_and_holder(match, device(guest), 1)
    tags.append(tag_of(client, phones))
    devices.renew_key(match, device(client), Access.VIEW, NO_KEYS, RequestId("renewed"))
    tags.append(tag_of(client, phones))
    devices.remove_device(match, device(client), hash_device_id(device(guest)))
    tags.append(tag_of(client, phones))
    player.play(HAND_1700_TO_60)
    tags.append(tag_of(client, phones))

    assert len(set(tags)) == 7, "all differ"
    assert ask(client, phones, tags[-1]).status_code == 304
    assert ask(guest, phones).status_code == 404, "it was sent out"


def test_the_codes_are_parts_of_their_own_for_writers_and_viewers_alike(
    player: Player, guest: Client
) -> None:
    player.let_in(guest, VIEW_COOKIE)

    page_of_owner = player.page("telefoni")
    page_of_viewer = guest.get(f"{player.match}/telefoni")

    codes = {"code-write", "change-write", "code-view", "change-view"}
    around = {"leave", "network-open", "of-match", "reach", "seats"}
    assert codes | around <= set(live_parts(page_of_owner))
    assert codes | around <= set(live_parts(page_of_viewer))
    assert {"phone-1", "phone-2"} <= page_of_owner.one("ol", class_="phones").ids()


# -------------------------------------------------------------------------------------------- forms


KEPT = "Quello che hai scritto è ancora qui."
RENAMED = f"Intanto i nomi sono cambiati: ora giocano Rossi contro Loro. {KEPT}"
COUNTED = f"Intanto i conti sono cambiati. Dopo 1 smazzata: Noi 1.700 e Loro 60. {KEPT}"
UNDONE = "Intanto i conti sono cambiati. Dopo 0 smazzate"


@pytest.mark.parametrize("form", ["regole", "fine", "penalita"])
def test_a_form_says_that_hands_were_counted_or_undone_meanwhile(player: Player, form: str) -> None:
    page = player.page(form)
    assert page.one("main")["data-live-state"] == f"{player.match}/stato"
    assert live_parts(page) == ["live-moved"], "nothing that is typed in changes"
    assert news_of_open_page(player, page) == ""

    player.play(HAND_1700_TO_60)
    assert news_of_open_page(player, page) == COUNTED

    page = player.page(form)
    player.submit("nomi", "Salva", name_0="Rossi")
    assert news_of_open_page(player, page) == "", "names are no news to it"

    player.undo("Annulla")
    player.undo("Annulla")
    assert news_of_open_page(player, page).startswith(UNDONE)


@pytest.mark.parametrize("form", ["nomi", "giocatore"])
def test_a_form_about_names_says_that_names_changed_meanwhile(player: Player, form: str) -> None:
    page = player.page(form)
    assert live_parts(page) == ["live-moved"], "nothing that is typed in changes"

    player.play(HAND_1700_TO_60)
    assert news_of_open_page(player, page) == "", "hands are no news to it"

    player.submit("nomi", "Salva", name_0="Rossi")
    assert news_of_open_page(player, page) == RENAMED


@pytest.mark.parametrize("path", ["annulla", "smazzate/1/annotazione"])
def test_the_page_of_a_reason_or_a_note_says_that_a_note_or_the_hand_changed_meanwhile(
    player: Player, path: str
) -> None:
    player.play(HAND_1700_TO_60)
    page = player.page(path)
    assert news_of_open_page(player, page) == ""

    player.submit("smazzate/1/annotazione", "Salva", text="che mano")
    news = news_of_open_page(player, page)
    assert news == f"Intanto è cambiata un'annotazione. {KEPT}"

    player.undo("Annulla")
    player.undo("Annulla")
    news = news_of_open_page(player, page)
    assert news.startswith(UNDONE), "though the hand is there no more"


def test_the_page_that_asks_whether_to_delete_shows_the_match_as_it_is_now(player: Player) -> None:
    before = player.page("cancella").one("main")
    player.play(HAND_1700_TO_60)

    now = player.client.get(before["data-live-page"]).one("main")

    assert before["data-live-tag"] != now["data-live-tag"]
    deleting = now.one("div", id="deleting")
    assert deleting.has("data-live-part")
    assert "Punti: 1.700 a 60" in deleting.text


@pytest.mark.parametrize("form", ["fine", "penalita"])
def test_a_form_that_is_open_when_the_match_ends_stays_and_says_so(
    player: Player, form: str
) -> None:
    page = player.page(form)
    player.play(*[HAND_1700_TO_60] * 3)  # 5,100 points, and the target is 5,000
    news = news_of_open_page(player, page)
    assert news.startswith("Intanto la partita è finita. Dopo 3 smazzate:")
    assert player.client.get("/").notices == []


@pytest.mark.parametrize("hands_seen", ["0", "-3", "x", "999999999999999999999", ""])
def test_an_address_made_up_of_what_was_seen_does_no_harm(player: Player, hands_seen: str) -> None:
    assert player.page(f"fine?visto={hands_seen}").title == player.page("fine").title


# ---------------------------------------------------------------------------------------- the board


def board_sides(page: Page) -> list[str]:
    return page.texts("section", class_="board-side")


def board_facts(page: Page) -> list[str]:
    return page.one(id="board-facts").texts("p")


def test_the_board_shows_totals_openings_the_hand_the_dealer_and_who_leads(begin: Begin) -> None:
    player = begin(player_0_0="Ada", player_1_0="Eva")
    page = player.page("tabellone")
    assert page.heading == "Tabellone: Noi contro Loro"
    assert page.links()["Torna alla partita"] == player.match
    assert board_sides(page) == ["Noi 0 Apre con 50", "Loro 0 Apre con 50"]
    assert board_facts(page) == ["Smazzata 1", "Dà le carte Ada (Noi)"]

    player.play(hand(side(100, 40), side(100, 40)))  # 60 points each
    assert board_facts(player.page("tabellone"))[-1] == "Alla pari: Noi e Loro"

    player.play(HAND_1700_TO_60)
    page = player.page("tabellone")
    # An opening takes 90 points from 1,500 on.
    assert board_sides(page) == ["Noi 1.760 Apre con 90", "Loro 120 Apre con 50"]
    assert board_facts(page) == [
        "Smazzata 3",
        "Dà le carte Noi, giocatore 2",
        "Noi avanti di 1.640",
    ]


def test_the_board_of_a_finished_match_says_who_won_and_leads_to_the_rematch(
    player: Player, guest: Client
) -> None:
    player.let_in(guest, VIEW_COOKIE)
    finished = player.play(*[HAND_1700_TO_60] * 3)
    page = player.page("tabellone")
    assert board_sides(page) == ["Noi 5.100 vittoria", "Loro 180"]
    who_won, how = board_facts(page)
    assert who_won == "Abbiamo vinto noi: 5.100 a 180"
    assert how.startswith("Traguardo 5.000 raggiunto")
    assert "rivincita" not in page.text

    rematch = player.submit(finished, "Rivincita").url
    for phone in (player.client, guest):
        link = phone.get(f"{player.match}/tabellone").links()["Aprila"]
        assert link == f"{rematch}/tabellone"
        assert phone.get(link).heading == "Tabellone: Noi contro Loro"

    player.pad.actions.delete(match_of(rematch), player.device)
    assert "rivincita" not in player.page("tabellone").text, "it leads nowhere any more"


def test_the_board_of_three_names_who_is_behind_the_first(begin: Begin) -> None:
    player = begin("tre", name_0="Ada", name_1="Bea", name_2="Cleo")
    sides = {"a": side(100, 0), "b": side(0, 250), "c": side(200, 0, mixed=1)}
    # 100; −250; 300 + 200 + 100 for going out
    of_three = {"sides": sides, "out": {"side": "c"}}
    player.play(of_three, of_three)

    page = player.page("tabellone")

    names_and_totals = [text.split(" Apre")[0] for text in board_sides(page)]
    assert names_and_totals == ["Ada 200", "Bea −500", "Cleo 1.200"]
    assert board_facts(page)[-1] == "Cleo avanti di 1.000 su Ada"
