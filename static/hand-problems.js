// The form of a hand: what is wrong in it or missing. The bar at its foot says how many problems
// there are and leads to the first; the list on top of the page says them all.

import { elementById, find, findAll } from "./dom.js";
import { isVisible } from "./hand-fields.js";

/** Lets the arrow in the bar show whether the first problem is above the bar or below: "↑ 2 errors". */
export function pointToProblem() {
  const link = find(document, "#bar-message a", HTMLAnchorElement);
  if (!link) return;
  const field = document.getElementById(link.hash.slice(1)); // the link leads to the problem
  if (!field || !isVisible(field)) return;
  const isAbove = field.getBoundingClientRect().top < link.getBoundingClientRect().top;
  const arrow = isAbove ? "↑" : "↓";
  const text = link.textContent;
  if (!text.includes(arrow)) link.textContent = text.replace(/[↑↓]/, arrow);
}

/**
 * Lets the list on top of the page, which it has after a hand was refused, say what the bar says. An
 * empty list is hidden.
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
  showProblems(list, problems);
  const isSolved = problems.length === 0;
  summary.hidden = isSolved;
  if (isSolved) document.title = titleWithoutErrors();
}

/**
 * Shows copies of problems of the bar in the list on top of the page.
 *
 * @param {HTMLElement} list
 * @param {HTMLElement[]} problems
 */
function showProblems(list, problems) {
  let html = "";
  for (const problem of problems) {
    html += problem.outerHTML.replace(' tabindex="-1"', ""); // only the links of the bar have it
  }
  if (list.innerHTML !== html) list.innerHTML = html;
}

function titleWithoutErrors() {
  const heading = document.querySelector("h1");
  return `${heading?.textContent} – scorepad`;
}

addEventListener("scroll", pointToProblem, { passive: true });
