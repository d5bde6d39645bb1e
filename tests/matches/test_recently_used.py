"""What was asked for last is kept by its weight: nobody fills the memory by what is large."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from scorepad.caches import LruCache


def test_by_itself_each_value_counts_as_one_and_the_one_asked_for_longest_ago_goes_first() -> None:
    cache: LruCache[str] = LruCache(most=2)
    cache.put("a", "Ada")
    cache.put("b", "Bruno")
    assert cache.get("a") == "Ada"
    cache.put("c", "Carla")
    assert [cache.get(key) for key in "abc"] == ["Ada", None, "Carla"]


@pytest.fixture
def cache() -> LruCache[str]:
    """A cache of ten letters."""
    return LruCache(10, len)


def test_a_large_value_takes_the_room_of_several(cache: LruCache[str]) -> None:
    for key in "abcde":
        cache.put(key, "xx")
    cache.put("f", "yyyyyy")  # six and two and two are ten
    assert [cache.get(key) for key in "abcdef"] == [None, None, None, "xx", "xx", "yyyyyy"]


def test_the_last_one_stays_however_large_and_leaves_again(cache: LruCache[str]) -> None:
    cache.put("a", "x" * 100)
    assert cache.get("a") == "x" * 100
    cache.put("b", "x")
    assert cache.get("a") is None
    assert cache.get("b") == "x"


def test_a_value_in_the_place_of_another_weighs_instead_of_it(cache: LruCache[str]) -> None:
    for value in ("xxxxxxxxx", "xxx", "xxx"):
        cache.put("a", value)
    cache.put("b", "yyyyyyy")
    assert cache.get("a") == "xxx"
    assert cache.get("b") == "yyyyyyy"


def test_a_cleared_cache_has_all_its_room(cache: LruCache[str]) -> None:
    cache.put("b", "yyyyyyy")
    cache.clear()
    cache.put("c", "zzzzzzzzzz")
    assert cache.get("b") is None
    assert cache.get("c") == "zzzzzzzzzz"


def test_several_threads_that_ask_at_once_get_the_same_value() -> None:
    cache: LruCache[object] = LruCache()
    together = Barrier(8)

    def ask(_: int) -> object:
        together.wait()
        return cache.get_or_make("a", object)

    with ThreadPoolExecutor(8) as threads:
        values = set(threads.map(ask, range(8)))
    assert values == {cache.get("a")}
