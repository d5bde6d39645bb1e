// Copies the link of a code, or hands it to the phone's own way of sharing, where the browser has it. Browsers keep both
// for https: on plain http the link is copied as a selection, or stays selected for copying by hand.

(() => {
  const codes = document.querySelector(".codes");
  if (!codes) return;

  function selected(address) {
    address.closest("details").open = true; // what is folded is not selected
    const range = document.createRange();
    range.selectNodeContents(address);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    return true;
  }

  async function copied(address) {
    try {
      await navigator.clipboard.writeText(address.textContent);
      return true;
    } catch {
      return selected(address) && document.execCommand("copy");
    }
  }

  for (const each of codes.querySelectorAll(".code:has(.address) .copy")) each.hidden = false;
  for (const each of codes.querySelectorAll(".code:has(.address) .share"))
    each.hidden = !navigator.share;

  codes.addEventListener("click", async (event) => {
    const button = event.target.closest(".copy, .share");
    if (!button) return;
    const code = button.closest(".code");
    const address = code.querySelector(".address");
    if (!address) return; // the code was withdrawn meanwhile
    if (button.matches(".share")) {
      navigator.share({ title: document.title, url: address.textContent }).catch(() => {}); // changing one's mind is no error
      return;
    }
    const done = await copied(address);
    code.querySelector(".link-status").textContent = done
      ? codes.dataset.copied
      : codes.dataset.notCopied;
  });
})();
