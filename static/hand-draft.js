// What is typed in the form of a hand (one round of a match), between this device and the server.
//
// It is stored on this device with every key, as an entry of the outbox (outbox.js). After a short
// pause it is sent to be checked: the server keeps it as the draft of the hand, and answers with the
// content of the form, where mistakes are marked. "Save" sends it in the same way to be saved, and
// waits for the network where there is none.
//
// The form has the buttons `do=check` and `do=save`, with which it works without script too.

import { findRequired, inputNamed } from "./dom.js";
import { valuesOf, withoutNames, withValue } from "./form-fields.js";
import { calmStatus, showAlarm, showMessage, shownMessage } from "./hand-status.js";
import { formWithContent, UNTYPED_FIELDS, updateHand } from "./hand-update.js";
import { HAND_ENTRIES, Outbox, removeEntries } from "./outbox.js";
import { isDenied } from "./server.js";

/** @import { FieldValues } from "./form-fields.js" */
/** @import { Answer } from "./server.js" */

/**
 * What became of an attempt to send the form.
 *
 * - `checked`, `saved`: the server has done so;
 * - `unsent`: nobody answered, there is no room to store it, or this device may not write;
 * - `left`: the server shows a page of its own that says what is wrong.
 *
 * @typedef {"checked" | "saved" | "unsent" | "left"} Outcome
 */

/** How long typing pauses before the hand is checked, in milliseconds. */
const PAUSE = 500;

/** A hand that is being typed, and its way to the server. */
export class HandDraft {
  /** Something was typed that the server does not have. */
  hasChanges = false;

  /**
   * Whether somebody asked to save the hand, and that has not been done yet; `outdated`: the hand
   * was changed since, so that it is not saved until somebody asks again.
   *
   * @type {"no" | "asked" | "outdated"}
   */
  saving = "no";

  /** The next page is on its way: nothing is sent from this one any more. */
  isLeaving = false;

  /** The server did not answer when it was asked last. */
  isAway = false;

  /** This device may not write any more: what is typed stays on it. */
  isReadOnly = false;

  /** The timer of the next check. */
  #timer = 0;

  /** The message that was shown when this device lost the right to write. */
  #messageBefore = "";

  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;

    /** The texts of all messages; they are attributes of the form, such as `data-waiting`. */
    this.messages = form.dataset;

    this.checkUrl = form.dataset.check ?? "";

    /** A hand that was saved before is corrected. The server keeps no draft of a correction. */
    this.isCorrection = this.valueOf("seen") !== "0";

    /** This page shows again what was sent, because it could not be saved or checked. */
    this.isShownAgain = "shownAgain" in form.dataset;

    this.entryPrefix = `${HAND_ENTRIES}${form.getAttribute("action")}:`;
    const hand = `${this.valueOf("hand")}:${this.valueOf("seen")}`;
    this.outbox = new Outbox(this.entryPrefix + hand);
  }

  /** Whether nothing is typed, on its way, or waiting. */
  get isIdle() {
    if (this.isLeaving || this.isShownAgain || this.isCorrection) return false;
    const isWaiting = this.hasChanges || this.saving === "asked";
    const isSending = this.outbox.isBusy;
    return !isWaiting && !isSending;
  }

  /**
   * The value of an input field of the form.
   *
   * @param {string} name
   * @returns {string}
   */
  valueOf(name) {
    return inputNamed(this.form, name).value;
  }

  /**
   * All fields as the form sends them.
   *
   * @returns {FieldValues}
   */
  values() {
    return valuesOf(this.form);
  }

  // -------------------------------------------------------------- on this device

  /** Stores what is typed on this device. */
  store() {
    const isSubmission = this.saving === "asked";
    const isOnlyHere = this.isAway && !this.isCorrection;
    this.outbox.store({
      values: this.values(),
      version: this.valueOf("version"),
      isSubmission,
      isReported: isSubmission || isOnlyHere,
    });
  }

  /** After a check, stores what the server does not keep; otherwise the entry is not needed. */
  #storeOrForget() {
    const isKeptByServer = !this.hasChanges && !this.isCorrection;
    if (isKeptByServer) this.outbox.remove();
    else this.store();
  }

  /** Removes what was stored of all hands of this form. */
  forgetAll() {
    removeEntries(this.entryPrefix);
  }

  /** Stores a page that shows again what was sent, and says that it is on this device only. */
  keepShownAgain() {
    this.isAway = true;
    this.store();
    showAlarm(this.#onlyHereMessage());
  }

  // -------------------------------------------------------------- messages

  /** The message that what is typed is on this device only: stored, or just on the screen. */
  #onlyHereMessage() {
    return this.outbox.isStored ? this.messages.unkept : this.messages.screen;
  }

  /** The message why what is typed has not reached the server. */
  #unsentMessage() {
    const { messages } = this;
    const { isStored } = this.outbox;
    if (this.isReadOnly) return isStored ? messages.barred : messages.barredScreen;
    if (this.outbox.lacksRoom) return isStored ? messages.noRoom : messages.noRoomScreen;
    if (this.saving === "asked") return messages.waiting;
    if (this.saving === "outdated") return messages.unsent;
    return isStored ? messages.away : messages.screen;
  }

  /** The message after a key: what is typed will be checked, or must be saved again. */
  #typedMessage() {
    return this.saving === "outdated" ? this.messages.unsent : this.messages.sending;
  }

  // -------------------------------------------------------------- typing

  /** Must be called when something was typed: stores it, and lets the server check it soon. */
  change() {
    this.hasChanges = true;
    this.#outdateSave();
    this.store();
    if (!this.isReadOnly) showMessage(this.#typedMessage());
    this.#checkSoon();
  }

  /** A hand that was changed is saved only when somebody asks for that again. */
  #outdateSave() {
    if (this.saving === "asked") this.saving = "outdated";
  }

  #checkSoon() {
    this.#cancelPlanned();
    this.#timer = setTimeout(() => this.check(), PAUSE);
  }

  #cancelPlanned() {
    clearTimeout(this.#timer);
    this.outbox.cancelRetry();
  }

  // -------------------------------------------------------------- checking

  /**
   * Sends what is typed to the server, which checks and keeps it.
   *
   * @returns {Promise<Outcome>}
   */
  check() {
    this.#cancelPlanned();
    return this.outbox.attempt(() => this.#attemptCheck());
  }

  /** @returns {Promise<Outcome>} */
  async #attemptCheck() {
    if (this.isLeaving) return "saved";
    const sentValues = this.values();
    const answer = await this.#post(this.checkUrl, sentValues, "check");
    if (!answer) return "unsent";
    if (answer.status !== 200) return this.leaveBy("check");
    this.#showChecked(answer, sentValues);
    return "checked";
  }

  /**
   * Shows what the server says of a checked hand. It may have joined to it what another device typed
   * in the same hand; that must be seen before the hand is saved.
   *
   * @param {Answer} answer
   * @param {FieldValues} sentValues
   */
  #showChecked(answer, sentValues) {
    const hasOthersFields = answer.headers.has("Scorepad-Joined");
    this.isShownAgain = false;
    if (hasOthersFields) this.#outdateSave();
    updateHand(this.form, formWithContent(answer.html), sentValues);

    calmStatus();
    const isSaveStopped = hasOthersFields && this.saving === "outdated";
    if (isSaveStopped) {
      this.saving = "no";
      showAlarm(this.messages.joined);
    } else if (this.hasChanges) {
      showMessage(this.messages.sending);
    } else if (this.isCorrection) {
      showMessage(this.#onlyHereMessage());
    }
    this.#storeOrForget();
  }

  // -------------------------------------------------------------- saving

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

  /** @returns {Promise<Outcome>} */
  #sendSave() {
    this.#cancelPlanned();
    return this.outbox.attempt(() => this.#attemptSave());
  }

  /** @returns {Promise<Outcome>} */
  async #attemptSave() {
    if (this.isLeaving) return "saved";
    if (this.saving !== "asked") return "unsent"; // the hand was changed while this one waited
    showMessage(this.messages.saving);
    const answer = await this.#post(this.form.action, this.values(), "save");
    if (!answer) return "unsent";
    if (!answer.redirect) return this.leaveBy("save");
    // If something was changed meanwhile, the server shows it beside what was saved.
    if (this.hasChanges) this.#checkSoon();
    else this.goTo(answer.redirect);
    return "saved";
  }

  // -------------------------------------------------------------- sending

  /**
   * Sends the form, and returns the answer; null if nobody answers, if there is no room to store what
   * is typed, or if this device may not write. Afterwards `hasChanges` says whether anything is
   * typed that the server does not have.
   *
   * @param {string} url
   * @param {FieldValues} values
   * @param {"check" | "save"} step
   * @returns {Promise<Answer | null>}
   */
  async #post(url, values, step) {
    this.hasChanges = false;
    const answer = await this.outbox.post(url, withValue(values, "do", step));
    if (!answer) {
      this.hasChanges = true;
      this.#sendLater();
      return null;
    }
    this.#setAway(false);
    if (isDenied(answer)) {
      this.hasChanges = true;
      this.forbidWriting();
      return null;
    }
    if (this.isReadOnly) this.allowWriting();
    return answer;
  }

  /** Says that nothing could be sent, and sends again later. */
  #sendLater() {
    this.#setAway(true);
    this.store();
    showAlarm(this.#unsentMessage());
    clearTimeout(this.#timer);
    this.outbox.retry(() => this.#sendAgain());
  }

  #sendAgain() {
    if (this.saving === "asked") this.#sendSave();
    else this.check();
  }

  /**
   * Remembers whether the server is away: then what the page says of the hand may be old.
   *
   * @param {boolean} isAway
   */
  #setAway(isAway) {
    this.isAway = isAway;
    this.form.classList.toggle("unheard", isAway);
  }

  /** Sends what is not yet sent, while the page is being closed. */
  sendLast() {
    if (!this.hasChanges || this.isLeaving) return;
    const values = withValue(this.values(), "do", "check");
    navigator.sendBeacon(this.checkUrl, new URLSearchParams(values));
  }

  // -------------------------------------------------------------- what this device may do

  /** This device may not write in the match any more: keeps here what is typed, and says so. */
  forbidWriting() {
    if (!this.isReadOnly) this.#messageBefore = shownMessage();
    this.isReadOnly = true;
    this.saving = "no";
    this.#setAway(true);
    this.#button("save").disabled = true;
    this.store();
    showAlarm(this.#unsentMessage());
  }

  /** This device may write again. */
  allowWriting() {
    this.isReadOnly = false;
    this.#setAway(false);
    this.#button("save").disabled = false;
  }

  /** Shows the message of before, and sends what was typed while this device might not write. */
  resume() {
    showMessage(this.#messageBefore);
    if (this.hasChanges) this.check();
    else this.outbox.remove();
  }

  // -------------------------------------------------------------- leaving the page

  /**
   * Goes to another page when the hand is saved. It replaces this one in the history of the browser,
   * so that "back" does not lead to the form of a saved hand.
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
   * says what is wrong, or asks which of two versions is to stand. What is typed stays stored until
   * that is decided.
   *
   * @param {string} step The value of the button: `check`, `save` or, for a penalty, `noted.…`.
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

  /**
   * The button of the form with this value.
   *
   * @param {string} step
   * @returns {HTMLButtonElement}
   */
  #button(step) {
    const selector = `button[name="do"][value="${step}"]`;
    return findRequired(this.form, selector, HTMLButtonElement);
  }
}

/**
 * What was typed among the values of a form, as a text to compare: two forms with the same texts in
 * the same fields give the same, whatever the order. Blank fields do not count.
 *
 * @param {FieldValues} values
 * @returns {string}
 */
export function typedContent(values) {
  const fields = withoutNames(values, UNTYPED_FIELDS);
  const filledIn = fields.filter(([, value]) => value.trim() !== "");
  return JSON.stringify(filledIn.sort());
}
