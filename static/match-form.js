// A form of a match that is sent although the network may be away: until it has arrived it stays on
// the page and in the outbox of this device. What the server answers is shown by its own page.
//
// A form opts in with the attributes of `later` (templates/parts.html). `data-settles`: the entries
// of hands that this form, or a link with `data-settled`, decides about.

import { closestTo, elementById, find } from "./dom.js";
import { fieldsIn, isBox, setFields, valuesNamed, valuesOf, withValue } from "./form-fields.js";
import { FORM_ENTRIES, Outbox, removeEntries } from "./outbox.js";
import { isDenied, submitAsPage } from "./server.js";

/** @import { FieldValues } from "./form-fields.js" */
/** @import { Answer } from "./server.js" */

/** After so many milliseconds the page says that something is on its way. */
const UNTIL_SAID = 600;

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
    this.submission = valuesOf(this.form);
    if (button instanceof HTMLButtonElement && button.form === this.form && button.name) {
      this.submission = withValue(this.submission, button.name, button.value);
    }
    this.send();
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
    if ("shownAgain" in this.messages) {
      this.outbox.remove(); // this page is the answer to it
      return;
    }
    const token = valuesOf(this.form).find(([name]) => name === "csrf_token")?.[1] ?? "";
    const values = withValue(entry.values, "csrf_token", token);
    const boxes = fieldsIn(this.form).filter(isBox);
    const names = [...boxes.map((box) => box.name), ...values.map(([name]) => name)];
    for (const name of new Set(names)) setFields(this.form, name, valuesNamed(values, name));
    if (!entry.isSubmission) {
      this.say(this.messages.changed);
      return;
    }
    this.submission = values;
    this.send();
  }

  /** Forgets the entries of hands that were decided about. */
  settle() {
    if (this.messages.settles) removeEntries(this.messages.settles);
  }

  send() {
    this.outbox.attempt(async () => {
      const sent = this.submission;
      if (!sent) return;
      const isFirst = this.outbox.failures === 0;
      const timer = isFirst ? setTimeout(() => this.say(this.messages.sending), UNTIL_SAID) : 0;
      const answer = await this.outbox.post(this.path, sent);
      clearTimeout(timer);
      if (answer) this.#handleAnswer(answer, sent);
      else if (this.submission) this.#waitForNetwork(this.submission);
    });
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
    if (answer.redirect || answer.status === 200) this.settle();
    if (answer.redirect) goTo(answer.redirect);
    else submitAsPage(this.path, sent);
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
  location.assign(page === shownPage ? page : url);
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
