// The shell: it owns the worker with Python, shows the application in a frame, and says what
// happens while it starts.

import { pageForLink, sendLink } from "./handed-over.js";
import { offerInstalling } from "./installing.js";
import { hasLastPage, lastPath, storeLastPage } from "./last-page.js";
import { OneTab } from "./one-tab.js";
import { PythonWorker } from "./python-worker.js";
import { APPLICATION_URL, LAST_PAGE_URL, piecesOf, readShell, SITE_URL } from "./site.js";
import { ShellTexts } from "./texts.js";
import { fallBack, watchForVersions } from "./versions.js";
import { keepScreenOn } from "./wake-lock.js";

/** @import { Step } from "./messages.js" */

/** How far the start is when it reaches a step; the files are loaded before. */
const PROGRESS = { python: 0.5, application: 0.75, page: 0.95 };

/** The part of the bar for loading the files. */
const LOADED = 0.45;

const shell = readShell();
const texts = new ShellTexts(shell.texts);
const tab = new OneTab(SITE_URL);

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @returns {T}
 */
function find(id) {
  return /** @type {T} */ (document.getElementById(id));
}

const startCard = find("start");
const startText = find("start-text");
const startDetail = find("start-detail");
/** @type {HTMLProgressElement} */
const progress = find("start-progress");
/** @type {HTMLButtonElement} */
const startAction = find("start-action");
/** @type {HTMLIFrameElement} */
const frame = find("application");

const python = new PythonWorker(`${SITE_URL}${shell.scripts}worker.js`, piecesOf(shell), {
  onStep: showStep,
  onStarted: handleStart,
  onStartFailed: showFailedStart,
  onTakenOver: showTakenOver,
});

// ---------------------------------------------------------------- what the start card says

/**
 * @param {string} key
 * @param {number} done From 0 to 1.
 */
function showProgress(key, done) {
  startText.textContent = texts.t(key);
  progress.value = Math.max(progress.value, done);
}

/** @param {Step} step */
function showStep(step) {
  showProgress("starting", PROGRESS[step]);
}

/**
 * Shows a message in place of the application.
 *
 * @param {string} key
 * @param {{ detail?: string, action?: string, run?: () => void }} [options]
 */
function showMessage(key, { detail = "", action = "", run = () => {} } = {}) {
  frame.hidden = true;
  startCard.hidden = false;
  progress.hidden = true;
  startText.textContent = texts.t(key);
  startDetail.textContent = detail;
  startDetail.hidden = detail === "";
  startAction.hidden = action === "";
  if (action !== "") startAction.textContent = texts.t(action);
  startAction.onclick = run;
}

/** @param {string} detail */
async function showFailedStart(detail) {
  if (await fallBack()) {
    location.reload();
    return;
  }
  showMessage("failed", { detail, action: "again", run: () => location.reload() });
}

function showTakenOver() {
  frame.src = "about:blank"; // what waits there to be sent is kept, and the other tab sends it
  showMessage("elsewhere", { action: "take-over", run: () => location.reload() });
}

// ---------------------------------------------------------------- notices above the application

const notice = find("notice");

/**
 * @param {string} key
 * @param {{ action?: string, run?: () => void }} [options]
 */
function showNotice(key, { action = "", run = () => {} } = {}) {
  const button = find("notice-action");
  find("notice-text").textContent = texts.t(key);
  button.hidden = action === "";
  if (action !== "") button.textContent = texts.t(action);
  button.onclick = run;
  const closing = find("notice-close");
  closing.textContent = texts.t("close");
  closing.hidden = action === "";
  closing.onclick = hideNotice;
  notice.hidden = false;
}

function hideNotice() {
  notice.hidden = true;
}

// ---------------------------------------------------------------- the pages in the frame

let isStarted = false;

/** The link by which the pad was opened, if it hands a match over. */
let linkToTake = "";

/** The page that the address of the shell names: `#/partite/k3v` is the page of a match. */
function requestedPage() {
  const pageOfLink = pageForLink(location.hash);
  if (pageOfLink !== null) {
    linkToTake = location.href;
    return APPLICATION_URL + pageOfLink;
  }
  if (location.hash === "") return APPLICATION_URL + lastPath();
  const path = location.hash.replace(/^#\/?/, "");
  return APPLICATION_URL + path;
}

/** Shows the last page that was seen, until the application answers with the same one. */
async function showLastPage() {
  if (requestedPage() !== APPLICATION_URL + lastPath()) return;
  if (!(await hasLastPage()) || isStarted) return;
  frame.src = LAST_PAGE_URL;
  frame.inert = true;
  frame.classList.add("stale");
  frame.hidden = false;
  startCard.hidden = true;
  showNotice("opening");
}

/** Shows the first page. A worker that replaces one that has died goes on with the page shown. */
function handleStart() {
  if (isStarted) python.loadSolver();
  else showFirstPage();
}

function showFirstPage() {
  isStarted = true;
  const page = requestedPage();
  frame.addEventListener("load", handleFirstPage, { once: true });
  frame.src = page;
}

function handleFirstPage() {
  performance.mark("first-page");
  startCard.hidden = true;
  frame.hidden = false;
  frame.inert = false;
  frame.classList.remove("stale");
  hideNotice();
  navigator.serviceWorker.controller?.postMessage({ type: "confirm-start" });
  python.loadSolver();
}

/** Adapts the shell to a page that the frame shows. */
function handlePage() {
  const page = frame.contentDocument;
  const url = page?.location.href ?? "";
  if (!page || !isStarted || !url.startsWith(APPLICATION_URL)) return;
  if (linkToTake !== "") {
    sendLink(page, linkToTake);
    linkToTake = "";
  }
  const path = url.slice(APPLICATION_URL.length);
  history.replaceState(null, "", `#/${path}`);
  document.title = page.title;
  texts.use(page.documentElement.lang);
  const isMatch = path.startsWith("partite/");
  keepScreenOn(isMatch);
  // Only once there is something to keep: some browsers ask the user.
  if (isMatch) navigator.storage?.persist?.();
  storeLastPage(path, page);
}

frame.addEventListener("load", handlePage);
offerInstalling(frame);
addEventListener("hashchange", () => {
  if (isStarted) frame.src = requestedPage();
});

// ---------------------------------------------------------------- the start

/** Registers the service worker; ends when it serves this page. */
async function registerServiceWorker() {
  const registration = await navigator.serviceWorker.register(`${SITE_URL}service-worker.js`);
  if (!navigator.serviceWorker.controller) await waitForControl(registration);
  return registration;
}

/**
 * Ends when the service worker serves this page: once it is installed, or, where it is already and
 * the page was reloaded past it, once it is asked to. Throws an error if it cannot be installed.
 *
 * @param {ServiceWorkerRegistration} registration
 */
function waitForControl(registration) {
  return new Promise((resolve, reject) => {
    navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
    registration.active?.postMessage({ type: "claim" });
    const { installing } = registration;
    installing?.addEventListener("statechange", () => {
      const hasFailed = installing.state === "redundant";
      if (hasFailed) reject(new Error("The service worker could not be installed."));
    });
  });
}

navigator.serviceWorker?.addEventListener("message", ({ data, ports }) => {
  if (data.type === "loading") showProgress("loading", LOADED * (data.loaded / data.total));
  if (data.type === "ask" && python.isRunning) python.ask(data, ports[0]);
});

/** Takes the pad for this tab, and starts. */
async function startHere() {
  tab.onTakeover(
    async () => {
      await python.stop();
      showTakenOver();
    },
    () => {
      python.abandon();
      showTakenOver();
    },
  );
  showLastPage();
  python.start();
}

async function startAfterTakeover() {
  await tab.takeOver();
  progress.hidden = false;
  startAction.hidden = true;
  startHere();
}

/** Whether the browser has all that the pad needs. */
function isSupported() {
  return "serviceWorker" in navigator && "locks" in navigator && "DecompressionStream" in window;
}

async function main() {
  document.documentElement.lang = texts.language;
  if (!isSupported()) {
    showMessage("unsupported");
    return;
  }
  showProgress("loading", 0);
  const registration = await registerServiceWorker();
  watchForVersions(registration, shell.version, (useVersion) => {
    showNotice("new-version", {
      action: "use-version",
      run: async () => {
        await python.stop();
        useVersion();
      },
    });
  });
  if (await tab.take()) startHere();
  else showMessage("elsewhere", { action: "take-over", run: startAfterTakeover });
}

main().catch((error) => showFailedStart(String(error)));
