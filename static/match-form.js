// A form of a match that is sent although the network may be away: until it has arrived, it stays on
// the page, and in the outbox of this device (outbox.js). The server answers by a page of its own.
//
// A form opts in with the attributes of the macro `later` (templates/parts.html): `data-later`, and
// the texts of the messages. `data-settles` has the beginning of the names of entries with hands
// that the form decides about; a link with `data-settled` on its page decides about them too.

import { closestTo, elementById, find } from "./dom.js";
import { fieldsIn, isBox, setFields, valuesNamed, valuesOf, withValue } from "./form-fields.js";
import { FORM_ENTRIES, Outbox, removeEntries } from "./outbox.js";
import { isDenied, submitAsPage } from "./server.js";

/** @import { FieldValues } from "./form-fields.js" */
/** @import { Answer } from "./server.js" */

/** After so many milliseconds without an answer the page says that the form is being sent. */
const SENDING_MESSAGE_DELAY = 600;

/** Sends a form, and waits for the network if need be. */
class FormSender {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    this.messages = form.dataset;
    const url = new URL(form.getAttribute("action") || location.pathname, location.href);
    this.path = url.pathname;
    this.outbox = new Outbox(`${FORM_ENTRIES}${this.path}`);
    this.statusLine = createStatusLine();

    /** @type {FieldValues | null} What is to be sent, until it has arrived. */
    this.submission = null;
  }

  // -------------------------------------------------------------- messages

  /** @param {string | undefined} text */
  showMessage(text = "") {
    const isShownAlready = this.statusLine.textContent === text; // else it is read aloud again
    if (!isShownAlready) this.statusLine.textContent = text;
  }

  clearMessage() {
    this.showMessage("");
  }

  /** Says that the form is being sent; if it is sent again, the page says already that it waits. */
  #showSending() {
    const isFirstAttempt = this.outbox.failures === 0;
    if (isFirstAttempt) this.showMessage(this.messages.sending);
  }

  /** The message why a submission waits on this device. */
  #unsentMessage() {
    const { messages } = this;
    const { isStored } = this.outbox;
    if (this.outbox.lacksRoom) return isStored ? messages.noRoom : messages.noRoomScreen;
    return isStored ? messages.waiting : messages.screen;
  }

  // -------------------------------------------------------------- what somebody does

  /**
   * Sends what the form has, by one of its buttons.
   *
   * @param {Element | null} button
   */
  submit(button) {
    this.submission = this.#valuesWithButton(button);
    this.send();
  }

  /**
   * The fields of the form, and the value of the button by which it is sent, if it has one.
   *
   * @param {Element | null} button
   * @returns {FieldValues}
   */
  #valuesWithButton(button) {
    const values = valuesOf(this.form);
    if (!(button instanceof HTMLButtonElement)) return values;
    const isOwnButton = button.form === this.form;
    if (!isOwnButton || button.name === "") return values;
    return withValue(values, button.name, button.value);
  }

  /** Stops sending, as something was changed: the form is sent when somebody asks for it again. */
  holdBack() {
    if (!this.submission) return;
    this.submission = null;
    this.outbox.cancelRetry();
    this.#store(valuesOf(this.form), { isSubmission: false });
    this.showMessage(this.messages.changed);
  }

  /** Removes the entries of hands that were decided about. */
  settle() {
    const { settles } = this.messages;
    if (settles) removeEntries(settles);
  }

  // -------------------------------------------------------------- on this device

  /**
   * Stores values of the form on this device.
   *
   * @param {FieldValues} values
   * @param {{ isSubmission: boolean }} options Whether they are sent as soon as possible.
   */
  #store(values, { isSubmission }) {
    this.outbox.store({ values, isSubmission, isReported: true });
  }

  /** Puts into the form what this device still has of it, and sends that. */
  restore() {
    const entry = this.outbox.storedEntry();
    if (!entry) return;
    const isPageTheAnswer = "shownAgain" in this.messages; // it shows what was sent, and what is wrong
    if (isPageTheAnswer) {
      this.outbox.remove();
      return;
    }
    const [token = ""] = valuesNamed(valuesOf(this.form), "csrf_token");
    const values = withValue(entry.values, "csrf_token", token);
    this.#fillIn(values);
    if (!entry.isSubmission) {
      this.showMessage(this.messages.changed);
      return;
    }
    this.submission = values;
    this.send();
  }

  /**
   * Sets all fields that have a value, and all boxes: a box without a value is not ticked.
   *
   * @param {FieldValues} values
   */
  #fillIn(values) {
    const names = new Set();
    for (const [name] of values) names.add(name);
    for (const field of fieldsIn(this.form)) {
      if (isBox(field)) names.add(field.name);
    }
    for (const name of names) setFields(this.form, name, valuesNamed(values, name));
  }

  // -------------------------------------------------------------- sending

  /** Sends the submission, once earlier attempts to send have ended. */
  send() {
    this.outbox.attempt(() => this.#attemptSend());
  }

  async #attemptSend() {
    const sentValues = this.submission;
    if (!sentValues) return;
    const timer = setTimeout(() => this.#showSending(), SENDING_MESSAGE_DELAY);
    const answer = await this.outbox.post(this.path, sentValues);
    clearTimeout(timer);
    if (answer) {
      this.#handleAnswer(answer, sentValues);
      return;
    }
    const { submission } = this; // null if something was changed meanwhile
    if (submission) this.#sendLater(submission);
  }

  /**
   * Stores a submission, says why it was not sent, and sends it again later.
   *
   * @param {FieldValues} submission
   */
  #sendLater(submission) {
    this.#store(submission, { isSubmission: true });
    this.showMessage(this.#unsentMessage());
    this.outbox.retry(() => this.send());
  }

  /**
   * Goes where the answer leads. If it leads nowhere, it is a page that says what is wrong.
   *
   * @param {Answer} answer
   * @param {FieldValues} sentValues
   */
  #handleAnswer(answer, sentValues) {
    this.submission = null;
    if (isDenied(answer)) {
      this.#keepDenied(sentValues);
      return;
    }
    this.outbox.remove();
    if (answer.redirect) {
      this.settle();
      goTo(answer.redirect);
      return;
    }
    if (answer.status === 200) this.settle();
    submitAsPage(this.path, sentValues);
  }

  /**
   * Keeps on this device what it may not send: no other page takes the place of what was typed.
   *
   * @param {FieldValues} values
   */
  #keepDenied(values) {
    this.#store(values, { isSubmission: false });
    const { barred, barredScreen } = this.messages;
    this.showMessage(this.outbox.isStored ? barred : barredScreen);
  }
}

/**
 * Loads a page, also the one that is shown: its URL without a `#part`, to which a browser would only
 * scroll.
 *
 * @param {string} url
 */
function goTo(url) {
  const [page] = new URL(url, location.href).href.split("#");
  const [shownPage] = location.href.split("#");
  const isShownAlready = page === shownPage;
  location.assign(isShownAlready ? page : url);
}

/**
 * Adds to the page a line for messages, which screen readers read aloud.
 *
 * @returns {HTMLElement}
 */
function createStatusLine() {
  const line = document.createElement("p");
  line.id = "sending";
  line.className = "live-status";
  line.setAttribute("role", "alert");
  elementById("live-said", HTMLElement).prepend(line);
  return line;
}

/**
 * Sends a form by a FormSender from now on.
 *
 * @param {HTMLFormElement} form
 */
function sendLater(form) {
  const sender = new FormSender(form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sender.submit(event.submitter ?? document.activeElement);
  });
  form.addEventListener("input", () => sender.holdBack());
  document.addEventListener("click", (event) => {
    const isDecision = closestTo(event, "[data-settled]") !== null;
    if (isDecision) sender.settle();
  });
  addEventListener("pagehide", () => sender.clearMessage());
  sender.restore();
}

const form = find(document, "form[data-later]", HTMLFormElement);
if (form) sendLater(form);
