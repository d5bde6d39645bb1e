// The messages between the shell, its worker and the service worker, as types; there is no code here.

/**
 * What the worker needs to start, as URLs that end with a slash but for the archive.
 *
 * @typedef {object} Pieces
 * @property {string} pyodide
 * @property {string} solver
 * @property {string} archive
 * @property {string} application The URL of the application, without a slash at its end.
 * @property {string} storage The name of the database in the browser.
 */

/**
 * A request for the application.
 *
 * @typedef {object} AskMessage
 * @property {"ask"} type
 * @property {number} id
 * @property {string} method
 * @property {string} url
 * @property {[string, string][]} headers
 * @property {ArrayBuffer | null} body
 */

/**
 * @typedef {object} AnswerMessage
 * @property {"answer"} type
 * @property {number} id
 * @property {number} status
 * @property {[string, string][]} headers
 * @property {Uint8Array} body
 */

/** @typedef {{ type: "start" | "load-solver", pieces: Pieces }} StartMessage */
/** @typedef {StartMessage | AskMessage} ToWorker */

/** @typedef {"python" | "application" | "page"} Step */
/** @typedef {{ type: "progress", step: Step }} Progress */
/** @typedef {{ type: "started" }} Started */
/** @typedef {{ type: "failed", detail: string }} Failed Python cannot go on: a new worker must start. */
/** @typedef {{ type: "taken-over" }} TakenOverMessage Another tab has taken over the files. */
/** @typedef {Progress | Started | Failed | TakenOverMessage | AnswerMessage} ToShell */

export {};
