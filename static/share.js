// The result sent on: the text copied with one tap, text and picture handed to the phone's own way of sharing.
//
// Browsers keep the second, and the better way of the first, for https: on the plain http of a home network the text is
// copied as a selection, and where nothing of it works it is selected already and can be copied by hand.

(() => {
  const share = document.getElementById("share");
  if (!share) return;
  const [send, copy, statusLine] = ["send", "copy", "share-status"].map((id) =>
    document.getElementById(id),
  );
  // These change while the page stays open.
  const text = () => document.getElementById("text");
  const picture = () => document.getElementById("picture");

  // ------------------------------------------------------------------ the text

  async function written() {
    try {
      await navigator.clipboard.writeText(text().value);
      return true;
    } catch {
      return selected() && document.execCommand("copy");
    }
  }

  function selected() {
    const field = text();
    field.focus({ preventScroll: true });
    field.setSelectionRange(0, field.value.length);
    return true;
  }

  copy.hidden = false;
  copy.addEventListener("click", async () => {
    const done = await written();
    statusLine.textContent = "";
    // Said again where it was said before.
    setTimeout(() => {
      statusLine.textContent = done ? share.dataset.copied : share.dataset.notCopied;
    }, 50);
    if (done) copy.focus({ preventScroll: true });
    else selected();
  });
  share.addEventListener("click", (event) => event.target === text() && selected());

  // ------------------------------------------------------------------ the phone's own way

  if (!navigator.share) return;
  const kept = new Map(); // the picture must be at hand when the button is pressed

  async function file() {
    const from = picture().src;
    if (kept.has(from)) return;
    const answer = await fetch(from, { credentials: "same-origin" });
    if (answer.ok)
      kept.set(from, new File([await answer.blob()], "canasta.png", { type: "image/png" }));
  }

  function parcel() {
    const found = kept.get(picture().src);
    const whole = { text: text().value, files: [found] };
    return found && navigator.canShare && navigator.canShare(whole)
      ? whole
      : { text: text().value };
  }

  send.hidden = false;
  file().catch(() => {});
  send.addEventListener("click", () => {
    // Whoever changes their mind is told nothing.
    navigator.share(parcel()).catch(() => {});
    file().catch(() => {});
  });
})();
