"""What was asked for last is kept by its weight: nobody fills the memory by what is large."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from scorepad.caches import LruCache


def test_by_itself_each_value_counts_as_one_and_the_one_asked_for_longest_ago_goes_first() -> None:
    kept: LruCache[str] = LruCache(most=2)
    kept.put("a", "Ada")
    kept.put("b", "Bruno")
    assert kept.get("a") == "Ada"
    kept.put("c", "Carla")
    assert [kept.get(key) for key in "abc"] == ["Ada", None, "Carla"]


@pytest.fixture
def kept() -> LruCache[str]:
    """A cache of ten letters."""
    return LruCache(10, len)


def test_a_large_value_takes_the_room_of_several(kept: LruCache[str]) -> None:
    for key in "abcde":
        kept.put(key, "xx")
    kept.put("f", "yyyyyy")  # six and two and two are ten
    assert [kept.get(key) for key in "abcdef"] == [None, None, None, "xx", "xx", "yyyyyy"]


def test_the_last_one_stays_however_large_and_leaves_again(kept: LruCache[str]) -> None:
    kept.put("a", "x" * 100)
    assert kept.get("a") == "x" * 100
    kept.put("b", "x")
    assert kept.get("a") is None
    assert kept.get("b") == "x"


def test_a_value_in_the_place_of_another_weighs_instead_of_it(kept: LruCache[str]) -> None:
    for value in ("xxxxxxxxx", "xxx", "xxx"):
        kept.put("a", value)
    kept.put("b", "yyyyyyy")
    assert kept.get("a") == "xxx"
    assert kept.get("b") == "yyyyyyy"


def test_a_cleared_cache_has_all_its_room(kept: LruCache[str]) -> None:
    kept.put("b", "yyyyyyy")
    kept.clear()
    kept.put("c", "zzzzzzzzzz")
    assert kept.get("b") is None
    assert kept.get("c") == "zzzzzzzzzz"


def test_several_threads_that_ask_at_once_get_the_same_value() -> None:
    kept: LruCache[object] = LruCache()
    together = Barrier(8)

    def ask(_: int) -> object:
        together.wait()
        return kept.get_or_make("a", object)

    with ThreadPoolExecutor(8) as threads:
        values = set(threads.map(ask, range(8)))
    assert values == {kept.get("a")}
