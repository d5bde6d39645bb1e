"""What was asked for last is kept by its weight: nobody fills the memory by what is large."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from scorepad.caches import LruCache


def test_full_cache_drops_the_least_recently_used_value() -> None:
    # The cache is full. Ada is asked for once more, so that Bruno is the one not used for longest.
    cache: LruCache[str] = LruCache(most=2)
    cache.put("a", "Ada")
    cache.put("b", "Bruno")
    assert cache.get("a") == "Ada"

    cache.put("c", "Carla")

    assert cache.get("a") == "Ada"
    assert cache.get("b") is None
    assert cache.get("c") == "Carla"


@pytest.fixture
def cache_of_ten_letters() -> LruCache[str]:
    """Return a cache of texts that have ten letters together at most."""
    return LruCache(10, len)


def test_large_value_drops_several_small_ones(cache_of_ten_letters: LruCache[str]) -> None:
    # Five values of two letters fill the cache.
    for key in "abcde":
        cache_of_ten_letters.put(key, "xx")

    # Six letters come in. Beside them there is room for two of the five values.
    cache_of_ten_letters.put("f", "yyyyyy")

    values = [cache_of_ten_letters.get(key) for key in "abcdef"]
    assert values == [None, None, None, "xx", "xx", "yyyyyy"]


def test_value_larger_than_the_cache_is_kept_until_the_next(
    cache_of_ten_letters: LruCache[str],
) -> None:
    # Whoever put a value in must find it, however large it is.
    cache_of_ten_letters.put("a", "x" * 100)
    assert cache_of_ten_letters.get("a") == "x" * 100

    cache_of_ten_letters.put("b", "x")
    assert cache_of_ten_letters.get("a") is None
    assert cache_of_ten_letters.get("b") == "x"


def test_replaced_value_no_longer_takes_room(cache_of_ten_letters: LruCache[str]) -> None:
    # Nine letters are replaced by three, and these by other three.
    for value in ("xxxxxxxxx", "xxx", "xxx"):
        cache_of_ten_letters.put("a", value)

    # If the former values still took room, seven letters would drop the last three.
    cache_of_ten_letters.put("b", "yyyyyyy")

    assert cache_of_ten_letters.get("a") == "xxx"
    assert cache_of_ten_letters.get("b") == "yyyyyyy"


def test_cleared_cache_has_all_its_room(cache_of_ten_letters: LruCache[str]) -> None:
    # The values of this cache may have ten letters together. Seven are stored, and removed.
    cache_of_ten_letters.put("a", "xxxxxxx")
    cache_of_ten_letters.clear()
    assert cache_of_ten_letters.get("a") is None

    # There is room for two values of five letters: neither drops the other.
    cache_of_ten_letters.put("b", "yyyyy")
    cache_of_ten_letters.put("c", "zzzzz")
    assert cache_of_ten_letters.get("b") == "yyyyy"
    assert cache_of_ten_letters.get("c") == "zzzzz"


def test_threads_that_ask_at_the_same_time_get_the_same_value() -> None:
    cache: LruCache[object] = LruCache()
    all_threads_are_ready = Barrier(8)

    def get_value(_: int) -> object:
        all_threads_are_ready.wait()
        # Where the cache has no value yet, a new object is made.
        return cache.get_or_make("a", object)

    with ThreadPoolExecutor(8) as threads:
        values = set(threads.map(get_value, range(8)))

    # Several threads may have made an object, but all got the one that is cached.
    assert values == {cache.get("a")}
