// The outbox: what was typed on this device and has not reached the server.
//
// Each form has an entry in the browser's storage. It is sent, waits for the network, and is sent
// again as the same submission: its request id is among the fields, so that it counts once. It is
// removed when it has arrived. What was only typed waits too, until somebody asks to send it.

import { post } from "./server.js";

/** @import { FieldValues } from "./form-fields.js" */
/** @import { Answer } from "./server.js" */

/**
 * @typedef {object} Entry
 * @property {FieldValues} values What was typed.
 * @property {boolean} isSubmission It was asked to send it, and nothing was changed since.
 * @property {boolean} isReported Other pages say that it waits here (unsent.js).
 * @property {string} [version] The version of the hand that the fields were typed on.
 */

/** @typedef {Entry & { name: string }} StoredEntry */

/**
 * How the names of entries begin: those of hands, and those of other forms of a match. Then follow
 * the path of the page and, after another colon, the hand.
 */
export const HAND_ENTRIES = "scorepad-count:";
export const FORM_ENTRIES = "scorepad-sent:";

/** In milliseconds; doubled with each failure. */
const FIRST_RETRY = 3000;
const LONGEST_RETRY = 30000;

/** The browser found a network, or live.js heard from the server. */
const REACHABLE_EVENTS = ["online", "reached"];

// ---------------------------------------------------------------- the browser's storage

/**
 * The stored entries whose names begin so.
 *
 * @param {string} prefix
 * @returns {StoredEntry[]}
 */
export function storedEntries(prefix) {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(prefix));
    return names.map(readEntry).filter((entry) => entry !== null);
  } catch {
    return []; // the browser denies its storage
  }
}

/**
 * @param {string} name
 * @returns {StoredEntry | null}
 */
function readEntry(name) {
  try {
    const entry = JSON.parse(localStorage.getItem(name) ?? "");
    return Array.isArray(entry.values) ? { ...entry, name } : null;
  } catch {
    return null;
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

/** @param {string} name */
export function removeEntry(name) {
  try {
    localStorage.removeItem(name);
  } catch {
    // The browser denies its storage: there is no entry.
  }
}

/**
 * Removes the entries whose names begin so.
 *
 * @param {string} prefix
 */
export function removeEntries(prefix) {
  for (const entry of storedEntries(prefix)) removeEntry(entry.name);
}

// ---------------------------------------------------------------- the network

/**
 * How long to wait after so many attempts without an answer, in milliseconds.
 *
 * @param {number} failures
 * @returns {number}
 */
export function retryDelay(failures) {
  const delay = FIRST_RETRY * 2 ** Math.max(0, failures - 1);
  return Math.min(LONGEST_RETRY, delay);
}

/**
 * Calls a function after a delay, or earlier as soon as the server can be reached. Returns a
 * function that cancels this.
 *
 * @param {() => void} action
 * @param {number} delay
 * @returns {() => void}
 */
function whenReachable(action, delay) {
  function act() {
    cancel();
    action();
  }
  function cancel() {
    clearTimeout(timer);
    for (const name of REACHABLE_EVENTS) removeEventListener(name, act);
  }
  const timer = setTimeout(act, delay);
  for (const name of REACHABLE_EVENTS) addEventListener(name, act);
  return cancel;
}

/** The outbox of one form. */
export class Outbox {
  /** Whether the last entry could be stored. */
  isStored = true;

  /** How many attempts in a row had no answer. */
  failures = 0;

  /** Attempts that have not ended yet. */
  #pending = 0;

  /** @type {Promise<unknown>} */
  #lastAttempt = Promise.resolve();
  #cancelRetry = () => {};

  /** @param {string} name The name of its entry. */
  constructor(name) {
    this.name = name;
  }

  get isBusy() {
    return this.#pending > 0;
  }

  /** @param {Entry} entry */
  store(entry) {
    this.isStored = storeEntry(this.name, entry);
  }

  remove() {
    removeEntry(this.name);
  }

  /** @returns {StoredEntry | undefined} */
  storedEntry() {
    return storedEntries(this.name).find((entry) => entry.name === this.name);
  }

  /**
   * Makes an attempt to send, after the attempts before it have ended: their answers come in order.
   *
   * @template T
   * @param {() => Promise<T>} attempt
   * @returns {Promise<T>}
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
   * Sends fields, and returns the answer; null where nobody answers.
   *
   * @param {string} url
   * @param {FieldValues} values
   * @returns {Promise<Answer | null>}
   */
  async post(url, values) {
    try {
      const answer = await post(url, values);
      this.failures = 0;
      return answer;
    } catch {
      this.failures += 1;
      return null;
    }
  }

  /**
   * Sends again when the server can be reached: after a delay that grows with each failure.
   *
   * @param {() => void} send
   */
  retry(send) {
    this.cancelRetry();
    this.#cancelRetry = whenReachable(send, retryDelay(this.failures));
  }

  cancelRetry() {
    this.#cancelRetry();
    this.#cancelRetry = () => {};
  }
}
