// The letters: the gallery, and a letter's page.

import { later } from "../later.js";
import { html } from "../../shared/parts.js";
import { Gallery } from "./gallery.js";

const Letter = later(() => import("./letter.js").then(({ Letter }) => Letter));

/** @param {{id: string}} props */
export const View = ({ id }) => (id ? html`<${Letter} id=${id} />` : html`<${Gallery} />`);
