// The form of a hand: what is wrong in it or missing. The bar at its foot says how many problems
// there are and leads to the first; the list on top of the page says them all.

import { elementById, find, findAll } from "./dom.js";
import { isVisible } from "./hand-fields.js";

/** Lets the arrow of the bar show whether the first problem is above it or below. */
export function pointToProblem() {
  const link = find(document, "#bar-message a", HTMLAnchorElement);
  const field = link && document.getElementById(link.hash.slice(1));
  if (!field || !isVisible(field)) return;
  const isAbove = field.getBoundingClientRect().top < link.getBoundingClientRect().top;
  const arrow = isAbove ? "↑" : "↓";
  const text = link.textContent;
  if (!text.includes(arrow)) link.textContent = text.replace(/[↑↓]/, arrow);
}

/**
 * Lets the list on top of the page say what the bar says. An empty list is hidden.
 *
 * @param {HTMLFormElement} form
 */
export function showProblemSummary(form) {
  const summary = find(document, ".errors", HTMLElement);
  const heading = summary?.querySelector("h2");
  const list = summary?.querySelector("ul");
  if (!summary || !heading || !list) return;
  summary.removeAttribute("role"); // read aloud when the page came, and not with each letter
  heading.textContent = elementById("bar-message", HTMLElement).dataset.summary ?? "";

  const problems = findAll(form, "#bar-problems li, #bar-missing li", HTMLElement);
  const html = problems.map((problem) => problem.outerHTML.replace(' tabindex="-1"', "")).join("");
  if (list.innerHTML !== html) list.innerHTML = html;
  summary.hidden = problems.length === 0;
  if (summary.hidden) document.title = `${document.querySelector("h1")?.textContent} – scorepad`;
}

addEventListener("scroll", pointToProblem, { passive: true });
