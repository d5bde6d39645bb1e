// What the shell, its worker and the service worker tell each other, as types; there is no code here.

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

/** @typedef {{ type: "start", pieces: Pieces, lock: string }} StartMessage */
/** @typedef {{ type: "load-solver" }} LoadSolverMessage */
/** @typedef {StartMessage | LoadSolverMessage | AskMessage} ToWorker */

/** @typedef {"python" | "application" | "page"} Step */
/** @typedef {{ type: "alive" }} Alive The worker holds its lock, and does so until it ends. */
/** @typedef {{ type: "progress", step: Step }} Progress */
/** @typedef {{ type: "started" }} Started */
/** @typedef {{ type: "failed", detail: string }} Failed Python cannot go on: a new worker must start. */
/** @typedef {{ type: "taken-over" }} TakenOverMessage Another tab has taken over the files. */
/** @typedef {Alive | Progress | Started | Failed | TakenOverMessage | AnswerMessage} ToShell */

/**
 * What the service worker knows about its version.
 *
 * @typedef {object} Site
 * @property {string} version
 * @property {{ name: string, size: number }[]} files Paths below the site, and bytes.
 * @property {number} size Bytes of all files.
 */

/**
 * Which versions are stored.
 *
 * @typedef {object} Versions
 * @property {string} current The one in use.
 * @property {string | null} previous The one before, until the current one has shown its first page.
 * @property {string | null} failed One that did not start.
 * @property {number} attempts How often the current one tried to start before its first page.
 */

/** @typedef {Versions & { own: string }} VersionsOfWorker With the service worker's own version. */

/** @typedef {"claim" | "use-version" | "confirm-start" | "fall-back" | "get-versions"} ShellMessageType */
/** @typedef {{ type: ShellMessageType }} FromShell What the shell tells the service worker. */

export {};
