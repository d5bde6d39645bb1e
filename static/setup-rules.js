// The rules of a match: each line shows the value chosen in it, the heading how many lines differ
// from the usual rules.

import { find, findAll } from "./dom.js";
import { fillIn } from "./setup-names.js";

/**
 * Shows what is chosen in the lines of the rules, and in the heading above them.
 *
 * @param {HTMLFormElement} form
 */
export function showChosenRules(form) {
  const preset = find(form, "input[name=preset]:checked", HTMLInputElement);
  const isPresetOfPage = !preset || preset.defaultChecked;
  let differing = 0;
  for (const line of findAll(form, ".rule", HTMLElement)) {
    const differs = isDifferent(line);
    line.classList.toggle("differs", differs);
    if (differs) differing += 1;
    showChosenValue(line, isPresetOfPage);
  }
  showHeading(differing);
}

/** @param {number} differing */
function showHeading(differing) {
  const heading = find(document, "[data-rules]", HTMLElement);
  if (!heading) return;
  const { none = "", one = "", many } = heading.dataset;
  if (differing === 0) heading.textContent = none;
  else if (differing === 1) heading.textContent = one;
  else heading.textContent = fillIn(many, { count: differing });
}

/**
 * Whether a line has a value that is not the usual one: a usual value is sent as an empty text.
 *
 * @param {HTMLElement} line
 * @returns {boolean}
 */
function isDifferent(line) {
  const chosen = find(line, "input:checked", HTMLInputElement);
  if (chosen?.name === "preset") return false;
  const field = chosen ?? find(line, "input[type=text]", HTMLInputElement);
  return Boolean(field?.value.trim());
}

/**
 * Shows the chosen value beside the name of a rule. The label of a choice that follows the preset
 * names the value of the preset that the page was made for: under another preset the detail is
 * shown, which says that the choice follows.
 *
 * @param {HTMLElement} line
 * @param {boolean} isPresetOfPage
 */
function showChosenValue(line, isPresetOfPage) {
  const chosen = find(line, "input:checked", HTMLInputElement);
  const label = chosen?.labels?.[0];
  const shown = find(line, ".rule-value", HTMLElement);
  if (!chosen || !label || !shown) return;
  const followsPreset = chosen.value === "";
  const detail = followsPreset && !isPresetOfPage && label.querySelector(".detail");
  const text = detail || label.firstChild;
  shown.textContent = (text?.textContent ?? "").trim();
}
