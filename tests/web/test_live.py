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

LIST_PAGES = [
    "/",
    "/?cerca=rossi",
    "/in-corso",
    "/giocatori",
    "/giocatori/Ada",
    "/giocatori/Ada?tutte=1",
]
HANDS_TO_THE_TARGET = [HAND_1700_TO_60] * 3
"""5,100 to 180 points, and the target is 5,000."""


LISTS = ""
"""The address that the lists of matches poll."""


def poll(client: Client, url: str, known_tag: str = "") -> TestResponse:
    """The answer to an open page of this address that asks whether something has changed."""
    headers = {"Accept-Encoding": "gzip"}
    if known_tag:
        headers["If-None-Match"] = f'"{known_tag}"'
    return client.raw.get(f"{url}/stato", headers=headers)


def tag_of(client: Client, url: str) -> str:
    """The tag of the present state of a match, or of the lists of matches."""
    answer = poll(client, url)
    assert answer.status_code == 200
    tag = answer.json["tag"]
    assert answer.get_etag() == (tag, False)
    return str(tag)


def live_parts(page: Page) -> list[str]:
    """The ids of the parts of a page that change while it is open."""
    return [part.get("id") for part in page.all() if part.has("data-live-part")]


def news_of_open_page(player: Player, page: Page) -> str:
    """What an open page says has changed when it is refreshed."""
    refreshed = player.client.get(page.one("main")["data-live-page"])
    return refreshed.one(id="live-moved").text


def loads_live_script(page: Page) -> bool:
    return any("/live.js" in script["src"] for script in page.all("script"))


# ------------------------------------------------------------------------------ how far it has come


def test_unchanged_match_is_answered_with_304_without_body(player: Player) -> None:
    tag = tag_of(player.client, player.match)

    no_news = poll(player.client, player.match, tag)
    assert no_news.status_code == 304
    assert no_news.data == b""
    assert re.fullmatch(r"[0-2]\d:[0-5]\d", no_news.headers["Scorepad-Clock"])
    assert "Set-Cookie" not in no_news.headers
    assert no_news.headers["Cache-Control"] == "private, no-cache"
    assert len(str(no_news.headers)) < 750

    player.play(HAND_1700_TO_60)
    news = poll(player.client, player.match, tag)
    assert news.status_code == 200
    assert len(news.data) < 40


def test_tag_changes_when_a_hand_is_begun_or_a_penalty_noted(player: Player) -> None:
    page = player.open()
    tag_before = tag_of(player.client, player.match)

    page = player.check({"a.cards": "5"}, page)
    tag_of_begun_hand = tag_of(player.client, player.match)
    assert tag_of_begun_hand != tag_before

    player.check({"a.cards": "50"}, page)
    assert tag_of(player.client, player.match) == tag_of_begun_hand, "typing on changes nothing"

    player.note(side="1")
    answer = poll(player.client, player.match)
    assert answer.json["tag"] != tag_of_begun_hand
    assert answer.headers["Scorepad-Typed"] == "2:2"  # the version of the draft, the log entry


def test_tag_depends_on_access_to_the_match(player: Player, guest: Client) -> None:
    url = player.match
    assert poll(guest, url).status_code == 404

    player.let_in(guest, VIEW_COOKIE)
    tag_of_viewer = tag_of(guest, url)
    assert tag_of_viewer != tag_of(player.client, url)
    assert poll(guest, url, tag_of_viewer).status_code == 304

    player.let_in(guest)
    assert poll(guest, url, tag_of_viewer).status_code == 200, "it may do more than before"

    with player.pad.context.storage.writing() as rows:
        rows.revoke(player.match_id, hash_device_id(device(guest)))
    assert poll(guest, url, tag_of_viewer).status_code == 404, "it was sent out"


# -------------------------------------------------------------------------------- pages that follow


@pytest.mark.parametrize(
    "path",
    ["", "/tabellone", "/smazzata", "/smazzate/1/correggi", "/smazzate/1/controlla", "/controllo"],
)
def test_page_of_match_has_what_it_needs_to_follow_the_match(player: Player, path: str) -> None:
    player.play(HAND_1700_TO_60)

    page = player.client.get(player.match + path)

    main = page.one("main")
    assert main["data-live-tag"] == tag_of(player.client, player.match)
    assert main["data-live-state"] == f"{player.match}/stato"
    assert main["data-live-page"] == player.match + path
    # "After 1 hand …"
    assert main["data-live-announcement"] == "Dopo 1 smazzata: Noi 1.700 e Loro 60."
    # "What you see is from …"
    assert "Quello che vedi è delle {clock}." in main["data-live-away"]
    assert loads_live_script(page)
    assert page.one(id="live-status").text == ""
    is_hand_form = path in ("/smazzata", "/smazzate/1/correggi")  # it has a script of its own
    assert live_parts(page) or is_hand_form
    assert "" not in live_parts(page), "every part has an id"


@pytest.mark.parametrize("path", ["/partite/nuova", "/regole"])
def test_page_outside_a_match_does_not_poll(client: Client, path: str) -> None:
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
def test_referee_page_reports_changed_scores(player: Player, path: str, status: int) -> None:
    page = player.page(path, status)
    assert page.one(id="live-moved").text == ""
    assert page.one("main")["data-live-page"].startswith("/partite/")

    player.play(HAND_1700_TO_60)

    assert "Noi 1.700" in news_of_open_page(player, page)


def test_page_of_rulings_follows_the_match(player: Player) -> None:
    main = player.page("arbitro/decisioni").one("main")
    assert main["data-live-page"].endswith("/arbitro/decisioni")
    assert main.one("div", id="rulings").has("data-live-part")


def test_refused_form_is_refreshed_from_the_match_page(player: Player) -> None:
    old_page = player.play(HAND_1700_TO_60)
    player.play(HAND_MINUS_220_TO_80)

    refused = player.submit(old_page, "Annulla", status=409)

    assert refused.one("main")["data-live-page"] == player.match


def test_polling_does_not_use_up_a_notice(player: Player) -> None:
    """The notice of an undo is kept for the page that the person sees next."""
    page = player.play(HAND_1700_TO_60)
    form = page.form("Annulla")
    player.client.raw.post(form["action"], data=page.values(form))

    polled = player.client.raw.get(player.match, headers={"Scorepad-Live": "1"})
    seen_by_person = player.page()

    assert "notice" not in polled.text
    assert len(seen_by_person.notices) == 1


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("smazzata", "Questa smazzata è già stata contata"),  # "… was counted already"
        ("smazzate/1/correggi", "Questa smazzata è appena cambiata"),  # "… has just changed"
    ],
)
def test_hand_form_has_the_message_for_a_hand_saved_by_another(
    player: Player, path: str, words: str
) -> None:
    player.play(HAND_1700_TO_60)
    form = player.page(path).one(id="count")
    assert form["data-overtaken"].startswith(words)
    assert form["data-overtaken-match"] == player.match


# ------------------------------------------------------------------------------ the list of matches


CHANGES: dict[str, Callable[[Player], object]] = {
    "a hand": lambda player: player.play(HAND_1700_TO_60),
    "a correction": lambda player: player.correct_to(1, HAND_430_TO_60),
    "a name": lambda player: player.submit("nomi", "Salva", name_0="Rossi"),
    "an undo": lambda player: player.undo("Annulla"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_every_change_of_a_match_changes_its_tag_and_that_of_the_lists(
    player: Player, change: Callable[[Player], object]
) -> None:
    player.play(HAND_MINUS_220_TO_80)
    tag_of_match = tag_of(player.client, player.match)
    tag_of_lists = tag_of(player.client, LISTS)

    change(player)

    assert tag_of(player.client, player.match) != tag_of_match
    assert tag_of(player.client, LISTS) != tag_of_lists


def test_tag_of_lists_changes_when_a_match_is_begun_or_deleted(
    client: Client, begin: Begin
) -> None:
    client.get("/")
    tag_before = tag_of(client, LISTS)
    player = begin()
    tag_of_one_match = tag_of(client, LISTS)
    begin()
    tag_of_two_matches = tag_of(client, LISTS)
    player.pad.actions.delete(player.match_id, player.device)
    tag_of_the_other_match = tag_of(client, LISTS)

    tags = {tag_before, tag_of_one_match, tag_of_two_matches, tag_of_the_other_match}
    assert len(tags) == 4, "all differ"


def test_tag_of_lists_ignores_matches_of_others(player: Player, guest: Client) -> None:
    guest.get("/")
    tag = tag_of(guest, LISTS)

    player.play(HAND_1700_TO_60)
    assert poll(guest, LISTS, tag).status_code == 304

    player.let_in(guest, VIEW_COOKIE)
    assert poll(guest, LISTS, tag).status_code == 200


def test_tag_of_lists_ignores_who_enters_a_match(player: Player, guest: Client) -> None:
    tag = tag_of(player.client, LISTS)
    player.let_in(guest, VIEW_COOKIE)
    assert poll(player.client, LISTS, tag).status_code == 304


@pytest.mark.parametrize("path", LIST_PAGES)
def test_list_of_matches_has_what_it_needs_to_follow_them(
    client: Client, begin: Begin, path: str
) -> None:
    begin(name_0="Rossi", player_0_0="Ada").play(*HANDS_TO_THE_TARGET)
    begin(player_0_0="Ada").play(HAND_1700_TO_60)

    page = client.get(path)

    main = page.one("main")
    assert main["data-live-state"] == "/stato"
    assert main["data-live-tag"] == tag_of(client, LISTS)
    refreshed = client.get(main["data-live-page"])
    assert refreshed.heading == page.heading
    assert live_parts(page)
    assert "" not in live_parts(page), "every part has an id"


def test_home_page_announces_totals_of_the_match_changed_last(client: Client, begin: Begin) -> None:
    assert client.get("/").one("main")["data-live-announcement"] == ""
    begin().play(HAND_MINUS_220_TO_80)
    begin().play(HAND_1700_TO_60)
    assert client.get("/").one("main")["data-live-announcement"] == "Noi 1.700 e Loro 60"


# --------------------------------------------------------------------------------- phones, checking


def test_phones_page_has_what_it_needs_to_follow_the_phones(player: Player) -> None:
    phones = f"{player.match}/telefoni"
    main = player.page("telefoni").one("main")
    assert main["data-live-state"] == f"{phones}/stato"
    assert main["data-live-page"] == phones
    assert main["data-live-tag"] == tag_of(player.client, phones)


def test_tag_of_phones_page_changes_with_phones_and_keys(player: Player, guest: Client) -> None:
    client = player.client
    devices = player.pad.devices
    match = player.match_id
    phones = f"{player.match}/telefoni"
    tags = [tag_of(client, phones)]

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
    assert poll(client, phones, tags[-1]).status_code == 304
    assert poll(guest, phones).status_code == 404, "it was sent out"


def test_codes_are_live_parts_for_owner_and_viewer(player: Player, guest: Client) -> None:
    player.let_in(guest, VIEW_COOKIE)

    page_of_owner = player.page("telefoni")
    page_of_viewer = guest.get(f"{player.match}/telefoni")

    parts_of_codes = {"code-write", "change-write", "code-view", "change-view"}
    other_parts = {"leave", "network-open", "of-match", "reach", "seats"}
    expected_parts = parts_of_codes | other_parts
    assert expected_parts <= set(live_parts(page_of_owner))
    assert expected_parts <= set(live_parts(page_of_viewer))
    assert {"phone-1", "phone-2"} <= page_of_owner.one("ol", class_="phones").ids()


# -------------------------------------------------------------------------------------------- forms


# What an open form says of a change by another phone: names, scores; what was typed is kept.
KEPT_IN_FORM = "Quello che hai scritto è ancora qui."
NAMES_CHANGED = f"Intanto i nomi sono cambiati: ora giocano Rossi contro Loro. {KEPT_IN_FORM}"
HAND_COUNTED = (
    f"Intanto i conti sono cambiati. Dopo 1 smazzata: Noi 1.700 e Loro 60. {KEPT_IN_FORM}"
)
HAND_UNDONE = "Intanto i conti sono cambiati. Dopo 0 smazzate"


@pytest.mark.parametrize("form", ["regole", "fine", "penalita"])
def test_open_form_reports_hands_counted_or_undone(player: Player, form: str) -> None:
    page = player.page(form)
    assert page.one("main")["data-live-state"] == f"{player.match}/stato"
    assert live_parts(page) == ["live-moved"], "no field of the form is updated"
    assert news_of_open_page(player, page) == ""

    player.play(HAND_1700_TO_60)
    assert news_of_open_page(player, page) == HAND_COUNTED

    page = player.page(form)
    player.submit("nomi", "Salva", name_0="Rossi")
    assert news_of_open_page(player, page) == "", "changed names do not matter to it"

    player.undo("Annulla")  # the change of a name
    player.undo("Annulla")  # the hand
    assert news_of_open_page(player, page).startswith(HAND_UNDONE)


@pytest.mark.parametrize("form", ["nomi", "giocatore"])
def test_open_form_about_names_reports_changed_names(player: Player, form: str) -> None:
    page = player.page(form)
    assert live_parts(page) == ["live-moved"], "no field of the form is updated"

    player.play(HAND_1700_TO_60)
    assert news_of_open_page(player, page) == "", "counted hands do not matter to it"

    player.submit("nomi", "Salva", name_0="Rossi")
    assert news_of_open_page(player, page) == NAMES_CHANGED


@pytest.mark.parametrize("path", ["annulla", "smazzate/1/annotazione"])
def test_open_form_about_a_hand_reports_its_changed_note(player: Player, path: str) -> None:
    player.play(HAND_1700_TO_60)
    page = player.page(path)
    assert news_of_open_page(player, page) == ""

    player.submit("smazzate/1/annotazione", "Salva", text="che mano")
    news = news_of_open_page(player, page)
    # "Meanwhile a note has changed"
    assert news == f"Intanto è cambiata un'annotazione. {KEPT_IN_FORM}"

    player.undo("Annulla")  # the note
    player.undo("Annulla")  # the hand
    news = news_of_open_page(player, page)
    assert news.startswith(HAND_UNDONE), "though the hand is there no more"


def test_open_page_to_delete_shows_the_current_score(player: Player) -> None:
    before = player.page("cancella").one("main")
    player.play(HAND_1700_TO_60)

    now = player.client.get(before["data-live-page"]).one("main")

    assert before["data-live-tag"] != now["data-live-tag"]
    deleting = now.one("div", id="deleting")
    assert deleting.has("data-live-part")
    assert "Punti: 1.700 a 60" in deleting.text


@pytest.mark.parametrize("form", ["fine", "penalita"])
def test_open_form_reports_the_end_of_the_match(player: Player, form: str) -> None:
    page = player.page(form)
    player.play(*HANDS_TO_THE_TARGET)
    news = news_of_open_page(player, page)
    # "Meanwhile the match has ended"
    assert news.startswith("Intanto la partita è finita. Dopo 3 smazzate:")
    assert player.client.get("/").notices == []


@pytest.mark.parametrize("hands_seen", ["0", "-3", "x", "999999999999999999999", ""])
def test_invalid_number_of_seen_hands_is_ignored(player: Player, hands_seen: str) -> None:
    assert player.page(f"fine?visto={hands_seen}").title == player.page("fine").title


# ---------------------------------------------------------------------------------------- the board


def board_sides(page: Page) -> list[str]:
    return page.texts("section", class_="board-side")


def board_facts(page: Page) -> list[str]:
    return page.one(id="board-facts").texts("p")


def test_board_shows_totals_openings_dealer_and_leader(begin: Begin) -> None:
    player = begin(player_0_0="Ada", player_1_0="Eva")
    page = player.page("tabellone")
    assert page.heading == "Tabellone: Noi contro Loro"
    assert page.links()["Torna alla partita"] == player.match
    assert board_sides(page) == ["Noi 0 Apre con 50", "Loro 0 Apre con 50"]  # "opens with 50"
    assert board_facts(page) == ["Smazzata 1", "Dà le carte Ada (Noi)"]  # "Ada deals"

    player.play(hand(side(100, 40), side(100, 40)))  # 60 points each
    assert board_facts(player.page("tabellone"))[-1] == "Alla pari: Noi e Loro"  # "level"

    player.play(HAND_1700_TO_60)
    page = player.page("tabellone")
    # An opening takes 90 points from 1,500 on.
    assert board_sides(page) == ["Noi 1.760 Apre con 90", "Loro 120 Apre con 50"]
    assert board_facts(page) == [
        "Smazzata 3",
        "Dà le carte Noi, giocatore 2",
        "Noi avanti di 1.640",  # "ahead by 1.640"
    ]


def test_board_of_finished_match_shows_winner_and_rematch(player: Player, guest: Client) -> None:
    player.let_in(guest, VIEW_COOKIE)
    finished = player.play(*HANDS_TO_THE_TARGET)
    page = player.page("tabellone")
    assert board_sides(page) == ["Noi 5.100 vittoria", "Loro 180"]
    who_won, how = board_facts(page)
    assert who_won == "Abbiamo vinto noi: 5.100 a 180"
    assert how.startswith("Traguardo 5.000 raggiunto")  # "Target 5.000 reached"
    assert "rivincita" not in page.text

    rematch = player.submit(finished, "Rivincita").url
    for phone in (player.client, guest):
        link = phone.get(f"{player.match}/tabellone").links()["Aprila"]
        assert link == f"{rematch}/tabellone"
        assert phone.get(link).heading == "Tabellone: Noi contro Loro"

    player.pad.actions.delete(match_of(rematch), player.device)
    assert "rivincita" not in player.page("tabellone").text, "it leads nowhere any more"


def test_board_of_three_names_leader_and_second(begin: Begin) -> None:
    player = begin("tre", name_0="Ada", name_1="Bea", name_2="Cleo")
    # Ada 100; Bea −250; Cleo: a mixed canasta 300, cards 200, going out 100.
    sides = {"a": side(cards=100), "b": side(left=250), "c": side(cards=200, mixed=1)}
    hand_of_three = {"sides": sides, "out": {"side": "c"}}
    player.play(hand_of_three, hand_of_three)

    page = player.page("tabellone")

    ada, bea, cleo = board_sides(page)
    assert ada.startswith("Ada 200 ")
    assert bea.startswith("Bea −500 ")
    assert cleo.startswith("Cleo 1.200 ")
    assert board_facts(page)[-1] == "Cleo avanti di 1.000 su Ada"  # "ahead of Ada by 1.000"
