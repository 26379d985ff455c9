// Reads the values of settings. A missing or invalid value gets its default, so a mistake never stops an overlay.

/** A custom picture: a document of the service, or an image in the settings. */
const PICTURE_URL = /^(https?:\/\/|\/(?!\/)|data:image\/(png|jpeg|gif|webp);base64,)/;
/** The maximum length of a custom sound, as a data URL: 32 KB in base64. */
const MAX_SOUND_LENGTH = 44_000;
const MAX_TEXT_LENGTH = 300;

/** @param {any} value @param {number} min @param {number} max @param {number} fallback */
export function number(value, min, max, fallback) {
  const parsed = value === null || value === "" || typeof value === "boolean" ? NaN : Number(value);
  return Number.isFinite(parsed) ? Math.min(max, Math.max(min, parsed)) : fallback;
}

/** @param {any} value @param {string[]} choices @param {string} fallback @returns {string} */
export const choice = (value, choices, fallback) => (choices.includes(value) ? value : fallback);

/** @param {any} value @returns {string} */
export const text = (value, fallback = "") => (typeof value === "string" ? value.slice(0, MAX_TEXT_LENGTH) : fallback);

/** @param {any} value @param {string} fallback @returns {string} */
export const color = (value, fallback) => (/^#[0-9a-f]{6}$/i.test(value) ? value : fallback);

/** @param {any} value @returns {Record<string, any>} */
export const object = (value) => (value && typeof value === "object" && !Array.isArray(value) ? value : {});

/** @param {any} value @returns {string | null} */
export const time = (value) => (typeof value === "string" && !Number.isNaN(Date.parse(value)) ? value : null);

/** @param {any} value @returns {string | null} */
export function sound(value) {
  const isShort = typeof value === "string" && value.length <= MAX_SOUND_LENGTH;
  return isShort && /^data:audio\/[\w.+-]+;base64,/.test(value) ? value : null;
}

/** @param {any} value @returns {{document_id: number | null, url: string} | null} */
export function picture(value) {
  const { document_id: id = null, url } = object(value);
  return typeof url === "string" && PICTURE_URL.test(url) ? { document_id: id, url } : null;
}

/**
 * Reads a place: a percentage, or else a name.
 *
 * @param {any} value
 * @param {import("./places.js").Place} fallback
 */
export function place(value, fallback) {
  const { x, y } = object(value);
  const isPlace = [x, y].every((part) => typeof part === "number" && part >= 0 && part <= 100);
  return isPlace ? { x, y } : fallback;
}
