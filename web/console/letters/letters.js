// The letters: the gallery, and a letter's page.

import { html } from "../../shared/parts.js";
import { Gallery } from "./gallery.js";
import { Letter } from "./letter.js";

/** @param {{id: string}} props */
export const View = ({ id }) => (id ? html`<${Letter} id=${id} />` : html`<${Gallery} />`);
