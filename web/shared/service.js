// The client of a page.

import { Client } from "./client/index.js";
import { fetchOrTake } from "./early.js";
import { base } from "./page.js";

/** Reads once, since the page shows a failure and tries again itself. Repeats writes as every client does. */
export class Service extends Client {
  /** @param {string | null} token */
  constructor(token, fetch = fetchOrTake) {
    super(base, { token, fetch });
  }

  /** @type {Client["request"]} */
  request(method, path, options) {
    return super.request(method, path, method === "GET" ? { retries: 0, ...options } : options);
  }
}
