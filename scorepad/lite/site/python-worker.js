// The worker with Python, and what was asked of it. A worker that dies is started anew; what was
// asked is then asked again, if that cannot take effect twice.

/** @import { Pieces, Step, ToShell } from "./messages.js" */

/**
 * @typedef {object} Asked A request as the service worker sends it.
 * @property {string} method
 * @property {string} url
 * @property {[string, string][]} headers
 * @property {ArrayBuffer | null} body
 */

/** @typedef {{ request: Asked, port: MessagePort, attempts: number }} Pending */

/**
 * @typedef {object} Listeners
 * @property {(step: Step) => void} onStep The start has reached a step.
 * @property {() => void} onStarted
 * @property {(detail: string) => void} onStartFailed
 * @property {() => void} onTakenOver Another tab has taken over the files.
 */

/** How long an answer may take before the worker counts as dead, in milliseconds. */
const TIMEOUT = 60000;

/** How often a request is asked again after the worker has died. */
const MOST_ATTEMPTS = 3;

/** The field by which a form that is sent twice takes effect once. */
const REQUEST_ID = "request_id=";

/**
 * Whether a request may be asked again: it changes nothing, or the application recognises it.
 *
 * @param {Asked} request
 */
function mayBeRepeated({ method, body }) {
  if (method === "GET" || method === "HEAD") return true;
  if (!body) return false;
  return new TextDecoder().decode(body).includes(REQUEST_ID);
}

export class PythonWorker {
  /** @type {Worker | null} */
  #worker = null;

  /** The name of the lock that the worker holds as long as it lives. */
  #lock = "";

  #isStarted = false;

  #lastId = 0;

  /** @type {Map<number, Pending>} */
  #pending = new Map();

  /** @type {Map<number, number>} The timer of each request that was asked, by its id. */
  #timers = new Map();

  /**
   * @param {string} script The URL of the worker's script.
   * @param {Pieces} pieces
   * @param {Listeners} listeners
   */
  constructor(script, pieces, listeners) {
    this.script = script;
    this.pieces = pieces;
    this.listeners = listeners;
  }

  /** Whether this tab has the worker. It may be starting: what is asked then is answered later. */
  get isRunning() {
    return this.#worker !== null;
  }

  /** Starts the worker. */
  start() {
    this.#isStarted = false;
    this.#lock = `scorepad worker ${crypto.randomUUID()}`;
    const worker = new Worker(this.script, { type: "module" });
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = (event) => this.#handleFailure(event.message ?? "");
    worker.postMessage({ type: "start", pieces: this.pieces, lock: this.#lock });
    this.#worker = worker;
  }

  /** Loads the solver before a page needs it. */
  loadSolver() {
    this.#worker?.postMessage({ type: "load-solver" });
  }

  /** Ends the worker when what was asked so far is answered. */
  async stop() {
    while (this.#pending.size > 0) await new Promise((resolve) => setTimeout(resolve, 50));
    this.#end();
  }

  /** Ends the worker at once, and leaves what was asked unanswered. */
  abandon() {
    this.#end();
    this.#pending.clear();
  }

  /**
   * Asks the application; the answer goes to the port.
   *
   * @param {Asked} request
   * @param {MessagePort} port
   */
  ask(request, port) {
    this.#lastId += 1;
    this.#pending.set(this.#lastId, { request, port, attempts: 0 });
    if (this.#isStarted) this.#send(this.#lastId);
  }

  /** @param {number} id */
  #send(id) {
    const pending = this.#pending.get(id);
    if (!pending) return;
    pending.attempts += 1;
    const { method, url, headers, body } = pending.request;
    this.#worker?.postMessage({ type: "ask", id, method, url, headers, body });
    const timer = setTimeout(() => this.#handleFailure("The worker does not answer."), TIMEOUT);
    this.#timers.set(id, timer);
  }

  /** @param {ToShell} message */
  #receive(message) {
    if (message.type === "alive") this.#waitForEnd();
    if (message.type === "progress") this.listeners.onStep(message.step);
    if (message.type === "started") this.#handleStart();
    if (message.type === "failed") this.#handleFailure(message.detail);
    if (message.type === "taken-over") this.#handleTakeover();
    if (message.type === "answer") this.#pass(message.id, message);
  }

  /** Waits until the worker has ended. If nobody has ended it here, the browser has killed it. */
  async #waitForEnd() {
    const worker = this.#worker;
    await navigator.locks.request(this.#lock, () => {});
    if (this.#worker === worker) this.#handleFailure("The worker has ended.");
  }

  #handleStart() {
    this.#isStarted = true;
    this.listeners.onStarted();
    for (const id of this.#pending.keys()) this.#send(id);
  }

  #handleTakeover() {
    this.#end();
    this.listeners.onTakenOver();
  }

  /**
   * Passes an answer on to who asked.
   *
   * @param {number} id
   * @param {{ status: number, headers: [string, string][], body: Uint8Array }} answer
   */
  #pass(id, { status, headers, body }) {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.port.postMessage({ status, headers, body });
  }

  /**
   * Starts a new worker after this one has died, and keeps what may be asked again.
   *
   * @param {string} detail
   */
  #handleFailure(detail) {
    const wasStarted = this.#isStarted;
    this.#end();
    if (!wasStarted) {
      this.listeners.onStartFailed(detail);
      return;
    }
    for (const [id, { request, attempts }] of this.#pending) {
      const isGivenUp = attempts >= MOST_ATTEMPTS || (attempts > 0 && !mayBeRepeated(request));
      if (isGivenUp) this.#pass(id, { status: 503, headers: [], body: new Uint8Array() });
    }
    this.start();
  }

  #end() {
    this.#worker?.terminate();
    this.#worker = null;
    this.#isStarted = false;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
