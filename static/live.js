// Keeps an open page as fresh as its match.
//
// <main> says by `data-live-…` where to ask for the state of the match and for the page, and what
// to say when nobody answers (`live_attributes` in templates/parts.html). What may change on the
// page stands in parts, `<div id="…" data-live-part>`, which must always be there, empty perhaps.
//
// The form of a hand is not replaced while somebody types in it. It is told what happens to the
// match by the events `readonly`, `drafted` and `overtaken`.

import { elementById, find, parsePage } from "./dom.js";
import { showHeldBack, showPage } from "./live-parts.js";
import { currentStatus, rememberClock, showStatus } from "./live-status.js";

/** @import { StatusLink } from "./live-status.js" */

// Times are in milliseconds. The intervals are those between two requests, on a page that is seen and
// on one in another tab.
const VISIBLE_INTERVAL = 2000;
const HIDDEN_INTERVAL = 15000;
// Half as long again as the interval: a page says that it is old only after an answer was missed.
const FRESH_FOR = 1.5 * VISIBLE_INTERVAL;
const REQUEST_TIMEOUT = 5000;
const SUBMIT_TIME = 10000;

/** A device without access asks as seldom as one that got no answer so many times. */
const FAILURES_WHEN_DENIED = 3;
const IS_LOCAL = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

// Status codes of HTTP.
const NOT_MODIFIED = 304;
const FORBIDDEN = 403;
const NOT_FOUND = 404;

const main = elementById("content", HTMLElement);
const handForm = find(document, "#count", HTMLFormElement);
const messages = main.dataset;

/** The tag of the state that the page shows, as the server gave it. */
let tag = messages.liveTag ?? "";
let lastAnswerTime = Date.now();
let failures = 0;
let timer = 0;
let isAsking = false;
let isAskedMeanwhile = false;
let submitUntil = 0; // a form was submitted: until then its answer, the next page, is awaited

/** @typedef {{ status: number, ok: boolean, headers: Headers, text: string }} Answer */

// ---------------------------------------------------------------- when to ask

/** What the machine itself serves needs no network. */
function isOnline() {
  return IS_LOCAL || navigator.onLine;
}

function isSubmitting() {
  return Date.now() < submitUntil;
}

/** The pause before the next request: longer where the page is hidden or nobody answers. */
function pause() {
  if (document.hidden) return HIDDEN_INTERVAL;
  const doublings = Math.max(0, failures - 1);
  const interval = VISIBLE_INTERVAL * 2 ** doublings;
  return Math.min(HIDDEN_INTERVAL, interval);
}

function askLater() {
  clearTimeout(timer);
  if (isOnline()) timer = setTimeout(ask, pause());
}

function askNow() {
  failures = 0;
  submitUntil = 0;
  clearTimeout(timer);
  ask();
}

/** Asks for the state of the match, one request at a time. */
async function ask() {
  if (isAsking) {
    isAskedMeanwhile = true; // asks again after this request
    return;
  }
  isAskedMeanwhile = false;
  if (!isOnline()) return;
  isAsking = true;
  try {
    if (!isSubmitting()) showHeldBack();
    await askState();
  } catch {
    handleNoAnswer();
  }
  isAsking = false;
  if (isAskedMeanwhile) ask();
  else askLater();
}

// ---------------------------------------------------------------- the answers

async function askState() {
  const answer = await request(messages.liveState ?? "", { "If-None-Match": `"${tag}"` });
  if (answer.status === FORBIDDEN || answer.status === NOT_FOUND) {
    showGone();
    return;
  }
  const freshTag = tagIn(answer);
  const isPageOld = pageTag(freshTag) !== pageTag(tag);
  if (isPageOld) {
    const isShown = await fetchPage();
    if (!isShown) return;
  }
  tag = freshTag;
  handleState(answer);
}

/**
 * The tag of the state that the server tells: it changes with whatever the page shows.
 *
 * @param {Answer} answer
 * @returns {string}
 */
function tagIn(answer) {
  if (answer.status === NOT_MODIFIED) return tag;
  requireOk(answer);
  return JSON.parse(answer.text).tag;
}

/** @param {Answer} answer The state, once the page shows it. */
function handleState(answer) {
  const draftState = answer.headers.get("Scorepad-Typed"); // what is typed of the open hand
  handForm?.dispatchEvent(new CustomEvent("drafted", { detail: draftState }));
  rememberClock(answer.headers.get("Scorepad-Clock"));
  lastAnswerTime = Date.now();
  failures = 0;
  if (currentStatus() !== "overtaken") showStatus("");
  dispatchEvent(new Event("reached")); // what waits in the outbox goes now
}

/**
 * The part of a tag by which the page is fetched again. On the form of a hand that is not the third
 * part, nor what follows: it changes while another device types, which the form merges by itself.
 *
 * @param {string} fullTag
 * @returns {string}
 */
function pageTag(fullTag) {
  if (!handForm) return fullTag;
  return fullTag.split(".").slice(0, 2).join(".");
}

/**
 * Fetches the page again, and returns whether it could be shown.
 *
 * @returns {Promise<boolean>}
 */
async function fetchPage() {
  const answer = await request(messages.livePage ?? "", { "Scorepad-Live": "1" });
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

/** @param {Answer} answer */
function requireOk(answer) {
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
}

/**
 * @param {string} url
 * @param {Record<string, string>} headers
 * @returns {Promise<Answer>}
 */
async function request(url, headers) {
  const control = new AbortController();
  const timeout = setTimeout(() => control.abort(), REQUEST_TIMEOUT);
  try {
    const answer = await fetch(url, {
      headers,
      cache: "no-store",
      credentials: "same-origin",
      signal: control.signal,
    });
    const { status, ok } = answer;
    return { status, ok, headers: answer.headers, text: await answer.text() };
  } finally {
    clearTimeout(timeout);
  }
}

function handleNoAnswer() {
  failures += 1;
  const isOld = Date.now() - lastAnswerTime > FRESH_FOR;
  // The form of a hand says by itself what was not sent.
  if (isOld && !handForm) showStatus("away", messages.liveAway);
}

function showGone() {
  failures = Math.max(failures, FAILURES_WHEN_DENIED);
  showStatus("gone", messages.liveGone);
}

function showDenied() {
  failures = Math.max(failures, FAILURES_WHEN_DENIED);
  showStatus("denied", messages.liveDenied, handForm && matchLink(handForm));
}

// ---------------------------------------------------------------- the form of a hand

/**
 * Says so where the hand that is typed here was counted or corrected elsewhere. Nothing that is
 * typed is touched.
 *
 * @param {HTMLFormElement} form
 * @param {Document} page
 */
function compareHand(form, page) {
  const freshForm = find(page, "#count", HTMLFormElement);
  if (freshForm && handVersion(freshForm) === handVersion(form)) {
    showStatus("");
    return;
  }
  showStatus("overtaken", form.dataset.overtaken, matchLink(form));
  form.dispatchEvent(new CustomEvent("overtaken", { detail: freshForm }));
}

/**
 * Which hand a form is about, and which version of it.
 *
 * @param {HTMLFormElement} form
 * @returns {string}
 */
function handVersion(form) {
  const fields = new FormData(form);
  return `${fields.get("hand")}:${fields.get("seen")}`;
}

/**
 * @param {HTMLFormElement} form
 * @returns {StatusLink}
 */
function matchLink(form) {
  const { overtakenMatch = "", overtakenLook = "" } = form.dataset;
  return { url: overtakenMatch, text: overtakenLook };
}

// ---------------------------------------------------------------- what happens on the page

document.addEventListener("submit", () => {
  submitUntil = Date.now() + SUBMIT_TIME;
});

document.addEventListener("visibilitychange", () => {
  if (document.hidden) askLater();
  else askNow();
});

function handleOffline() {
  if (IS_LOCAL) return;
  clearTimeout(timer);
  if (!handForm) showStatus("offline", messages.liveOffline);
}

addEventListener("online", askNow);
addEventListener("offline", handleOffline);
addEventListener("pageshow", (event) => {
  if (event.persisted) askNow();
});

if (!isOnline()) handleOffline();
askLater();
