// Tells of a hand that waits on this phone to be saved: only the page where it was typed can send it, so it links there.
//
// The notice is on the page, unseen: `data-waiting` is where the copies of the hands are that it tells of (count.js).
"use strict";

(() => {
  const notice = document.getElementById("waiting");
  if (!notice) return;
  const link = notice.querySelector("a");

  // The address of a page whose hand was to be saved, or was typed while nobody answered.
  function waiting() {
    try {
      for (const name of Object.keys(localStorage).filter((each) => each.startsWith(notice.dataset.waiting))) {
        const copy = JSON.parse(localStorage.getItem(name));
        const [, address, , seen] = name.split(":");
        if (copy.wanted || (copy.away && seen === "0")) return address;
      }
    } catch { /* nothing is kept here */ }
    return "";
  }

  function look() {
    const address = waiting();
    notice.hidden = !address;
    notice.classList.toggle("notice", Boolean(address));
    if (address) link.href = address;
  }

  look();
  addEventListener("storage", look);
  addEventListener("pageshow", look);
})();
