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

/**
 * Says in the heading how many lines differ from the usual rules.
 *
 * @param {number} differing
 */
function showHeading(differing) {
  const heading = find(document, "[data-rules]", HTMLElement);
  if (heading) heading.textContent = headingText(heading, differing);
}

/**
 * @param {HTMLElement} heading It has the texts for none, one and many lines.
 * @param {number} differing
 * @returns {string}
 */
function headingText(heading, differing) {
  const { none = "", one = "", many } = heading.dataset;
  if (differing === 0) return none;
  if (differing === 1) return one;
  return fillIn(many, { count: differing });
}

/**
 * Whether a line has a value that is not the usual one: a usual value is sent as an empty text.
 *
 * @param {HTMLElement} line
 * @returns {boolean}
 */
function isDifferent(line) {
  const chosen = find(line, "input:checked", HTMLInputElement);
  const isPreset = chosen?.name === "preset";
  if (isPreset) return false;
  const field = chosen ?? find(line, "input[type=text]", HTMLInputElement);
  if (!field) return false;
  return field.value.trim() !== "";
}

/**
 * Shows the chosen value beside the name of a rule.
 *
 * @param {HTMLElement} line
 * @param {boolean} isPresetOfPage Whether the preset is chosen that the page was made for.
 */
function showChosenValue(line, isPresetOfPage) {
  const chosen = find(line, "input:checked", HTMLInputElement);
  const label = chosen?.labels?.[0];
  const shown = find(line, ".rule-value", HTMLElement);
  if (!chosen || !label || !shown) return;
  const followsPreset = chosen.value === "";
  const isLabelWrong = followsPreset && !isPresetOfPage;
  shown.textContent = isLabelWrong ? detailOf(label) : valueIn(label);
}

/**
 * The value that a label names.
 *
 * @param {HTMLElement} label
 * @returns {string}
 */
function valueIn(label) {
  const text = label.firstChild?.textContent ?? "";
  return text.trim();
}

/**
 * What a label says in its detail: that the choice follows the preset. The label of such a choice
 * names the value of the preset that the page was made for, which is wrong under another one.
 *
 * @param {HTMLElement} label
 * @returns {string}
 */
function detailOf(label) {
  const detail = label.querySelector(".detail");
  if (!detail) return valueIn(label);
  return detail.textContent.trim();
}
