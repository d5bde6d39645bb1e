// The page about this device: how much the browser keeps, whether it may delete it, and installing.

import { elementById } from "./dom.js";

const BYTES_OF_MB = 1e6;

/** Shows how much the browser keeps for the pad. */
async function showSize() {
  const { usage } = (await navigator.storage?.estimate?.()) ?? {};
  if (usage === undefined) return;
  const size = (usage / BYTES_OF_MB).toLocaleString(document.documentElement.lang, {
    maximumFractionDigits: 1,
  });
  const line = elementById("size", HTMLElement);
  line.textContent = (line.dataset.text ?? "").replace("{size}", size);
  line.hidden = false;
}

/** Shows whether the browser may delete the matches by itself. */
async function showPersistence() {
  if (!navigator.storage?.persisted) return;
  const isPersistent = await navigator.storage.persisted();
  elementById("is-persistent", HTMLElement).hidden = !isPersistent;
  elementById("is-temporary", HTMLElement).hidden = isPersistent;
  elementById("persistence", HTMLElement).hidden = false;
}

/** Asks the browser not to delete the matches, and shows its answer. */
async function askForPersistence() {
  const isGranted = await navigator.storage.persist();
  const refused = elementById("refused", HTMLElement);
  refused.textContent = isGranted ? "" : (refused.dataset.text ?? "");
  showPersistence();
}

/** Shows the button that installs the pad, where the browser lets the shell offer that. */
function showInstallButton() {
  const button = elementById("install", HTMLButtonElement);
  button.addEventListener("click", () => parent.postMessage({ type: "install" }, location.origin));
  addEventListener("message", ({ data, origin }) => {
    if (origin === location.origin && data.type === "can-install") button.hidden = !data.can;
  });
  parent.postMessage({ type: "can-install" }, location.origin);
}

elementById("ask", HTMLButtonElement).addEventListener("click", askForPersistence);
showSize();
showPersistence();
showInstallButton();
