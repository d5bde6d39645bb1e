// Keeps an open page as fresh as its match: asks the server again and again for the state of the
// match, and fetches the page again when that has changed.
//
// <main> has the attributes `data-live-…` (`live_attributes` in templates/parts.html): the URLs of
// the state and of the page, and what to say when nobody answers. What may change on the page is in
// parts, `<div id="…" data-live-part>`, which must always be there, empty perhaps (live-parts.js).
//
// The form of a hand is not replaced while somebody types in it. It is told what happens to the
// match by the events `readonly`, `drafted` and `overtaken`.

import { elementById, find, parsePage } from "./dom.js";
import { showHeldBack, showPage } from "./live-parts.js";
import { currentStatus, rememberClock, showStatus } from "./live-status.js";

/** @import { StatusLink } from "./live-status.js" */

/** @typedef {{ status: number, ok: boolean, headers: Headers, text: string }} Answer */

// How long to wait between two requests, in milliseconds: while the page is in sight, and else.
const VISIBLE_INTERVAL = 2000;
const HIDDEN_INTERVAL = 15000;

/**
 * How long a page is not old after an answer, in milliseconds. It is half as long again as the
 * interval, so that a page says that it is old only after an answer was missed.
 */
const FRESH_FOR = 1.5 * VISIBLE_INTERVAL;

/** How long to wait for an answer, in milliseconds. */
const REQUEST_TIMEOUT = 5000;

/** How long the answer to a submitted form, which is the next page, may take; in milliseconds. */
const SUBMIT_TIME = 10000;

/** A device without access asks as seldom as after so many failures. */
const FAILURES_WHEN_DENIED = 3;

/** The server is this machine: it needs no network. */
const IS_LOCAL = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

// Status codes of HTTP.
const NOT_MODIFIED = 304;
const FORBIDDEN = 403;
const NOT_FOUND = 404;

const main = elementById("content", HTMLElement);
const handForm = find(document, "#count", HTMLFormElement);
const messages = main.dataset;

/** The tag of the state that the page shows, `12.write.1.0`: it changes whenever the match does. */
let shownTag = messages.liveTag ?? "";

let lastAnswerTime = Date.now();

/** How many requests in a row had no answer. */
let failures = 0;

/** The timer of the next request. */
let timer = 0;

let isAsking = false;

/** Somebody wanted to ask while a request was under way. */
let isAskedMeanwhile = false;

/** Until this time the next page is expected, as a form was submitted: this one stays as it is. */
let submitUntil = 0;

// ---------------------------------------------------------------- when to ask

function isOnline() {
  return IS_LOCAL || navigator.onLine;
}

/** Whether a form was submitted, and the next page is on its way. */
function isSubmitting() {
  return Date.now() < submitUntil;
}

/**
 * How long to wait before the next request, in milliseconds: longer while the page is hidden, and
 * after each failure.
 *
 * @returns {number}
 */
function intervalUntilNext() {
  if (document.hidden) return HIDDEN_INTERVAL;
  const doublings = Math.max(0, failures - 1);
  const interval = VISIBLE_INTERVAL * 2 ** doublings;
  return Math.min(HIDDEN_INTERVAL, interval);
}

function askLater() {
  clearTimeout(timer);
  if (isOnline()) timer = setTimeout(ask, intervalUntilNext());
}

function askNow() {
  failures = 0;
  submitUntil = 0;
  clearTimeout(timer);
  ask();
}

/** Brings the page up to date, and plans the next time. Makes one request at a time. */
async function ask() {
  if (isAsking) {
    isAskedMeanwhile = true; // the request under way may miss what has just happened
    return;
  }
  isAskedMeanwhile = false;
  if (!isOnline()) return; // the event "online" asks again

  isAsking = true;
  await updatePage();
  isAsking = false;

  if (isAskedMeanwhile) ask();
  else askLater();
}

async function updatePage() {
  try {
    if (!isSubmitting()) showHeldBack();
    await askState();
  } catch {
    handleNoAnswer();
  }
}

// ---------------------------------------------------------------- the state of the match

/** Asks for the state of the match, and shows what has changed. Throws if nobody answers. */
async function askState() {
  const stateUrl = messages.liveState ?? "";
  const answer = await request(stateUrl, { "If-None-Match": `"${shownTag}"` });
  const isDenied = answer.status === FORBIDDEN || answer.status === NOT_FOUND;
  if (isDenied) {
    showGone();
    return;
  }
  const tag = tagIn(answer);
  if (needsPage(tag)) {
    const isShown = await fetchPage();
    if (!isShown) return;
  }
  shownTag = tag;
  handleState(answer.headers);
}

/**
 * The tag of the state in an answer, whose text is `{"tag": "12.write.1.0"}`. 304 means: as before.
 *
 * @param {Answer} answer
 * @returns {string}
 */
function tagIn(answer) {
  if (answer.status === NOT_MODIFIED) return shownTag;
  requireOk(answer);
  return JSON.parse(answer.text).tag;
}

/**
 * Whether the page must be fetched again to show the state with this tag.
 *
 * @param {string} tag
 * @returns {boolean}
 */
function needsPage(tag) {
  return partForPage(tag) !== partForPage(shownTag);
}

/**
 * The part of a tag that tells whether the page is old. For the form of a hand that is `12.write`
 * in `12.write.1.0`: the rest changes when another device begins to type, and the form fetches by
 * itself what is typed there.
 *
 * @param {string} tag
 * @returns {string}
 */
function partForPage(tag) {
  if (!handForm) return tag;
  const parts = tag.split(".");
  return parts.slice(0, 2).join(".");
}

/**
 * Tells the other scripts of the page what the server says besides the tag.
 *
 * @param {Headers} headers
 */
function handleState(headers) {
  const draftState = headers.get("Scorepad-Typed"); // how far the open hand is typed
  handForm?.dispatchEvent(new CustomEvent("drafted", { detail: draftState }));
  rememberClock(headers.get("Scorepad-Clock"));
  lastAnswerTime = Date.now();
  failures = 0;
  if (currentStatus() !== "overtaken") showStatus("");
  dispatchEvent(new Event("reached")); // what waits in the outbox goes now
}

// ---------------------------------------------------------------- the page

/**
 * Fetches the page again, and returns whether it could be shown. Throws if nobody answers.
 *
 * @returns {Promise<boolean>}
 */
async function fetchPage() {
  const pageUrl = messages.livePage ?? "";
  const answer = await request(pageUrl, { "Scorepad-Live": "1" });
  if (answer.status === FORBIDDEN) {
    showDenied();
    return false;
  }
  if (answer.status === NOT_FOUND) {
    showGone();
    return false;
  }
  requireOk(answer);
  if (isSubmitting()) return false;

  const page = parsePage(answer.text);
  if (handForm) compareHand(handForm, page);
  else showPage(page);
  return true;
}

// ---------------------------------------------------------------- requests

/**
 * Sends a request, and reads the whole answer. Throws if nobody answers in time.
 *
 * @param {string} url
 * @param {Record<string, string>} headers
 * @returns {Promise<Answer>}
 */
async function request(url, headers) {
  const control = new AbortController();
  const timeout = setTimeout(() => control.abort(), REQUEST_TIMEOUT);
  try {
    const response = await fetch(url, {
      headers,
      cache: "no-store",
      credentials: "same-origin",
      signal: control.signal,
    });
    const text = await response.text();
    return { status: response.status, ok: response.ok, headers: response.headers, text };
  } finally {
    clearTimeout(timeout);
  }
}

/** @param {Answer} answer */
function requireOk(answer) {
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
}

// ---------------------------------------------------------------- why the page is old

/** Says that nobody answers. The form of a hand says so by itself, when it could not be sent. */
function handleNoAnswer() {
  failures += 1;
  const isOld = Date.now() - lastAnswerTime > FRESH_FOR;
  if (isOld && !handForm) showStatus("away", messages.liveAway);
}

/** Says that the match is not there any more, or that this device may not see it. */
function showGone() {
  failures = Math.max(failures, FAILURES_WHEN_DENIED);
  showStatus("gone", messages.liveGone);
}

/** Says that this device may see the match, but no longer this page, on which one writes. */
function showDenied() {
  failures = Math.max(failures, FAILURES_WHEN_DENIED);
  const link = handForm ? matchLink(handForm) : null;
  showStatus("denied", messages.liveDenied, link);
}

function handleOffline() {
  if (IS_LOCAL) return;
  clearTimeout(timer);
  if (!handForm) showStatus("offline", messages.liveOffline);
}

// ---------------------------------------------------------------- the form of a hand

/**
 * Says so if the hand that is typed here was saved or corrected on another device. Nothing that is
 * typed is touched.
 *
 * @param {HTMLFormElement} form
 * @param {Document} page The same page as the server sends it now.
 */
function compareHand(form, page) {
  const freshForm = find(page, "#count", HTMLFormElement); // null if the match is over
  const isSameVersion = freshForm !== null && handVersion(freshForm) === handVersion(form);
  if (isSameVersion) {
    showStatus("");
    return;
  }
  showStatus("overtaken", form.dataset.overtaken, matchLink(form));
  form.dispatchEvent(new CustomEvent("overtaken", { detail: freshForm }));
}

/**
 * Which hand a form is about, and which saved version of it: `k3v:0`.
 *
 * @param {HTMLFormElement} form
 * @returns {string}
 */
function handVersion(form) {
  const fields = new FormData(form);
  return `${fields.get("hand")}:${fields.get("seen")}`;
}

/**
 * The link to the match that a message of the form ends with.
 *
 * @param {HTMLFormElement} form
 * @returns {StatusLink}
 */
function matchLink(form) {
  const { overtakenMatch: url = "", overtakenLook: text = "" } = form.dataset;
  return { url, text };
}

// ---------------------------------------------------------------- what happens on the page

document.addEventListener("submit", () => {
  submitUntil = Date.now() + SUBMIT_TIME;
});

document.addEventListener("visibilitychange", () => {
  if (document.hidden) askLater();
  else askNow();
});

addEventListener("online", askNow);
addEventListener("offline", handleOffline);
addEventListener("pageshow", (event) => {
  const isRestored = event.persisted; // "back" shows the page as it was left
  if (isRestored) askNow();
});

if (!isOnline()) handleOffline();
askLater();
