// The client of the HTTP API.

import { follow } from "./feed.js";
import { delayAfter, spread } from "./retry.js";

/**
 * @import { AnyRequest, ApiResponse, Body, Changed, Changes, ClientOptions, Created, Deletable, Deleted, Entry } from "./types.js"
 * @import { FollowOptions, Gettable, Got, Listable, Method, NextPage, Page, Patchable, Path, Postable, Problem } from "./types.js"
 * @import { Put, Puttable, Query, ReadOptions, RecordOf, RequestOptions, Stored, Violation } from "./types.js"
 */

// The first and the maximum delay before a retry, in milliseconds.
const FIRST_DELAY = 500;
const MAX_DELAY = 20_000;
// The maximum delay that a `Retry-After` causes, in milliseconds.
const MAX_RETRY_AFTER = 60_000;
// Overload and faults of the service, which usually end within seconds.
const RETRYABLE = [429, 500, 502, 503, 504];
// A retry of these methods has no effect. One of a method that creates records has none because of its `Idempotency-Key`.
const READING = ["GET", "HEAD"];
const CREATING = ["POST", "PUT"];
// The service does not store a response with a secret: a new token, or the code of a login. So it takes no key there.
const WITHOUT_KEY = /^\/(tokens|connections\/twitch)$/;
// The polling intervals without and with a socket, in milliseconds.
const POLL_INTERVAL = 1_000;
const POLL_INTERVAL_WITH_SOCKET = 30_000;

/** An error response of the service. */
export class ServiceError extends Error {
  /**
   * @param {number} status
   * @param {Partial<Problem> | null} problem The body, or null if it is no problem document.
   * @param {Headers} headers
   * @param {string} [request] The method and the path.
   */
  constructor(status, problem, headers, request) {
    const detail = problem?.detail ?? problem?.title ?? `HTTP ${status}`;
    const [violation] = problem?.errors ?? [];
    const place = violation && ` (${violation.pointer ?? violation.parameter}: ${violation.detail})`;
    super(`${request ? `${request}: ` : ""}${detail}${place ?? ""}`);
    this.name = "ServiceError";
    /** The problem and its fix, for people. */
    this.detail = detail;
    /** The HTTP status. */
    this.status = status;
    /** The stable code of the error, such as `record_not_found`. Null if the response is not the service's. */
    this.code = problem?.code ?? null;
    /** @type {Violation[]} All violations of the request. */
    this.errors = problem?.errors ?? [];
    /** The identifier of the request in the service's log. */
    this.requestId = headers.get("request-id");
    /** The time after which the request may be repeated, in milliseconds. Null if the service names none. */
    this.retryAfter = toMilliseconds(headers.get("retry-after"));
  }

  /** True if the same request may succeed later. */
  get isRetryable() {
    return RETRYABLE.includes(this.status);
  }
}

/** A request that got no response: the connection was lost, or the time limit has passed. `cause` has the reason. */
export class ConnectionError extends Error {
  name = "ConnectionError";
}

/** A client of the service. It has no state but its options, so one client serves a whole program. */
export class Client {
  #token;
  #retries;
  #timeout;
  #onRetry;
  #fetch;

  /**
   * @param {string | URL} url The base URL of the service, such as `http://127.0.0.1:3000`.
   * @param {ClientOptions} [options]
   */
  constructor(url, { token = null, retries = 4, timeout = 30_000, onRetry, fetch = globalThis.fetch.bind(globalThis) } = {}) {
    /** The base URL, without a slash at its end. */
    this.url = String(url).replace(/\/+$/, "");
    this.#token = token;
    this.#retries = retries;
    this.#timeout = timeout;
    this.#onRetry = onRetry;
    this.#fetch = fetch;
  }

  /**
   * Sends a request with any path. Retries it after a temporary failure if a retry cannot have a second effect.
   *
   * @param {Method} method
   * @param {string} path A path such as `/users/5`, or a URL below the service's.
   * @param {AnyRequest} [options]
   * @returns {Promise<ApiResponse<any>>}
   * @throws {ServiceError} if the status is neither 2xx nor 304, or a body is not JSON.
   * @throws {ConnectionError} if no response arrives.
   */
  async request(method, path, { body, query = {}, headers = {}, ifMatch, key, signal, retries = this.#retries } = {}) {
    const url = this.#urlOf(path, query);
    const allHeaders = new Headers(headers);
    if (this.#token) allHeaders.set("authorization", `Bearer ${this.#token}`);
    // The runtime sets the boundary of a form.
    if (body !== undefined && !(body instanceof FormData)) allHeaders.set("content-type", "application/json");
    if (ifMatch) allHeaders.set("if-match", ifMatch);
    const needsKey = CREATING.includes(method) && !WITHOUT_KEY.test(path);
    if (key ?? needsKey) allHeaders.set("idempotency-key", key ?? randomKey());
    const isIdempotent = READING.includes(method) || needsKey;
    for (let failures = 0; ; failures += 1) {
      try {
        return await this.#send(method, url, allHeaders, body, signal);
      } catch (error) {
        // A request over the rate limit was not executed, so every method can be sent again.
        const isRateLimited = error instanceof ServiceError && error.status === 429;
        const isRetryable = error instanceof ServiceError ? error.isRetryable : !signal?.aborted;
        if (failures >= retries || !(isRateLimited || (isRetryable && isIdempotent))) throw error;
        const backoff = spread(delayAfter(failures + 1, FIRST_DELAY, MAX_DELAY));
        const retryAfter = error instanceof ServiceError && error.retryAfter;
        const delay = retryAfter ? Math.min(MAX_RETRY_AFTER, retryAfter) : backoff;
        this.#onRetry?.({ error: /** @type {Error} */ (error), attempt: failures + 1, delay });
        await sleep(delay, signal);
      }
    }
  }

  /**
   * Returns a record or another JSON document.
   *
   * @template {Path} const P
   * @param {P & Gettable<P>} path
   * @param {ReadOptions<P>} [options]
   * @returns {Promise<Got<P>>}
   */
  async get(path, options) {
    return (await this.request("GET", path, anyQuery(options))).data;
  }

  /**
   * Creates a record, or sends an alert.
   *
   * @template {Path} const P
   * @param {P & Postable<P>} path
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
   * @template {Path} const P
   * @param {P & Patchable<P>} path
   * @param {Changes<P>} changes
   * @param {RequestOptions} [options]
   * @returns {Promise<Changed<P>>}
   */
  async patch(path, changes, options) {
    return (await this.request("PATCH", path, { ...options, body: changes })).data;
  }

  /**
   * Stores a complete record under its identifier, which needs a token with the scope `import`, or a list of stamps.
   *
   * @template {Path} const P
   * @param {P & Puttable<P>} path
   * @param {Stored<P>} record
   * @param {RequestOptions} [options]
   * @returns {Promise<Put<P>>}
   */
  async put(path, record, options) {
    return (await this.request("PUT", path, { ...options, body: record })).data;
  }

  /**
   * Deletes a record, and returns its last state.
   *
   * @template {Path} const P
   * @param {P & Deletable<P>} path
   * @param {RequestOptions} [options]
   * @returns {Promise<Deleted<P>>}
   */
  async delete(path, options) {
    return (await this.request("DELETE", path, options)).data;
  }

  /**
   * Returns one page of a list, with the URL of the next page. The URL is null after the last page.
   *
   * @template {Path} const P
   * @param {P & Listable<P>} path A path, or the `next` of the page before, which has its query.
   * @param {ReadOptions<P>} [options] `query` has the filters, `order`, and the `limit` of a page.
   * @returns {Promise<Page<RecordOf<P>>>}
   */
  async page(path, options) {
    const { data, headers } = await this.request("GET", path, anyQuery(options));
    const link = /<([^>]+)>; *rel="next"/.exec(headers.get("link") ?? "");
    // The service may have another address behind a proxy, so only the path is taken.
    const { pathname, search } = new URL(link?.[1] ?? "", `${this.url}/`);
    const next = link ? new URL(pathname + search, this.url).href : null;
    return { records: data, next: /** @type {NextPage<RecordOf<P>> | null} */ (next) };
  }

  /**
   * Iterates over all records of a list. Each page is requested when its first record is needed.
   *
   * @template {Path} const P
   * @param {P & Listable<P>} path
   * @param {ReadOptions<P>} [options] `query` has the filters, `order`, and the `limit` of a page.
   * @returns {AsyncGenerator<RecordOf<P>, void, undefined>}
   */
  async *list(path, options) {
    const { query, ...others } = anyQuery(options);
    /** @type {Page<any>} */
    let page = await this.page(/** @type {any} */ (path), /** @type {any} */ ({ ...others, query: { limit: 100, ...query } }));
    for (;;) {
      yield* page.records;
      if (page.next === null) return;
      page = await this.page(page.next, others);
    }
  }

  /**
   * Returns the feed's entries after a sequence number, and the number of its last entry: the head. For null, returns
   * only the head.
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
   * Follows the feed until `stop` is called. Delivers each entry once and in order, even if requests fail. Waits for
   * pushes if the service has a socket and the runtime has `WebSocket`, and polls otherwise.
   *
   * @param {FollowOptions} options
   * @returns {{poll: () => void, stop: () => void}} `poll` requests the new entries immediately.
   */
  follow({ onEntry, after = null, onStart, onState = () => {}, interval = POLL_INTERVAL, subscription }) {
    const abortController = new AbortController();
    /** @type {{stop: () => void} | null} */
    let socket = null;
    // Only a client that may read the feed may also use the socket.
    const openSocket = async () => {
      socket = { stop: () => {} };
      const { signal } = abortController;
      const { socket: url } = await this.get("/health", { retries: Infinity, signal }).catch(() => ({ socket: null }));
      if (!url || signal.aborted || !globalThis.WebSocket) return;
      const { listen } = await import("./socket.js");
      const onState = (/** @type {boolean} */ isOpen) => feed.setInterval(isOpen ? POLL_INTERVAL_WITH_SOCKET : interval);
      socket = listen({ url, token: this.#token, subscription, onPush: feed.push, onState });
    };
    const feed = follow({
      read: (number) => this.feed(number, { retries: 0 }),
      after,
      interval,
      onEntry,
      onStart,
      onState: (state) => {
        if (state.live && !socket) openSocket();
        onState(state);
      },
    });
    return {
      poll: () => feed.push(Infinity),
      stop: () => {
        abortController.abort();
        feed.stop();
        socket?.stop();
      },
    };
  }

  /**
   * Iterates over the feed's entries, and waits for new ones. Store the `id` of the last processed entry, and pass it
   * as `after` when the program starts again. Then no entry is missed. If the program ends before it has stored
   * the `id`, it receives that entry again.
   *
   * @param {{after?: number | string | null, signal?: AbortSignal}} [options]
   * @returns {AsyncGenerator<Entry, void, undefined>}
   * @throws {ServiceError} if the token is invalid, or entries after `after` have expired (410).
   */
  async *entries({ after = null, signal } = {}) {
    const { entries } = await import("./entries.js");
    yield* entries(this, after === null ? null : Number(after), signal);
  }

  /**
   * @param {string} path
   * @param {Query} query
   */
  #urlOf(path, query) {
    const url = new URL(path.startsWith("/") ? this.url + path : path);
    // A link to another host must not receive the token.
    if (!url.href.startsWith(`${this.url}/`)) throw new RangeError(`${path} is no URL of ${this.url}`);
    for (const [name, value] of Object.entries(query)) {
      if (value === null || value === undefined) continue;
      const texts = [value].flat().map((each) => (each instanceof Date ? each.toISOString() : String(each)));
      url.searchParams.set(name, texts.join(","));
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
    // Browsers inside other programs may be years old, and have no `AbortSignal.any`.
    const abortController = new AbortController();
    const abort = () => abortController.abort(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort);
    const onTimeout = () => abortController.abort(new DOMException("The time limit has passed", "TimeoutError"));
    const timer = setTimeout(onTimeout, this.#timeout);
    const request = `${method} ${url.pathname}`;
    /** @type {Response} */
    let response;
    let text;
    try {
      response = await this.#fetch(url, {
        method,
        headers,
        body: body === undefined || body instanceof FormData ? body : JSON.stringify(body),
        cache: "no-store",
        credentials: "omit",
        signal: abortController.signal,
      });
      text = await response.text();
    } catch (cause) {
      if (signal?.aborted) throw cause;
      throw new ConnectionError(`${request}: no response`, { cause });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
    let data = null;
    let isJson = true;
    try {
      data = text ? JSON.parse(text) : null;
    } catch {
      // A proxy in front of the service may return HTML.
      isJson = false;
    }
    const isFailed = !response.ok && response.status !== 304;
    if (isFailed || !isJson) {
      const problem = isJson ? data : { detail: `HTTP ${response.status} with a body that is not JSON` };
      throw new ServiceError(response.status, problem, response.headers, request);
    }
    return { data, status: response.status, headers: response.headers, etag: response.headers.get("etag") };
  }
}

/**
 * Forgets the names in a query, which the path has decided.
 *
 * @param {ReadOptions<any>} [options]
 * @returns {AnyRequest}
 */
const anyQuery = (options = {}) => ({ ...options, query: /** @type {Query} */ (options.query ?? {}) });

/** Returns a random idempotency key. `crypto.randomUUID` exists only in pages of a secure origin. */
function randomKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Converts a number of seconds to milliseconds.
 *
 * @param {string | null} text
 */
function toMilliseconds(text) {
  const seconds = Number(text ?? "");
  return text !== null && Number.isFinite(seconds) ? seconds * 1_000 : null;
}

/**
 * @param {number} milliseconds
 * @param {AbortSignal} [signal]
 */
function sleep(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason)), { once: true });
  });
}
