// The worker in which Python runs: it answers requests with the application, and stores what they
// have changed before it passes the answer on.

import { FileStore, TakenOver } from "./store.js";

/** @import { AskMessage, Pieces, ToShell, ToWorker } from "./messages.js" */

/**
 * URLs of the pages that need no solver: the home page, and that of a match. The pad starts with one
 * of them, most often, and loads the solver afterwards.
 */
const WITHOUT_SOLVER = /\/app\/(partite\/[a-z0-9]+)?$/;

/** The folder of the modules, in the memory of Python. */
const MODULES = "/app";

/** The module by which the others are imported (scorepad/lite/inside/archive_importer.py). */
const IMPORTER = "archive_importer.pyc";

/** @type {any} Pyodide. */
let python;

/** @type {any} The `Bridge` in Python (scorepad/lite/inside/bridge.py). */
let bridge;

/** @type {FileStore} */
let store;

/** @type {Promise<void> | null} Ends when the solver is loaded; null: nothing has needed it. */
let solver = null;

/** @type {Pieces} What the worker has started with. */
let pieces;

/** @type {Promise<unknown>} Ends when everything asked so far is answered: one after the other. */
let lastAnswer = Promise.resolve();

// ---------------------------------------------------------------- the start

/**
 * Holds a lock until this worker ends. The browser then grants it to the shell, which may learn in
 * no other way that the worker has ended.
 *
 * @param {string} name
 */
function holdLock(name) {
  navigator.locks.request(name, () => {
    tell({ type: "alive" });
    return new Promise(() => {});
  });
}

/**
 * Fetches a file, and reports how much of it has come.
 *
 * @param {string} url
 * @returns {Promise<Response>}
 */
async function load(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response;
}

/**
 * Fetches the archive with the application and its libraries.
 *
 * @param {string} url
 * @returns {Promise<Uint8Array>}
 */
async function loadArchive(url) {
  const response = await load(url);
  if (!response.body) throw new Error(`${url}: no content`);
  const content = response.body.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(content).arrayBuffer());
}

/**
 * Puts the files of an archive into the memory of Python. The archive is an index as JSON, after
 * four bytes with its length, and then the contents of the files one after the other. Modules stay
 * in it, but for the one that imports them from there.
 *
 * @param {Uint8Array} archive
 */
function unpack(archive) {
  const view = new DataView(archive.buffer, archive.byteOffset);
  const indexLength = view.getUint32(0);
  let position = 4 + indexLength;
  const index = JSON.parse(new TextDecoder().decode(archive.subarray(4, position)));
  const folders = new Set();
  for (const [name, size] of index) {
    const content = archive.subarray(position, position + size);
    position += size;
    if (name.endsWith(".pyc") && name !== IMPORTER) continue;
    const path = `${MODULES}/${name}`;
    const separator = path.lastIndexOf("/");
    const folder = path.slice(0, separator);
    if (!folders.has(folder)) {
      python.FS.mkdirTree(folder);
      folders.add(folder);
    }
    // The last argument: the memory of the archive is the file, nothing is copied.
    python.FS.createDataFile(folder, path.slice(separator + 1), content, true, true, true);
  }
}

/** Loads Python, the application and the stored files. */
async function start() {
  const loadedArchive = loadArchive(pieces.archive);
  const { loadPyodide } = await import(`${pieces.pyodide}pyodide.mjs`);
  tell({ type: "progress", step: "python" });
  python = await loadPyodide({ indexURL: pieces.pyodide });
  tell({ type: "progress", step: "application" });
  const archive = await loadedArchive;
  unpack(archive);
  store = await FileStore.open(pieces.storage);
  const files = await store.load();

  python.runPython(`import sys; sys.path.insert(0, "${MODULES}")`);
  python.pyimport("archive_importer").install(archive, MODULES);
  const module = python.pyimport("scorepad.lite.inside.bridge");
  bridge = module.Bridge(pieces.application, python.toPy(files));
  tell({ type: "progress", step: "page" });
}

/** Loads the solver, unless that has been done. */
async function loadSolver() {
  solver ??= fetchSolver();
  try {
    await solver;
  } catch {
    solver = null; // the next page tries again; without it, only a few pages cannot be shown
  }
}

async function fetchSolver() {
  const { default: createSolver } = await import(`${pieces.solver}highs.mjs`);
  const module = await createSolver({
    locateFile: (/** @type {string} */ name) => pieces.solver + name,
  });
  python.registerJsModule("highs_js", module);
}

// ---------------------------------------------------------------- requests

/**
 * The answer of the application, as it comes from Python.
 *
 * @param {any} answer
 */
function unwrap(answer) {
  const [status, headers, body] = answer.toJs();
  answer.destroy();
  return { status, headers, body };
}

/**
 * Answers a request when its changes are stored. If they cannot be stored, the files become again
 * what is stored, and the answer is the page that says so.
 *
 * @param {AskMessage} message
 */
async function answer({ id, method, url, headers, body }) {
  if (!WITHOUT_SOLVER.test(url)) await loadSolver();
  const sentHeaders = python.toPy(headers);
  const sentBody = body ? python.toPy(new Uint8Array(body)) : undefined;
  const response = unwrap(bridge.answer(method, url, sentHeaders, sentBody));
  try {
    await storeChanges();
  } catch (error) {
    if (error instanceof TakenOver) {
      tell({ type: "taken-over" });
      return;
    }
    bridge.put_back(python.toPy(await store.load()));
    const detail = String(error);
    const refusal = bridge.answer_unsaved(method, url, sentHeaders, sentBody, detail);
    tell({ type: "answer", id, ...unwrap(refusal) });
    return;
  }
  tell({ type: "answer", id, ...response });
}

/** Stores the files that have changed; ends when they are on the disk. */
async function storeChanges() {
  const taken = bridge.take_changes();
  /** @type {Map<string, Uint8Array | undefined>} */
  const changes = taken.toJs({ dict_converter: (/** @type {any} */ items) => new Map(items) });
  taken.destroy();
  if (changes.size > 0) await store.save(changes);
}

// ---------------------------------------------------------------- messages

/** @param {ToShell} message */
function tell(message) {
  self.postMessage(message);
}

/** @param {unknown} error */
function tellFailure(error) {
  tell({ type: "failed", detail: String(error) });
}

self.onmessage = (/** @type {MessageEvent<ToWorker>} */ { data }) => {
  if (data.type === "start") {
    pieces = data.pieces;
    holdLock(data.lock);
    lastAnswer = start().then(() => tell({ type: "started" }), tellFailure);
  } else if (data.type === "load-solver") {
    lastAnswer = lastAnswer.then(loadSolver);
  } else {
    lastAnswer = lastAnswer.then(() => answer(data)).catch(tellFailure);
  }
};
