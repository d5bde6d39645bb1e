// The picture of a result as a PNG file. Where the server can make none it sends SVG, which is drawn on
// a canvas here.

/** How long the browser may take to save a file, in milliseconds. */
const SAVING_TIME = 60000;

/**
 * Whether the picture at a URL is SVG.
 *
 * @param {string} url
 * @returns {boolean}
 */
export function isDrawing(url) {
  return new URL(url, location.href).pathname.endsWith(".svg");
}

/**
 * The picture at a URL as a PNG file with this name. Throws if nobody answers.
 *
 * @param {string} url
 * @param {string} name
 * @returns {Promise<File>}
 */
export async function pngFile(url, name) {
  const content = isDrawing(url) ? await drawPng(url) : await fetchPng(url);
  return new File([content], name, { type: "image/png" });
}

/**
 * @param {string} url
 * @returns {Promise<Blob>}
 */
async function fetchPng(url) {
  const answer = await fetch(url, { credentials: "same-origin" });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  return answer.blob();
}

/**
 * Draws the SVG at a URL, which says how large it is.
 *
 * @param {string} url
 * @returns {Promise<Blob>}
 */
async function drawPng(url) {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  return new Promise((resolve, reject) => {
    canvas.toBlob((png) => {
      if (png) resolve(png);
      else reject(new Error("The picture could not be drawn."));
    }, "image/png");
  });
}

/**
 * Saves a file as if a link to it with the attribute `download` was followed.
 *
 * @param {File} file
 */
export function saveFile(file) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), SAVING_TIME);
}
