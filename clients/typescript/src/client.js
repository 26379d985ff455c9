// The client of the HTTP API.

import { follow } from "./feed.js";

/** @import { Body, Changes, Created, Entry, FollowState, Json, Page, Problem, RecordAt, RecordOf, Violation } from "./types.js" */

/** @typedef {"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE"} Method */
/** @typedef {Record<string, string | number | boolean | Date | null | undefined>} Query */

/**
 * @typedef {object} Options
 * @property {string | null} [token] The access token. Services on one machine usually need none.
 * @property {number} [retries] How often a failed request is sent again. 4 by default.
 * @property {number} [timeout] The time limit of each try, in milliseconds. 30 seconds by default.
 * @property {typeof globalThis.fetch} [fetch] A replacement of `fetch`, for tests.
 */

/**
 * @typedef {object} RequestOptions
 * @property {unknown} [body] The body, which is sent as JSON.
 * @property {Query} [query] The query parameters. Those that are null or undefined are left out.
 * @property {Record<string, string>} [headers] Further headers.
 * @property {string} [ifMatch] The ETag that the record must have, for PATCH and DELETE.
 * @property {string} [key] The `Idempotency-Key` of a POST or PUT. By default, each request of POST gets a random one.
 * @property {AbortSignal} [signal] Cancels the request and its retries.
 * @property {number} [retries] Overrides the client's number of retries.
 */

/**
 * A response.
 *
 * @template T
 * @typedef {object} Reply
 * @property {T} data The body.
 * @property {Headers} headers The headers.
 * @property {string | null} etag The ETag of a record, for `ifMatch`.
 */

// The first and the longest wait before a retry, in milliseconds.
const FIRST_WAIT = 500;
const LONGEST_WAIT = 20_000;
// The statuses that a later try may not have.
const PASSING = [429, 500, 502, 503, 504];
// The methods of which a second try has no further effect. A POST has an `Idempotency-Key`, except that of tokens.
const REPEATABLE = ["GET", "HEAD", "PUT", "POST"];
const WITHOUT_KEY = /^\/tokens$/;
// The polling intervals without and with a socket, in milliseconds.
const POLL_INTERVAL = 1_000;
const POLL_INTERVAL_WITH_SOCKET = 30_000;

/** An error response of the service. */
export class ServiceError extends Error {
  /**
   * @param {number} status
   * @param {Problem | null} problem The body, or null if it is no problem document.
   * @param {Headers} headers
   */
  constructor(status, problem, headers) {
    super(problem?.detail ?? problem?.title ?? `HTTP ${status}`);
    this.name = "ServiceError";
    /** The HTTP status. */
    this.status = status;
    /** The stable code of the error, such as `record_not_found`. Null if the response is not the service's. */
    this.code = problem?.code ?? null;
    /** @type {Violation[]} All violations of the request. */
    this.errors = problem?.errors ?? [];
    /** The identifier of the request in the service's log. */
    this.requestId = headers.get("request-id");
    /** The time after which the request may be repeated, in milliseconds. Null if the service names none. */
    this.retryAfter = seconds(headers.get("retry-after"));
  }

  /** True if the same request may succeed later. */
  get isPassing() {
    return PASSING.includes(this.status);
  }
}

/** A client of the service. It has no state but its options, so one client serves a whole program. */
export class Client {
  #token;
  #retries;
  #timeout;
  #fetch;

  /**
   * @param {string | URL} url The base URL of the service, such as `http://127.0.0.1:3000`.
   * @param {Options} [options]
   */
  constructor(url, { token = null, retries = 4, timeout = 30_000, fetch = globalThis.fetch.bind(globalThis) } = {}) {
    /** The base URL, without a slash at its end. */
    this.url = String(url).replace(/\/+$/, "");
    this.#token = token;
    this.#retries = retries;
    this.#timeout = timeout;
    this.#fetch = fetch;
  }

  /**
   * Sends a request, and repeats it after a passing failure if a repetition cannot have a second effect.
   *
   * @param {Method} method
   * @param {string} path A path such as `/users/5`, or a URL below the service's.
   * @param {RequestOptions} [options]
   * @returns {Promise<Reply<any>>}
   * @throws {ServiceError} if the status is not 2xx.
   * @throws {TypeError} if the service cannot be reached.
   */
  async request(method, path, { body, query = {}, headers = {}, ifMatch, key, signal, retries = this.#retries } = {}) {
    const url = this.#locate(path, query);
    const all = new Headers(headers);
    if (this.#token) all.set("authorization", `Bearer ${this.#token}`);
    if (body !== undefined) all.set("content-type", "application/json");
    if (ifMatch) all.set("if-match", ifMatch);
    const isKeyed = method === "POST" && !WITHOUT_KEY.test(path);
    if (key ?? isKeyed) all.set("idempotency-key", key ?? randomKey());
    const isRepeatable = REPEATABLE.includes(method) && (method !== "POST" || isKeyed);
    for (let tries = 0; ; tries += 1) {
      try {
        return await this.#send(method, url, all, body, signal);
      } catch (error) {
        const refused = error instanceof ServiceError && error.status === 429;
        const isPassing = error instanceof ServiceError ? error.isPassing : !signal?.aborted;
        if (tries >= retries || !(refused || (isPassing && isRepeatable))) throw error;
        const backoff = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** tries) * (0.5 + Math.random() / 2);
        await sleep((error instanceof ServiceError && error.retryAfter) || backoff, signal);
      }
    }
  }

  /**
   * Returns a record or another JSON document.
   *
   * @template {string} P
   * @param {P} path
   * @param {RequestOptions} [options]
   * @returns {Promise<RecordAt<P>>}
   */
  async get(path, options) {
    return (await this.request("GET", path, options)).data;
  }

  /**
   * Creates a record, or sends an alert. A retry has no second effect.
   *
   * @template {string} P
   * @param {P} path
   * @param {Body<P>} body
   * @param {RequestOptions} [options]
   * @returns {Promise<Created<P>>}
   */
  async post(path, body, options) {
    return (await this.request("POST", path, { ...options, body })).data;
  }

  /**
   * Changes fields of a record. With `ifMatch`, the service returns 412 if the record has changed since.
   *
   * @template {string} P
   * @param {P} path
   * @param {Changes<P>} changes
   * @param {RequestOptions} [options]
   * @returns {Promise<RecordAt<P>>}
   */
  async patch(path, changes, options) {
    return (await this.request("PATCH", path, { ...options, body: changes })).data;
  }

  /**
   * Stores a complete record under its identifier. It needs a token with the scope `import`.
   *
   * @template {string} P
   * @param {P} path
   * @param {Json} record
   * @param {RequestOptions} [options]
   * @returns {Promise<RecordAt<P>>}
   */
  async put(path, record, options) {
    return (await this.request("PUT", path, { ...options, body: record })).data;
  }

  /**
   * Deletes a record, and returns its last state.
   *
   * @template {string} P
   * @param {P} path
   * @param {RequestOptions} [options]
   * @returns {Promise<RecordAt<P>>}
   */
  async delete(path, options) {
    return (await this.request("DELETE", path, options)).data;
  }

  /**
   * Returns one page of a list, with the URL of the next page. The URL is null after the last page.
   *
   * @template {string} P
   * @param {P} path A path, or the `next` of the page before.
   * @param {RequestOptions} [options]
   * @returns {Promise<Page<RecordOf<P>>>}
   */
  async page(path, options) {
    const { data, headers } = await this.request("GET", path, options);
    const link = /<([^>]+)>; *rel="next"/.exec(headers.get("link") ?? "");
    return { records: data, next: link ? new URL(link[1], `${this.url}/`).href : null };
  }

  /**
   * Iterates over all records of a list. Each page is requested when its first record is needed.
   *
   * @template {string} P
   * @param {P} path
   * @param {Query} [query] The filters, `order`, and the `limit` of a page.
   * @param {{signal?: AbortSignal}} [options]
   * @returns {AsyncGenerator<RecordOf<P>, void, undefined>}
   */
  async *list(path, query = {}, options = {}) {
    /** @type {Page<RecordOf<P>>} */
    let page = await this.page(path, { ...options, query: { limit: 100, ...query } });
    for (;;) {
      yield* page.records;
      if (page.next === null) return;
      page = await this.page(page.next, options);
    }
  }

  /**
   * Returns the feed's entries after a sequence number, and the number of its last entry. For null, returns only that number.
   *
   * @param {number | null} after
   * @param {RequestOptions} [options]
   * @returns {Promise<{entries: Entry[], head: number}>}
   */
  async feed(after, options) {
    const { data, headers } = await this.request("GET", "/feed", { ...options, query: { after } });
    return { entries: data, head: Number(headers.get("feed-head")) };
  }

  /**
   * Follows the feed until `stop` is called: delivers each entry once and in order, whatever fails. Waits for pushes if the
   * service has a socket and the runtime has `WebSocket`, and polls otherwise.
   *
   * @param {object} options
   * @param {(entry: Entry) => void} options.onEntry Receives each entry, in order.
   * @param {number | null} [options.after] The number of the last entry that was processed. Null begins at the head.
   * @param {(head: number) => void} [options.onStart] Receives the head at which delivery starts, if `after` is null.
   * @param {(state: FollowState) => void} [options.onState] Receives the result of each round of requests.
   * @param {number} [options.every] The polling interval without a socket, in milliseconds.
   * @returns {{stop: () => void}}
   */
  follow({ onEntry, after = null, onStart, onState = () => {}, every = POLL_INTERVAL }) {
    const stopping = new AbortController();
    /** @type {{stop: () => void} | null} */
    let socket = null;
    // Only a client that may read the feed may also use the socket.
    const openSocket = async () => {
      socket = { stop: () => {} };
      const health = { retries: Infinity, signal: stopping.signal };
      const { socket: url } = await this.get("/health", health).catch(() => ({ socket: null }));
      if (!url || stopping.signal.aborted || !globalThis.WebSocket) return;
      const { listen } = await import("./socket.js");
      const pace = (/** @type {boolean} */ isOpen) => feed.pace(isOpen ? POLL_INTERVAL_WITH_SOCKET : every);
      socket = listen({ url, token: this.#token, onPush: feed.push, onState: pace });
    };
    const feed = follow({
      read: (number) => this.feed(number, { retries: 0 }),
      after,
      every,
      onEntry,
      onStart,
      onState: (state) => {
        if (state.live && !socket) openSocket();
        onState(state);
      },
    });
    return {
      stop: () => {
        stopping.abort();
        feed.stop();
        socket?.stop();
      },
    };
  }

  /**
   * Iterates over the feed's entries, and waits for new ones. Store the `id` of the last entry that was processed, and pass
   * it as `after` when the program starts again: no entry is then missed, and none is processed twice.
   *
   * @param {{after?: number | string | null, signal?: AbortSignal}} [options]
   * @returns {AsyncGenerator<Entry, void, undefined>}
   * @throws {ServiceError} if the token is invalid, or entries after `after` have expired (410).
   */
  async *entries({ after = null, signal } = {}) {
    /** @type {Entry[]} */
    const received = [];
    let wake = () => {};
    /** @type {ServiceError | null} */
    let failure = null;
    if (after !== null) await this.feed(Number(after), { signal });
    const following = this.follow({
      after: after === null ? null : Number(after),
      onEntry: (entry) => {
        received.push(entry);
        wake();
      },
      onState: ({ status, missed }) => {
        if (missed || status === 401 || status === 403) failure = new ServiceError(status ?? 410, null, new Headers());
        if (failure) wake();
      },
    });
    signal?.addEventListener("abort", () => wake());
    try {
      while (!signal?.aborted) {
        const entry = received.shift();
        if (entry) yield entry;
        else if (failure) throw failure;
        else await new Promise((resolve) => (wake = () => resolve(undefined)));
      }
    } finally {
      following.stop();
    }
  }

  /**
   * @param {string} path
   * @param {Query} query
   */
  #locate(path, query) {
    const url = new URL(path.startsWith("/") ? this.url + path : path);
    // The token belongs to this service alone.
    if (!url.href.startsWith(`${this.url}/`)) throw new RangeError(`${path} is no URL of ${this.url}`);
    for (const [name, value] of Object.entries(query)) {
      if (value === null || value === undefined) continue;
      url.searchParams.set(name, value instanceof Date ? value.toISOString() : String(value));
    }
    return url;
  }

  /**
   * @param {Method} method
   * @param {URL} url
   * @param {Headers} headers
   * @param {unknown} body
   * @param {AbortSignal} [signal]
   */
  async #send(method, url, headers, body, signal) {
    const limits = [AbortSignal.timeout(this.#timeout), ...(signal ? [signal] : [])];
    const response = await this.#fetch(url, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-store",
      credentials: "omit",
      signal: AbortSignal.any(limits),
    });
    const text = await response.text();
    let data = null;
    try {
      data = text ? JSON.parse(text) : null;
    } catch {
      // A proxy in front of the service may return HTML.
    }
    if (!response.ok) throw new ServiceError(response.status, data, response.headers);
    return { data, headers: response.headers, etag: response.headers.get("etag") };
  }
}

/** Returns a random idempotency key. `crypto.randomUUID` exists only in pages of a secure origin. */
function randomKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Converts a number of seconds to milliseconds.
 *
 * @param {string | null} text
 */
function seconds(text) {
  const value = Number(text ?? "");
  return text !== null && Number.isFinite(value) ? value * 1_000 : null;
}

/**
 * @param {number} milliseconds
 * @param {AbortSignal} [signal]
 */
function sleep(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason)), { once: true });
  });
}
