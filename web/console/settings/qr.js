// A QR code. Its library is loaded when the first one is shown.

import { html, useEffect, useState } from "../../shared/parts.js";

// The width of the empty border that scanners need, in modules.
const BORDER = 4;

/** Returns a code's dark modules as a path of squares. @param {any} code */
function pathOf(code) {
  let path = "";
  for (let y = 0; y < code.size; y += 1) {
    for (let x = 0; x < code.size; x += 1) if (code.get(x, y)) path += `M${x} ${y}h1v1h-1z`;
  }
  return path;
}

/**
 * A text as a QR code. It is black on white in both themes, as scanners expect. Empty if the library cannot be loaded.
 *
 * @param {{text: string, label: string}} props
 */
export function QrCode({ text, label }) {
  const [code, setCode] = useState(null);
  useEffect(() => {
    let isStale = false;
    import("../../shared/vendor/lean-qr.js").then(({ generate }) => isStale || setCode(generate(text)), () => {});
    return () => {
      isStale = true;
    };
  }, [text]);
  if (!code) return null;
  const size = code.size + 2 * BORDER;
  return html`<svg class="qr" role="img" aria-label=${label} viewBox=${`${-BORDER} ${-BORDER} ${size} ${size}`}
    shape-rendering="crispEdges">
    <rect x=${-BORDER} y=${-BORDER} width=${size} height=${size} fill="#fff" /><path d=${pathOf(code)} fill="#000" />
  </svg>`;
}
