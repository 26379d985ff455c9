// A tile for an overlay page, which OBS accepts as a browser source with its name and size.

import { html, useConsole } from "../../shared/parts.js";

// The maximum width and height of a page's drawing, in rem.
const [WIDTH, HEIGHT] = [6, 3.4];

/**
 * Returns the address with the parameters that OBS reads from a dropped URL.
 *
 * @param {string} address
 * @param {string} name
 * @param {[number, number]} size
 */
function withLayer(address, name, [width, height]) {
  const url = new URL(address);
  url.search = String(new URLSearchParams({
    "layer-name": name,
    "layer-width": String(width),
    "layer-height": String(height),
  }));
  return url.href;
}

/**
 * @param {object} properties
 * @param {string} properties.page The page's name in its address.
 * @param {string} properties.name
 * @param {[number, number]} properties.size The source's size in OBS.
 * @param {string} properties.address
 * @param {boolean} properties.isReady Whether the address has the token that it needs.
 * @param {() => void} properties.onCopy
 */
export function Tile({ page, name, size, address, isReady, onCopy }) {
  const { say } = useConsole();
  const [width, height] = size;
  const scale = Math.min(WIDTH / width, HEIGHT / height);
  const onDragStart = (/** @type {DragEvent} */ { dataTransfer }) => {
    if (!dataTransfer) return;
    const dragged = withLayer(address, name, size);
    dataTransfer.setData("text/uri-list", dragged);
    dataTransfer.setData("text/plain", dragged);
    dataTransfer.effectAllowed = "copyLink";
  };
  const content = html`<span class="outline" aria-hidden="true">
      <i class=${page || "alerts"} style=${{ width: `${width * scale}rem`, height: `${height * scale}rem` }}></i></span>
    <strong>${name}</strong> <small>${width} × ${height}</small>`;
  return html`<li>
    ${isReady
      ? html`<a class="source" href=${address} target="_blank" rel="noopener" draggable="true"
          onDragStart=${onDragStart}>${content}</a>`
      : html`<div class="source">${content}</div>`}
    <button aria-label=${`${say("alerts.copy")}: ${name}`} onClick=${onCopy}>${say("copy")}</button>
  </li>`;
}
