// Tells of what waits on this phone to be sent: only the page where it was typed can send it, so it links there. Or it is
// forgotten, where nobody needs it any more.
//
// The notice is on the page, unseen: `data-waiting` is where the pages are that it tells of, as an address begins.

(() => {
  const notice = document.getElementById("waiting");
  if (!notice || !window.delivery) return;
  const { forget, kept } = window.delivery;
  const [message, link, dismiss] = ["span", "a", "button"].map((each) =>
    notice.querySelector(each),
  );
  const words = notice.dataset;
  let waiting = null;

  // A hand that was to be saved, or was typed while nobody answered (hand-sync.js); or another form (sending.js).
  function findWaiting() {
    const hands = kept(`scorepad-count:${words.waiting}`).filter(
      ({ name, wanted, away }) => wanted || (away && name.split(":")[3] === "0"),
    );
    const [first] = [...hands, ...kept(`scorepad-sent:${words.waiting}`)];
    return (
      first && { name: first.name, what: first.name.startsWith("scorepad-sent") ? "form" : "hand" }
    );
  }

  function update() {
    waiting = findWaiting();
    notice.hidden = !waiting;
    notice.classList.toggle("notice", Boolean(waiting));
    if (!waiting) return;
    message.textContent = words[waiting.what];
    link.textContent = words[`${waiting.what}Open`];
    link.href = waiting.name.split(":")[1];
  }

  dismiss.addEventListener("click", () => {
    forget(waiting.name);
    update();
  });

  update();
  addEventListener("storage", update);
  addEventListener("pageshow", update);
})();
