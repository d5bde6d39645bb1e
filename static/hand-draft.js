// What is typed in the form of a hand, between this device and the server. It is stored on this
// device with every key, and checked and kept by the server after a short pause; the answer is
// shown in the form. Saving goes the same way, and waits for the network where there is none.

import { findRequired, inputNamed } from "./dom.js";
import { valuesOf, withoutNames, withValue } from "./form-fields.js";
import { calmStatus, showAlarm, showMessage, shownMessage } from "./hand-status.js";
import { formWithContent, UNTYPED_FIELDS, updateHand } from "./hand-update.js";
import { HAND_ENTRIES, Outbox, removeEntries } from "./outbox.js";
import { isDenied } from "./server.js";

/** @import { FieldValues } from "./form-fields.js" */
/** @import { Answer } from "./server.js" */

/**
 * What became of an attempt to send: the server `checked` or `saved` the hand; nobody answered, or
 * this device may not write (`unsent`); or a page of the server says why (`left`).
 *
 * @typedef {"checked" | "saved" | "unsent" | "left"} Outcome
 */

/** How long typing pauses before the hand is checked, in milliseconds. */
const PAUSE = 500;

export class HandDraft {
  /** Something was typed that the server does not have. */
  hasChanges = false;

  /**
   * Whether saving was asked for and has not come through; `outdated`: something was changed since.
   *
   * @type {"no" | "asked" | "outdated"}
   */
  saving = "no";

  /** The next page is on its way, and this one is done. */
  isLeaving = false;

  /** The server did not answer when it was asked last. */
  isAway = false;

  /** This device may not write any more: what is typed stays on it. */
  isReadOnly = false;

  #timer = 0;
  #messageBefore = ""; // what was shown when the device lost the right to write

  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    this.messages = form.dataset;
    this.checkUrl = form.dataset.check ?? "";

    /** The server keeps nothing of a correction until it is saved. */
    this.isCorrection = this.valueOf("seen") !== "0";

    /** A page that shows again what was sent: the server kept nothing of it. */
    this.isShownAgain = "shownAgain" in this.messages;
    this.entryPrefix = `${HAND_ENTRIES}${form.getAttribute("action")}:`;
    const hand = `${this.valueOf("hand")}:${this.valueOf("seen")}`;
    this.outbox = new Outbox(this.entryPrefix + hand);
  }

  /** Whether nothing is typed, on its way, or waiting. */
  get isIdle() {
    const isOpen = !this.isLeaving && !this.isShownAgain && !this.isCorrection;
    return isOpen && !this.hasChanges && !this.outbox.isBusy && this.saving !== "asked";
  }

  /**
   * @param {string} name
   * @returns {string}
   */
  valueOf(name) {
    return inputNamed(this.form, name).value;
  }

  /** @returns {FieldValues} */
  values() {
    return valuesOf(this.form);
  }

  // -------------------------------------------------------------- on this device

  /** Stores what is typed on this device. */
  store() {
    const isSubmission = this.saving === "asked";
    this.outbox.store({
      values: this.values(),
      version: this.valueOf("version"),
      isSubmission,
      isReported: isSubmission || (this.isAway && !this.isCorrection),
    });
  }

  /** Forgets what was stored of all hands of this form. */
  forgetAll() {
    removeEntries(this.entryPrefix);
  }

  /** Says that what is typed has not reached the server. */
  #showUnsent() {
    const { messages } = this;
    const { isStored } = this.outbox;
    if (this.isReadOnly) showAlarm(isStored ? messages.barred : messages.barredScreen);
    else if (this.saving === "asked") showAlarm(messages.waiting);
    else if (this.saving === "outdated") showAlarm(messages.unsent);
    else showAlarm(isStored ? messages.away : messages.screen);
  }

  /** Stores a page that shows again what was sent, and says that it is on this device only. */
  keepShownAgain() {
    this.isAway = true;
    this.store();
    showAlarm(this.outbox.isStored ? this.messages.unkept : this.messages.screen);
  }

  // -------------------------------------------------------------- typing

  /** Something was typed: stores it, and lets the server check it soon. */
  change() {
    this.hasChanges = true;
    // A changed hand is saved only when that is asked for again.
    if (this.saving === "asked") this.saving = "outdated";
    this.store();
    if (!this.isReadOnly) {
      showMessage(this.saving === "outdated" ? this.messages.unsent : this.messages.sending);
    }
    this.#checkSoon();
  }

  #checkSoon() {
    this.#cancelPlanned();
    this.#timer = setTimeout(() => this.check(), PAUSE);
  }

  #cancelPlanned() {
    clearTimeout(this.#timer);
    this.outbox.cancelRetry();
  }

  // -------------------------------------------------------------- sending

  /**
   * Sends what is typed to the server, which checks and keeps it.
   *
   * @returns {Promise<Outcome>}
   */
  check() {
    this.#cancelPlanned();
    return this.outbox.attempt(() => this.#attemptCheck());
  }

  /**
   * Saves the hand, now or as soon as there is a network.
   *
   * @returns {Promise<Outcome>}
   */
  save() {
    this.saving = "asked";
    this.store();
    return this.#sendSave();
  }

  #sendSave() {
    this.#cancelPlanned();
    return this.outbox.attempt(() => this.#attemptSave());
  }

  /** @returns {Promise<Outcome>} */
  async #attemptCheck() {
    if (this.isLeaving) return "saved";
    const sent = this.values();
    const answer = await this.#post(this.checkUrl, sent, "check");
    if (!answer) return "unsent";
    if (answer.status === 200) return this.#showChecked(answer, sent);
    return this.leaveBy("check");
  }

  /** @returns {Promise<Outcome>} */
  async #attemptSave() {
    if (this.isLeaving) return "saved";
    if (this.saving !== "asked") return "unsent";
    showMessage(this.messages.saving);
    const answer = await this.#post(this.form.action, this.values(), "save");
    if (!answer) return "unsent";
    if (!answer.redirect) return this.leaveBy("save");
    // If something was changed meanwhile, the server shows it beside what was saved.
    if (this.hasChanges) this.#checkSoon();
    else this.goTo(answer.redirect);
    return "saved";
  }

  /**
   * Sends the form, and returns the answer if the server took it.
   *
   * @param {string} url
   * @param {FieldValues} values
   * @param {string} step
   * @returns {Promise<Answer | null>}
   */
  async #post(url, values, step) {
    this.hasChanges = false;
    const answer = await this.outbox.post(url, withValue(values, "do", step));
    if (!answer) {
      this.#waitForNetwork();
      return null;
    }
    this.#setAway(false);
    if (isDenied(answer)) {
      this.hasChanges = true;
      this.setReadOnly(true);
      return null;
    }
    if (this.isReadOnly) this.setReadOnly(false);
    return answer;
  }

  #waitForNetwork() {
    this.hasChanges = true;
    this.#setAway(true);
    this.store();
    this.#showUnsent();
    clearTimeout(this.#timer);
    this.outbox.retry(() => {
      if (this.saving === "asked") this.#sendSave();
      else this.check();
    });
  }

  /**
   * Shows what the server says of a checked hand.
   *
   * @param {Answer} answer
   * @param {FieldValues} sent
   * @returns {Outcome}
   */
  #showChecked(answer, sent) {
    this.isShownAgain = false;
    const hasOthersFields = answer.headers.has("Scorepad-Joined");
    // What another device typed must be seen before it is saved.
    if (hasOthersFields && this.saving === "asked") this.saving = "outdated";
    updateHand(this.form, formWithContent(answer.html), sent);
    calmStatus();
    if (this.isCorrection) {
      showMessage(this.outbox.isStored ? this.messages.unkept : this.messages.screen);
    }
    if (hasOthersFields && this.saving === "outdated") {
      this.saving = "no";
      showAlarm(this.messages.joined);
    } else if (this.hasChanges) {
      showMessage(this.messages.sending);
    }
    if (this.hasChanges || this.isCorrection) this.store();
    else this.outbox.remove();
    return "checked";
  }

  // -------------------------------------------------------------- what this device may do

  /** @param {boolean} isAway */
  #setAway(isAway) {
    this.isAway = isAway;
    this.form.classList.toggle("unheard", isAway); // what the page says of the hand may be old
  }

  /**
   * Remembers whether this device may still write, as the server answered here or to live.js.
   *
   * @param {boolean} isReadOnly
   */
  setReadOnly(isReadOnly) {
    if (isReadOnly && !this.isReadOnly) this.#messageBefore = shownMessage();
    this.isReadOnly = isReadOnly;
    this.#setAway(isReadOnly);
    this.#button("save").disabled = isReadOnly;
    if (!isReadOnly) return;
    this.saving = "no";
    this.store();
    this.#showUnsent();
  }

  /** Continues when the device may write again. */
  resume() {
    showMessage(this.#messageBefore);
    if (this.hasChanges) this.check();
    else this.outbox.remove();
  }

  // -------------------------------------------------------------- leaving the page

  /**
   * Goes to another page, in place of this one: "back" must not lead to a hand that was saved.
   *
   * @param {string} url
   */
  goTo(url) {
    this.outbox.remove();
    this.isLeaving = true;
    location.replace(url);
  }

  /**
   * Sends the form by one of its buttons as a browser without script does: the page that answers
   * says why, or asks which of two is to stand. What is typed stays stored until that is decided.
   *
   * @param {string} step
   * @returns {Outcome}
   */
  leaveBy(step) {
    this.isLeaving = true;
    this.saving = "no";
    this.isAway = true;
    this.store();
    this.#button(step).click();
    return "left";
  }

  /** Sends what is not yet sent, while the page is being closed. */
  sendLast() {
    if (!this.hasChanges || this.isLeaving) return;
    const values = withValue(this.values(), "do", "check");
    navigator.sendBeacon(this.checkUrl, new URLSearchParams(values));
  }

  /**
   * @param {string} step
   * @returns {HTMLButtonElement}
   */
  #button(step) {
    const selector = `button[name="do"][value="${step}"]`;
    return findRequired(this.form, selector, HTMLButtonElement);
  }
}

/**
 * What was typed among the values of a form, in a form that can be compared.
 *
 * @param {FieldValues} values
 * @returns {string}
 */
export function typedContent(values) {
  const typed = withoutNames(values, UNTYPED_FIELDS).filter(([, value]) => value.trim() !== "");
  return JSON.stringify(typed.sort());
}
