// Installing: the browser tells the shell when it can be done, and a page of the application has the
// button for it.

/**
 * What Chromium says when the pad can be installed; not in the standard types.
 *
 * @typedef {Event & { prompt(): Promise<unknown> }} InstallEvent
 */

/** @type {InstallEvent | null} */
let installEvent = null;

/**
 * Connects the page in a frame with what the browser offers.
 *
 * @param {HTMLIFrameElement} frame
 */
export function offerInstalling(frame) {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    installEvent = /** @type {InstallEvent} */ (event);
    tellPage(frame);
  });
  addEventListener("appinstalled", () => {
    installEvent = null;
    tellPage(frame);
  });
  addEventListener("message", ({ data, origin }) => {
    if (origin !== location.origin) return;
    if (data.type === "can-install") tellPage(frame);
    if (data.type === "install") installEvent?.prompt();
  });
}

/** @param {HTMLIFrameElement} frame */
function tellPage(frame) {
  const message = { type: "can-install", can: installEvent !== null };
  frame.contentWindow?.postMessage(message, location.origin);
}
