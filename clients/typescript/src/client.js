// HTTP API client.

import { follow } from "./feed.js";
import { delayAfter, spread } from "./retry.js";

/**
 * @import { AnyRequest, ApiResponse, Body, Changed, Changes, ClientOptions, Created, Deletable, Deleted, Entry } from "./types.js"
 * @import { FollowOptions, Gettable, Got, Listable, Method, NextPage, Page, Patchable, Path, Postable, Problem } from "./types.js"
 * @import { Put, Puttable, Query, ReadOptions, RecordOf, RequestOptions, Stored, Violation } from "./types.js"
 */

// First and maximum delay before a retry, in milliseconds.
const FIRST_DELAY = 500;
const MAX_DELAY = 20_000;
// Maximum delay for a `Retry-After` header, in milliseconds.
const MAX_RETRY_AFTER = 60_000;
// Overload and server errors, which usually end within seconds.
const RETRYABLE = [429, 500, 502, 503, 504];
// Methods that are safe to retry: they only read, or create records with an `Idempotency-Key`.
const READING = ["GET", "HEAD"];
const CREATING = ["POST", "PUT"];
// Responses with a secret (a new token or a login code) are not stored, so these routes accept no idempotency key.
const WITHOUT_KEY = /^\/(tokens|connections\/twitch)$/;
// Polling intervals without and with a socket, in milliseconds.
const POLL_INTERVAL = 1_000;
const POLL_INTERVAL_WITH_SOCKET = 30_000;

/** An error response from the service. */
export class ServiceError extends Error {
  /**
   * @param {number} status
   * @param {Partial<Problem> | null} problem The body, or null if it is not a problem document.
   * @param {Headers} headers
   * @param {string} [request] The method and the path.
   */
  constructor(status, problem, headers, request) {
    const detail = problem?.detail ?? problem?.title ?? `HTTP ${status}`;
    const [violation] = problem?.errors ?? [];
    const others = (problem?.errors?.length ?? 0) - 1;
    const more = others > 0 ? ` and ${others} more` : "";
    const place = violation && ` (${violation.pointer ?? violation.parameter}: ${violation.detail}${more})`;
    super(`${request ? `${request}: ` : ""}${detail}${place ?? ""}`);
    this.name = "ServiceError";
    /** A description of the problem and its fix, for people. */
    this.detail = detail;
    /** The HTTP status. */
    this.status = status;
    /** The stable error code, such as `record_not_found`. Null if the response is not from the service. */
    this.code = problem?.code ?? null;
    /** @type {Violation[]} All violations of the request. */
    this.errors = problem?.errors ?? [];
    /** The request's identifier in the service's log. */
    this.requestId = headers.get("request-id");
    /** How long to wait before a retry, in milliseconds. Null if the service does not say. */
    this.retryAfter = toMilliseconds(headers.get("retry-after"));
  }

  /** Whether the same request may succeed later. */
  get isRetryable() {
    return RETRYABLE.includes(this.status);
  }
}

/** A request without a response: the connection was lost, or the request timed out. `cause` is the reason. */
export class ConnectionError extends Error {
  name = "ConnectionError";
}

/** A client for one service. One client serves an entire program. */
export class Client {
  #token;
  #retries;
  #timeout;
  #onRetry;
  #fetch;
  /** Whether the service has ever responded. */
  #isReached = false;

  /**
   * @param {string | URL} url The base URL of the service, such as `http://127.0.0.1:3000`.
   * @param {ClientOptions} [options]
   */
  constructor(url, { token = null, retries = 4, timeout = 30_000, onRetry, fetch = globalThis.fetch.bind(globalThis) } = {}) {
    /** The base URL, without a trailing slash. */
    this.url = String(url).replace(/\/+$/, "");
    if (!/^https?:\/\/./.test(this.url)) throw new RangeError(`${url} is not the URL of a service, such as http://127.0.0.1:3000`);
    this.#token = token;
    this.#retries = retries;
    this.#timeout = timeout;
    this.#onRetry = onRetry;
    this.#fetch = fetch;
  }

  /**
   * Sends a request to any path. Retries temporary failures if this is safe. A connection that fails before the first
   * response is not retried: the URL is probably wrong, or the service does not allow the page's origin.
   *
   * @param {Method} method
   * @param {string} path A path such as `/users/5`, or a URL below the base URL.
   * @param {AnyRequest} [options]
   * @returns {Promise<ApiResponse<any>>}
   * @throws {ServiceError} if the status is neither 2xx nor 304, or the body is not JSON.
   * @throws {ConnectionError} if no response arrives.
   */
  async request(method, path, { body, query = {}, headers = {}, ifMatch, key, signal, retries = this.#retries } = {}) {
    const url = this.#urlOf(path, query);
    const allHeaders = new Headers(headers);
    if (this.#token) allHeaders.set("authorization", `Bearer ${this.#token}`);
    // For a form, the runtime sets the content type with the boundary.
    if (body !== undefined && !(body instanceof FormData)) allHeaders.set("content-type", "application/json");
    if (ifMatch) allHeaders.set("if-match", ifMatch);
    const needsKey = CREATING.includes(method) && !WITHOUT_KEY.test(path);
    if (key ?? needsKey) allHeaders.set("idempotency-key", key ?? randomKey());
    const isIdempotent = READING.includes(method) || needsKey;
    for (let failures = 0; ; failures += 1) {
      try {
        return await this.#send(method, url, allHeaders, body, signal);
      } catch (error) {
        // A request over the rate limit was not executed, so any method can be retried.
        const isRateLimited = error instanceof ServiceError && error.status === 429;
        const isRetryable = error instanceof ServiceError ? error.isRetryable : this.#isReached && !signal?.aborted;
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
   * Reads a record or another JSON document.
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
   * Stores a complete record under its identifier, or a list of stamps. A record requires the scope `import`.
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
   * Deletes a record and returns its last state.
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
   * Reads one page of a list, with the URL of the next page. On the last page, this URL is null.
   *
   * @template {Path} const P
   * @param {P & Listable<P>} path A path, or `next` of the previous page, which includes the query.
   * @param {ReadOptions<P>} [options] `query` contains the filters, `order`, and the page's `limit`.
   * @returns {Promise<Page<RecordOf<P>>>}
   */
  async page(path, options) {
    const { data, headers } = await this.request("GET", path, anyQuery(options));
    const link = /<([^>]+)>; *rel="next"/.exec(headers.get("link") ?? "");
    // Behind a proxy, the link may have another host. Keep only the path.
    const { pathname, search } = new URL(link?.[1] ?? "", `${this.url}/`);
    const next = link ? new URL(pathname + search, this.url).href : null;
    return { records: data, next: /** @type {NextPage<RecordOf<P>> | null} */ (next) };
  }

  /**
   * Iterates over all records of a list. Requests each page when its first record is needed.
   *
   * @template {Path} const P
   * @param {P & Listable<P>} path
   * @param {ReadOptions<P>} [options] `query` contains the filters, `order`, and the page's `limit`.
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
   * Reads the feed's head, the sequence number of its last entry.
   *
   * @param {RequestOptions} [options]
   */
  async head(options) {
    return (await this.feed(null, options)).head;
  }

  /**
   * Reads the feed's entries after a sequence number, and its head. If `after` is null, reads only the head.
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
   * pushes if the service has a socket and the runtime has `WebSocket`. Otherwise, it polls.
   *
   * @param {FollowOptions} options
   * @returns {{poll: () => void, stop: () => void}} `poll` requests new entries immediately.
   */
  follow({ onEntry, after = null, onStart, onState = () => {}, interval = POLL_INTERVAL, subscription }) {
    const abortController = new AbortController();
    /** @type {{stop: () => void} | null} */
    let socket = null;
    // A client may use the socket only if it may read the feed.
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
   * Iterates over the feed's entries and waits for new ones. To miss no entry, store the `id` of the last processed
   * entry, and pass it as `after` when the program starts again. If the program stops before it stores the `id`, it
   * receives that entry again. Without `after`, delivery starts at the head, which `onStart` receives.
   *
   * @param {{after?: number | string | null, onStart?: (head: number) => void, signal?: AbortSignal}} [options]
   * @returns {AsyncGenerator<Entry, void, undefined>}
   * @throws {ServiceError} if the token is invalid, or entries after `after` have expired (410).
   */
  async *entries({ after = null, onStart, signal } = {}) {
    const { entries } = await import("./entries.js");
    yield* entries(this, after === null ? null : Number(after), onStart, signal);
  }

  /**
   * @param {string} path
   * @param {Query} query
   */
  #urlOf(path, query) {
    const url = new URL(path.startsWith("/") ? this.url + path : path);
    // Another host must not receive the token.
    if (!url.href.startsWith(`${this.url}/`)) throw new RangeError(`${path} is not a URL of ${this.url}`);
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
    // Browsers embedded in other programs may be years old and lack `AbortSignal.any`.
    const abortController = new AbortController();
    const abort = () => abortController.abort(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort);
    const onTimeout = () => abortController.abort(new DOMException("The request timed out", "TimeoutError"));
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
      this.#isReached = true;
      text = await response.text();
    } catch (cause) {
      if (signal?.aborted) throw cause;
      throw new ConnectionError(`${method} ${url.origin}${url.pathname}: no response (${reasonOf(cause)})`, { cause });
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
 * Widens the type of a query, which depends on the path.
 *
 * @param {ReadOptions<any>} [options]
 * @returns {AnyRequest}
 */
const anyQuery = (options = {}) => ({ ...options, query: /** @type {Query} */ (options.query ?? {}) });

/** Returns the innermost reason of a failed request, such as `ECONNREFUSED`. @param {any} cause @returns {string} */
const reasonOf = (cause) => (cause?.cause ? reasonOf(cause.cause) : (cause?.code ?? cause?.message ?? String(cause)));

/** Returns a random idempotency key. `crypto.randomUUID` exists only on pages with a secure origin. */
function randomKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Parses a number of seconds, and converts it to milliseconds.
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
