// Keeps the screen on while a match is open: the phone lies beside the cards.

/** @type {WakeLockSentinel | null} */
let lock = null;

let isWanted = false;

/**
 * Says whether the page that is shown is one during which the screen stays on.
 *
 * @param {boolean} isMatch
 */
export async function keepScreenOn(isMatch) {
  isWanted = isMatch;
  if (isWanted) await request();
  else await release();
}

async function request() {
  const isHeld = lock !== null && !lock.released;
  if (isHeld || !("wakeLock" in navigator)) return;
  try {
    lock = await navigator.wakeLock.request("screen");
  } catch {
    lock = null; // the battery is low, or the page is in the background
  }
}

async function release() {
  await lock?.release();
  lock = null;
}

// The browser releases the lock when the page goes to the background.
document.addEventListener("visibilitychange", () => {
  if (isWanted && document.visibilityState === "visible") request();
});
