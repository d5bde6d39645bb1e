"""What was asked for last is kept by its weight: nobody fills the memory by what is large."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from scorepad.caches import LruCache


def test_by_itself_each_value_counts_as_one_and_the_one_asked_for_longest_ago_goes_first() -> None:
    kept: LruCache[str] = LruCache(most=2)
    kept.put("a", "Ada")
    kept.put("b", "Bruno")
    assert kept.get("a") == "Ada"
    kept.put("c", "Carla")
    assert [kept.get(key) for key in "abc"] == ["Ada", None, "Carla"]


def test_a_large_value_takes_the_room_of_several() -> None:
    kept: LruCache[str] = LruCache(10, len)
    for key in "abcde":
        kept.put(key, "xx")
    kept.put("f", "yyyyyy")  # six and two and two are ten
    assert [kept.get(key) for key in "abcdef"] == [None, None, None, "xx", "xx", "yyyyyy"]


def test_the_last_one_stays_however_large_and_leaves_again() -> None:
    kept: LruCache[str] = LruCache(10, len)
    kept.put("a", "x" * 100)
    assert kept.get("a") == "x" * 100
    kept.put("b", "x")
    assert (kept.get("a"), kept.get("b")) == (None, "x")


def test_a_value_in_the_place_of_another_weighs_instead_of_it() -> None:
    kept: LruCache[str] = LruCache(10, len)
    for length in (9, 3, 3):
        kept.put("a", "x" * length)
    kept.put("b", "y" * 7)
    assert (kept.get("a"), kept.get("b")) == ("xxx", "y" * 7)
    kept.clear()
    kept.put("c", "z" * 10)
    assert (kept.get("b"), kept.get("c")) == (None, "z" * 10)


def test_several_threads_that_ask_at_once_get_the_same_value() -> None:
    kept: LruCache[object] = LruCache()
    together = Barrier(8)

    def ask(_: int) -> object:
        together.wait()
        return kept.get_or_make("a", object)

    with ThreadPoolExecutor(8) as threads:
        values = set(threads.map(ask, range(8)))
    assert values == {kept.get("a")}
