// The outbox: what was typed on this device and has not reached the server.
//
// Each form has an entry in the storage of the browser (localStorage). An entry is sent, waits for
// the network, and is sent again as the same submission: its request id is among the fields, so that
// the server counts it once. It is removed when it has arrived. What was only typed is an entry too,
// which waits until somebody asks to send it.

import { NoRoom, post } from "./server.js";

/** @import { FieldValues } from "./form-fields.js" */
/** @import { Answer } from "./server.js" */

/**
 * @typedef {object} Entry
 * @property {FieldValues} values The fields: `[["a.cards", "340"], ["request_id", "k3v…"]]`.
 * @property {boolean} isSubmission Somebody asked to send it, and has changed nothing since.
 * @property {boolean} isReported Other pages say that it waits here (unsent.js).
 * @property {string} [version] The version of the hand that the fields were typed on.
 */

/** @typedef {Entry & { name: string }} StoredEntry */

/**
 * How the names of entries begin, in the storage of the browser: those of hands, and those of all
 * other forms of a match. The path of the page follows, such as `/partite/k3v/smazzata`, and for a
 * hand, after a colon, which hand it is.
 */
export const HAND_ENTRIES = "scorepad-count:";
export const FORM_ENTRIES = "scorepad-sent:";

/** How long to wait before sending again, in milliseconds; doubled with each failure. */
const FIRST_RETRY = 3000;
const LONGEST_RETRY = 30000;

/**
 * Events of the window that tell that the server can be reached: the browser has found a network, or
 * live.js has had an answer.
 */
const REACHABLE_EVENTS = ["online", "reached"];

// ---------------------------------------------------------------- the browser's storage

/**
 * The stored entries whose names begin with a prefix. None if the browser denies its storage.
 *
 * @param {string} prefix
 * @returns {StoredEntry[]}
 */
export function storedEntries(prefix) {
  const entries = [];
  for (const name of storedNames()) {
    if (!name.startsWith(prefix)) continue;
    const entry = readEntry(name);
    if (entry) entries.push(entry);
  }
  return entries;
}

/**
 * All names in the storage of the browser, which may have other things than entries.
 *
 * @returns {string[]}
 */
function storedNames() {
  try {
    return Object.keys(localStorage);
  } catch {
    return []; // the browser denies its storage
  }
}

/**
 * The stored entry with this name; null if there is none, or something else.
 *
 * @param {string} name
 * @returns {StoredEntry | null}
 */
function readEntry(name) {
  try {
    const json = localStorage.getItem(name) ?? "";
    const entry = JSON.parse(json);
    if (!Array.isArray(entry.values)) return null;
    return { ...entry, name };
  } catch {
    return null; // the text is no JSON, or the browser denies its storage
  }
}

/**
 * Stores an entry, and returns whether that worked: the storage may be full or denied.
 *
 * @param {string} name
 * @param {Entry} entry
 * @returns {boolean}
 */
function storeEntry(name, entry) {
  try {
    localStorage.setItem(name, JSON.stringify(entry));
    return true;
  } catch {
    return false;
  }
}

/**
 * Removes the entry with this name, if there is one.
 *
 * @param {string} name
 */
export function removeEntry(name) {
  try {
    localStorage.removeItem(name);
  } catch {
    // The browser denies its storage: there is no entry.
  }
}

/**
 * Removes the entries whose names begin with a prefix.
 *
 * @param {string} prefix
 */
export function removeEntries(prefix) {
  for (const entry of storedEntries(prefix)) removeEntry(entry.name);
}

// ---------------------------------------------------------------- the network

/**
 * How long to wait before sending again, in milliseconds: 3000 after the first failure, then 6000,
 * 12000, and so on.
 *
 * @param {number} failures How many attempts in a row had no answer.
 * @returns {number}
 */
export function retryDelay(failures) {
  const doublings = Math.max(0, failures - 1);
  const delay = FIRST_RETRY * 2 ** doublings;
  return Math.min(LONGEST_RETRY, delay);
}

/**
 * Calls a function once: after a delay, or as soon as the server can be reached, whichever is first.
 * Returns a function that cancels the call.
 *
 * @param {() => void} action
 * @param {number} delay In milliseconds.
 * @returns {() => void}
 */
function callWhenReachable(action, delay) {
  function callOnce() {
    cancel();
    action();
  }

  function cancel() {
    clearTimeout(timer);
    for (const name of REACHABLE_EVENTS) removeEventListener(name, callOnce);
  }

  const timer = setTimeout(callOnce, delay);
  for (const name of REACHABLE_EVENTS) addEventListener(name, callOnce);
  return cancel;
}

// ---------------------------------------------------------------- the outbox of a form

/** The outbox of one form: its entry in the storage, and the attempts to send it. */
export class Outbox {
  /** Whether the entry could be stored when that was tried last. */
  isStored = true;

  /** How many attempts in a row had no answer. */
  failures = 0;

  /** Whether the last attempt found no room to store what was sent. */
  lacksRoom = false;

  /** How many attempts have not ended yet. */
  #pending = 0;

  /** @type {Promise<unknown>} Ends when all attempts made so far have ended. It never fails. */
  #lastAttempt = Promise.resolve();

  #cancelRetry = () => {};

  /** @param {string} name The name of its entry. */
  constructor(name) {
    this.name = name;
  }

  /** Whether something is being sent now. */
  get isBusy() {
    return this.#pending > 0;
  }

  // -------------------------------------------------------------- the entry

  /** @param {Entry} entry */
  store(entry) {
    this.isStored = storeEntry(this.name, entry);
  }

  remove() {
    removeEntry(this.name);
  }

  /** @returns {StoredEntry | null} */
  storedEntry() {
    return readEntry(this.name);
  }

  // -------------------------------------------------------------- sending

  /**
   * Makes an attempt to send, after all attempts before it have ended: so answers come in order.
   *
   * @template T
   * @param {() => Promise<T>} attempt
   * @returns {Promise<T>} What the attempt returns.
   */
  async attempt(attempt) {
    this.cancelRetry();
    this.#pending += 1;
    const result = this.#lastAttempt.then(attempt);
    this.#lastAttempt = result.catch(() => {});
    try {
      return await result;
    } finally {
      this.#pending -= 1;
    }
  }

  /**
   * Sends fields, and returns the answer of the server; null if nobody answers, or if there is no
   * room to store them. Both may be tried again; `lacksRoom` tells which it was.
   *
   * @param {string} url
   * @param {FieldValues} values
   * @returns {Promise<Answer | null>}
   */
  async post(url, values) {
    try {
      const answer = await post(url, values);
      this.failures = 0;
      this.lacksRoom = false;
      return answer;
    } catch (error) {
      this.failures += 1;
      this.lacksRoom = error instanceof NoRoom;
      return null;
    }
  }

  /**
   * Plans to send again: when the server can be reached, or after a delay that grows with each
   * failure.
   *
   * @param {() => void} send
   */
  retry(send) {
    this.cancelRetry();
    this.#cancelRetry = callWhenReachable(send, retryDelay(this.failures));
  }

  /** Forgets what `retry` has planned. */
  cancelRetry() {
    this.#cancelRetry();
    this.#cancelRetry = () => {};
  }
}
