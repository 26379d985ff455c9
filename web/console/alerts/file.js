// A button that selects a file.

import { html } from "../../shared/parts.js";

/**
 * Passes the selected file on. The same file may be selected again.
 *
 * @param {{label: string, accept: string, onFile: (file: File) => void, [name: string]: any}} properties
 */
export function FileButton({ label, accept, onFile, ...rest }) {
  const onChange = (/** @type {any} */ { currentTarget }) => {
    const [file] = currentTarget.files;
    currentTarget.value = "";
    if (file) onFile(file);
  };
  return html`<label class=${`file-button ${rest.disabled ? "disabled" : ""}`}>
    ${label}<input type="file" accept=${accept} onChange=${onChange} ...${rest} />
  </label>`;
}
