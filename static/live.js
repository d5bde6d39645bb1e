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

// All in milliseconds.
const VISIBLE_INTERVAL = 2000;
const HIDDEN_INTERVAL = 15000;
// Half as long again as the interval: a page says that it is old only after an answer was missed.
const FRESH_FOR = 1.5 * VISIBLE_INTERVAL;
const REQUEST_TIMEOUT = 5000;
const SUBMIT_TIME = 10000;

const FAILURES_WHEN_DENIED = 3; // a device without access asks as seldom as after 3 failures
const IS_LOCAL = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

const main = elementById("content", HTMLElement);
const handForm = find(document, "#count", HTMLFormElement);
const messages = main.dataset;

let tag = messages.liveTag ?? "";
let lastAnswerTime = Date.now();
let failures = 0;
let timer = 0;
let isAsking = false;
let isAskedMeanwhile = false;
let submitUntil = 0; // the answer to a submitted form is the next page: this one stays as it is

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
  const interval = document.hidden ? HIDDEN_INTERVAL : VISIBLE_INTERVAL;
  const longer = interval * 2 ** Math.max(0, failures - 1);
  return Math.min(HIDDEN_INTERVAL, longer);
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

/** Asks how far the match has come, one request at a time. */
async function ask() {
  isAskedMeanwhile = isAsking;
  if (isAsking || !isOnline()) return;
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
  if (answer.status === 403 || answer.status === 404) {
    showGone();
    return;
  }
  if (answer.status !== 304 && !answer.ok) throw new Error(`The server answered ${answer.status}.`);
  const freshTag = answer.status === 304 ? tag : JSON.parse(answer.text).tag;
  if (pageTag(freshTag) !== pageTag(tag) && !(await fetchPage())) return;

  tag = freshTag;
  const draftState = answer.headers.get("Scorepad-Typed");
  handForm?.dispatchEvent(new CustomEvent("drafted", { detail: draftState }));
  rememberClock(answer.headers.get("Scorepad-Clock"));
  lastAnswerTime = Date.now();
  failures = 0;
  if (currentStatus() !== "overtaken") showStatus("");
  dispatchEvent(new Event("reached")); // what waits in the outbox goes now
}

/**
 * The part of a tag by which the page is fetched again. On the form of a hand that is not the part
 * that changes while another device types: the form merges what is typed there.
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
  if (answer.status === 403) showDenied();
  else if (answer.status === 404) showGone();
  else if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  if (!answer.ok || isSubmitting()) return false;
  const page = parsePage(answer.text);
  if (handForm) compareHand(handForm, page);
  else showPage(page);
  return true;
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
