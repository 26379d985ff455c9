// The letters: the gallery, and a letter's page.

import { Later } from "../later.js";
import { html } from "../../shared/parts.js";
import { Gallery } from "./gallery.js";

const loadLetter = () => import("./letter.js").then(({ Letter }) => Letter);

/** @param {{id: string}} props */
export const View = ({ id }) => (id ? html`<${Later} load=${loadLetter} id=${id} />` : html`<${Gallery} />`);
