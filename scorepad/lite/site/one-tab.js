// Only one tab may have the pad open: each would have its own copy of the file of the matches.

const LOCK = "scorepad";

/** Asks the tab that has the pad to give it up. */
const RELEASE = "release";

/** How long that tab may take to finish what it does, in milliseconds. */
const RELEASE_TIMEOUT = 5000;

export class OneTab {
  #channel;

  /** @type {() => void} */
  #release = () => {};

  /** @type {() => void} */
  #loseLock = () => {};

  /** @param {string} site The URL of the site: pads at other URLs are not concerned. */
  constructor(site) {
    this.lockName = `${LOCK} ${site}`;
    this.#channel = new BroadcastChannel(this.lockName);
  }

  /**
   * Takes the pad for this tab, if no other tab has it.
   *
   * @returns {Promise<boolean>}
   */
  take() {
    return this.#request({ ifAvailable: true });
  }

  /**
   * Takes the pad from the tab that has it. A tab that does not answer loses it all the same; it can
   * store nothing from then on (store.js).
   */
  async takeOver() {
    this.#channel.postMessage(RELEASE);
    const signal = AbortSignal.timeout(RELEASE_TIMEOUT);
    const isReleased = await this.#request({ signal }).catch(() => false);
    if (!isReleased) await this.#request({ steal: true });
  }

  /**
   * Calls a function when another tab asks for the pad, and gives the pad up when it has ended; and
   * another one when a tab has taken the pad without waiting for that.
   *
   * @param {() => Promise<void>} giveUp
   * @param {() => void} loseLock
   */
  onTakeover(giveUp, loseLock) {
    this.#loseLock = loseLock;
    this.#channel.onmessage = async ({ data }) => {
      if (data !== RELEASE) return;
      await giveUp();
      this.#release();
    };
  }

  /**
   * Requests the lock, and holds it until `#release` is called.
   *
   * @param {LockOptions} options
   * @returns {Promise<boolean>}
   */
  #request(options) {
    return new Promise((resolve, reject) => {
      let isHeld = false;
      navigator.locks
        .request(this.lockName, options, (lock) => {
          isHeld = lock !== null;
          resolve(isHeld);
          if (!isHeld) return undefined;
          return new Promise((release) => {
            this.#release = () => release(undefined);
          });
        })
        .catch((error) => {
          if (!isHeld) {
            reject(error);
            return;
          }
          this.#loseLock(); // another tab has not waited any longer
        });
    });
  }
}
