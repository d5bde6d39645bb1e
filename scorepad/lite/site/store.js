// The files of the pad in the storage of the browser (IndexedDB).
//
// Each tab that opens the files becomes their owner. A tab that was owner before can store nothing
// any more: it would overwrite what the new owner has stored.

const FILES = "files";
const STATE = "state";
const OWNER = "owner";

/** Another tab has taken over the files. */
export class TakenOver extends Error {}

/**
 * The result of a request to the database.
 *
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function resultOf(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * Ends when a transaction is on the disk.
 *
 * @param {IDBTransaction} transaction
 * @returns {Promise<void>}
 */
function endOf(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("The transaction ended."));
  });
}

export class FileStore {
  /** @type {string} Names this tab among all that ever opened the files. */
  #owner = crypto.randomUUID();

  /** @param {IDBDatabase} database */
  constructor(database) {
    this.database = database;
  }

  /**
   * Opens the files of a site, and takes them over.
   *
   * @param {string} name
   * @returns {Promise<FileStore>}
   */
  static async open(name) {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(FILES);
      request.result.createObjectStore(STATE);
    };
    const store = new FileStore(await resultOf(request));
    const transaction = store.#write();
    transaction.objectStore(STATE).put(store.#owner, OWNER);
    await endOf(transaction);
    return store;
  }

  /**
   * All files by name.
   *
   * @returns {Promise<Map<string, Uint8Array>>}
   */
  async load() {
    const files = this.database.transaction(FILES).objectStore(FILES);
    const [names, contents] = await Promise.all([
      resultOf(files.getAllKeys()),
      resultOf(files.getAll()),
    ]);
    const byName = new Map();
    for (const [index, name] of names.entries()) byName.set(name, contents[index]);
    return byName;
  }

  /**
   * Stores changed files, all or none; undefined instead of a content deletes the file. Ends when
   * they are on the disk. Throws TakenOver, or what the browser says.
   *
   * @param {Map<string, Uint8Array | undefined>} changes
   */
  async save(changes) {
    const transaction = this.#write();
    const end = endOf(transaction);
    const owner = await resultOf(transaction.objectStore(STATE).get(OWNER));
    if (owner !== this.#owner) {
      transaction.abort();
      await end.catch(() => {});
      throw new TakenOver();
    }
    const files = transaction.objectStore(FILES);
    try {
      for (const [name, content] of changes) {
        if (content) files.put(content, name);
        else files.delete(name);
      }
    } catch (error) {
      transaction.abort(); // what was put before must not be stored alone
      await end.catch(() => {});
      throw error;
    }
    await end;
  }

  /** A transaction that has ended only when its changes are on the disk. */
  #write() {
    return this.database.transaction([FILES, STATE], "readwrite", { durability: "strict" });
  }
}
