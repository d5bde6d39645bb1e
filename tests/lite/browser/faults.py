"""Faults of the browser, put into the worker of a pad alone."""

from __future__ import annotations

from playwright.sync_api import Worker

_REFUSE_TO_STORE = """() => {
    self.realPut ??= IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...values) {
        const request = self.realPut.apply(this, values);
        this.transaction.abort();
        return request;
    };
}"""
_STORE_AGAIN = (
    "() => { IDBObjectStore.prototype.put = self.realPut ?? IDBObjectStore.prototype.put; }"
)
_VANISH = "() => { self.close(); }"
_HOLD_REQUESTS = """() => {
    self.onmessage = () => {};
}"""
_DIE_BEFORE_ANSWERING = """() => {
    self.onmessage = () => self.postMessage({ type: "failed", detail: "a test" });
}"""
_DIE_AFTER_STORING = """() => {
    const post = self.postMessage.bind(self);
    self.postMessage = () => post({ type: "failed", detail: "a test" });
}"""


def refuse_to_store(worker: Worker) -> None:
    """From now on the browser takes back whatever is stored, as where there is no room."""
    worker.evaluate(_REFUSE_TO_STORE)


def store_again(worker: Worker) -> None:
    """There is room again."""
    worker.evaluate(_STORE_AGAIN)


def die_before_answering(worker: Worker) -> None:
    """The next request makes Python fail, before anything is done."""
    worker.evaluate(_DIE_BEFORE_ANSWERING)


def die_after_storing(worker: Worker) -> None:
    """The next request takes effect, and then Python fails before the answer has left."""
    worker.evaluate(_DIE_AFTER_STORING)


def vanish(worker: Worker) -> None:
    """The worker ends without a word, as where the browser kills it."""
    worker.evaluate(_VANISH)


def hold_requests(worker: Worker) -> None:
    """From now on the worker is so slow that it answers nothing."""
    worker.evaluate(_HOLD_REQUESTS)
