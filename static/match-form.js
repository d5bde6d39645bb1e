// A form of a match that is sent although the network may be away: until it has arrived it stays on
// the page and in the outbox of this device (outbox.js: what the server does not have yet). What the
// server answers is shown by its own page.
//
// A form opts in with the attributes of `later` (templates/parts.html). `data-settles`: the entries
// of hands that this form, or a link with `data-settled`, decides about.

import { closestTo, elementById, find } from "./dom.js";
import { fieldsIn, isBox, setFields, valuesNamed, valuesOf, withValue } from "./form-fields.js";
import { FORM_ENTRIES, Outbox, removeEntries } from "./outbox.js";
import { isDenied, submitAsPage } from "./server.js";

/** @import { FieldValues } from "./form-fields.js" */
/** @import { Answer } from "./server.js" */

/** After so many milliseconds without an answer the page says that the form is being sent. */
const SENDING_MESSAGE_DELAY = 600;

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

  /** @param {string | undefined} text */
  say(text = "") {
    if (this.statusLine.textContent !== text) this.statusLine.textContent = text;
  }

  /**
   * Sends what the form has, by one of its buttons.
   *
   * @param {Element | null} button
   */
  submit(button) {
    const values = valuesOf(this.form);
    this.submission = this.#isOwnButton(button)
      ? withValue(values, button.name, button.value)
      : values;
    this.send();
  }

  /**
   * Whether an element is a button of this form that has a value to send.
   *
   * @param {Element | null} element
   * @returns {element is HTMLButtonElement}
   */
  #isOwnButton(element) {
    if (!(element instanceof HTMLButtonElement)) return false;
    return element.form === this.form && element.name !== "";
  }

  /** Something was changed: the form is sent only when that is asked for again. */
  holdBack() {
    if (!this.submission) return;
    this.submission = null;
    this.outbox.cancelRetry();
    this.outbox.store({ values: valuesOf(this.form), isSubmission: false, isReported: true });
    this.say(this.messages.changed);
  }

  /** Puts into the form what this device still had of it, and sends that. */
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
    this.#fill(values);
    if (!entry.isSubmission) {
      this.say(this.messages.changed);
      return;
    }
    this.submission = values;
    this.send();
  }

  /**
   * Sets the fields that have a value, and all boxes: those without a value are not ticked.
   *
   * @param {FieldValues} values
   */
  #fill(values) {
    const boxes = fieldsIn(this.form).filter(isBox);
    const namesOfBoxes = boxes.map((box) => box.name);
    const namesOfValues = values.map(([name]) => name);
    const names = new Set([...namesOfBoxes, ...namesOfValues]);
    for (const name of names) setFields(this.form, name, valuesNamed(values, name));
  }

  /** Forgets the entries of hands that were decided about. */
  settle() {
    if (this.messages.settles) removeEntries(this.messages.settles);
  }

  /** Sends the submission, once earlier attempts to send have ended. */
  send() {
    this.outbox.attempt(() => this.#attemptSend());
  }

  async #attemptSend() {
    const sent = this.submission;
    if (!sent) return;
    const timer = setTimeout(() => this.#saySending(), SENDING_MESSAGE_DELAY);
    const answer = await this.outbox.post(this.path, sent);
    clearTimeout(timer);
    if (answer) {
      this.#handleAnswer(answer, sent);
      return;
    }
    // Where something was changed meanwhile, there is no submission any more.
    if (this.submission) this.#waitForNetwork(this.submission);
  }

  #saySending() {
    const isFirstAttempt = this.outbox.failures === 0; // later the page says that the form waits
    if (isFirstAttempt) this.say(this.messages.sending);
  }

  /** @param {FieldValues} submission */
  #waitForNetwork(submission) {
    this.outbox.store({ values: submission, isSubmission: true, isReported: true });
    this.say(this.outbox.isStored ? this.messages.waiting : this.messages.screen);
    this.outbox.retry(() => this.send());
  }

  /**
   * Goes where the answer leads. Where it leads nowhere it is a page, which says what is wrong.
   *
   * @param {Answer} answer
   * @param {FieldValues} sent
   */
  #handleAnswer(answer, sent) {
    this.submission = null;
    if (isDenied(answer)) {
      // Nothing leads away from what was typed.
      this.outbox.store({ values: sent, isSubmission: false, isReported: true });
      this.say(this.outbox.isStored ? this.messages.barred : this.messages.barredScreen);
      return;
    }
    this.outbox.remove();
    if (answer.redirect) {
      this.settle();
      goTo(answer.redirect);
      return;
    }
    if (answer.status === 200) this.settle();
    submitAsPage(this.path, sent);
  }
}

/**
 * Loads a page. To a place on the page that is shown, a browser would only scroll.
 *
 * @param {string} url
 */
function goTo(url) {
  const [page] = new URL(url, location.href).href.split("#");
  const [shownPage] = location.href.split("#");
  const isShownAlready = page === shownPage;
  location.assign(isShownAlready ? page : url);
}

/** @returns {HTMLElement} */
function createStatusLine() {
  const line = document.createElement("p");
  line.id = "sending";
  line.className = "live-status";
  line.setAttribute("role", "alert");
  elementById("live-said", HTMLElement).prepend(line);
  return line;
}

/** @param {HTMLFormElement} form */
function sendLater(form) {
  const sender = new FormSender(form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sender.submit(event.submitter ?? document.activeElement);
  });
  form.addEventListener("input", () => sender.holdBack());
  document.addEventListener("click", (event) => {
    if (closestTo(event, "[data-settled]")) sender.settle();
  });
  addEventListener("pagehide", () => sender.say(""));
  sender.restore();
}

const form = find(document, "form[data-later]", HTMLFormElement);
if (form) sendLater(form);
