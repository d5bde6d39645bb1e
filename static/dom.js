// Finds elements of the page as the type that the caller expects, such as HTMLInputElement.

/**
 * The element with this id. Throws where the page has none of this type.
 *
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
export function elementById(id, type) {
  const element = document.getElementById(id);
  if (element instanceof type) return element;
  throw new Error(`The page has no ${type.name} with the id "${id}".`);
}

/**
 * The first element that matches, or null.
 *
 * @template {Element} T
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} type
 * @returns {T | null}
 */
export function find(root, selector, type) {
  const element = root.querySelector(selector);
  return element instanceof type ? element : null;
}

/**
 * The first element that matches. Throws where there is none.
 *
 * @template {Element} T
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} type
 * @returns {T}
 */
export function findRequired(root, selector, type) {
  const element = find(root, selector, type);
  if (element) return element;
  throw new Error(`The page has no ${type.name} that matches "${selector}".`);
}

/**
 * All elements that match, in the order of the page.
 *
 * @template {Element} T
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} type
 * @returns {T[]}
 */
export function findAll(root, selector, type) {
  const found = [];
  for (const element of root.querySelectorAll(selector)) {
    if (element instanceof type) found.push(element);
  }
  return found;
}

/**
 * The nearest element around the target of an event that matches, or null.
 *
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function closestTo(event, selector) {
  if (!(event.target instanceof Element)) return null;
  const element = event.target.closest(selector);
  return element instanceof HTMLElement ? element : null;
}

/**
 * The input field of a form with this name. Throws where there is none, or several.
 *
 * @param {HTMLFormElement} form
 * @param {string} name
 * @returns {HTMLInputElement}
 */
export function inputNamed(form, name) {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLInputElement) return field;
  throw new Error(`The form has no input field "${name}".`);
}

/**
 * A page that the server sent, parsed; its scripts do not run.
 *
 * @param {string} html
 * @returns {Document}
 */
export function parsePage(html) {
  return new DOMParser().parseFromString(html, "text/html");
}
