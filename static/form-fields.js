// The fields of forms, and what was typed in them.

import { findAll } from "./dom.js";

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */

/**
 * Names and values as a form sends them, in its order.
 *
 * @typedef {[name: string, value: string][]} FieldValues
 */

/**
 * What a form would send.
 *
 * @param {HTMLFormElement} form
 * @returns {FieldValues}
 */
export function valuesOf(form) {
  /** @type {FieldValues} */
  const values = [];
  for (const [name, value] of new FormData(form)) values.push([name, String(value)]);
  return values;
}

/**
 * Values in which a name stands once, with this value.
 *
 * @param {FieldValues} values
 * @param {string} name
 * @param {string} value
 * @returns {FieldValues}
 */
export function withValue(values, name, value) {
  return [...withoutNames(values, [name]), [name, value]];
}

/**
 * Values without those of some names.
 *
 * @param {FieldValues} values
 * @param {string[]} names
 * @returns {FieldValues}
 */
export function withoutNames(values, names) {
  return values.filter(([name]) => !names.includes(name));
}

/**
 * The values that stand under a name.
 *
 * @param {FieldValues} values
 * @param {string} name
 * @returns {string[]}
 */
export function valuesNamed(values, name) {
  return values.filter(([other]) => other === name).map(([, value]) => value);
}

/**
 * Sets the fields of a name. Boxes are ticked as the values say; another field without a value is
 * removed, since an empty field would be sent too.
 *
 * @param {Element} part
 * @param {string} name
 * @param {string[]} values
 */
export function setFields(part, name, values) {
  for (const field of fieldsIn(part)) {
    if (field.name !== name) continue;
    if (isBox(field)) field.checked = values.includes(field.value);
    else if (values.length > 0) field.value = values[0];
    else field.remove();
  }
}

/**
 * Adds a hidden field to a form.
 *
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {string} value
 * @returns {HTMLInputElement}
 */
export function addHiddenField(form, name, value) {
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = name;
  field.value = value;
  form.append(field);
  return field;
}

/**
 * All fields in an element, hidden ones included; itself where it is one.
 *
 * @param {Element} element
 * @returns {Field[]}
 */
export function fieldsIn(element) {
  const inside = findAll(element, "input, textarea, select", HTMLElement);
  return [element, ...inside].filter(isField);
}

/**
 * @param {Element} element
 * @returns {element is Field}
 */
function isField(element) {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  );
}

/**
 * Whether a field is a checkbox or a radio button.
 *
 * @param {Field} field
 * @returns {field is HTMLInputElement}
 */
export function isBox(field) {
  return field.type === "checkbox" || field.type === "radio";
}

/**
 * Whether somebody is typing in an element, or has typed there or chosen something.
 *
 * @param {Element} element
 * @returns {boolean}
 */
export function isInUse(element) {
  const fields = fieldsIn(element).filter((field) => field.type !== "hidden");
  return fields.some((field) => field === document.activeElement || isChanged(field));
}

/**
 * Whether a field has another value than the page came with.
 *
 * @param {Field} field
 * @returns {boolean}
 */
export function isChanged(field) {
  if (isBox(field)) return field.checked !== field.defaultChecked;
  if (field instanceof HTMLSelectElement) return field.selectedIndex !== defaultIndex(field);
  return field.value !== field.defaultValue;
}

/**
 * The index of the option that a page came with: where it marks none, browsers select the first.
 *
 * @param {HTMLSelectElement} field
 * @returns {number}
 */
function defaultIndex(field) {
  const options = [...field.options];
  return Math.max(
    0,
    options.findIndex((option) => option.defaultSelected),
  );
}
