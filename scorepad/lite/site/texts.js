// The texts of the shell, in the language of the pages that it shows.

/** @typedef {Record<string, string>} Texts By message key, without `lite.` before it. */

const CHOSEN = "scorepad-lite-language";
const DEFAULT = "it";

/** @returns {string | null} */
function chosenLanguage() {
  try {
    return localStorage.getItem(CHOSEN);
  } catch {
    return null; // the browser denies its storage
  }
}

/**
 * The language that was used last, or that the browser prefers.
 *
 * @param {Record<string, Texts>} byLanguage
 */
function findLanguage(byLanguage) {
  for (const language of [chosenLanguage(), ...navigator.languages]) {
    const code = language?.slice(0, 2);
    if (code && code in byLanguage) return code;
  }
  return DEFAULT;
}

export class ShellTexts {
  /** @param {Record<string, Texts>} byLanguage */
  constructor(byLanguage) {
    this.byLanguage = byLanguage;
    this.language = findLanguage(byLanguage);
  }

  /**
   * @param {string} key
   * @param {Record<string, string>} values
   */
  t(key, values = {}) {
    let text = this.byLanguage[this.language][key];
    for (const [name, value] of Object.entries(values)) text = text.replace(`{${name}}`, value);
    return text;
  }

  /**
   * Uses the language of the page that is shown from now on.
   *
   * @param {string} language
   */
  use(language) {
    if (!(language in this.byLanguage)) return;
    this.language = language;
    document.documentElement.lang = language;
    try {
      localStorage.setItem(CHOSEN, language);
    } catch {
      // the browser denies its storage: the next start chooses by its languages
    }
  }
}
