/** An error response from the service. */
export class ServiceError extends Error {
    /**
     * @param {number} status
     * @param {Partial<Problem> | null} problem The body, or null if it is not a problem document.
     * @param {Headers} headers
     * @param {string} [request] The method and the path.
     */
    constructor(status: number, problem: Partial<Problem> | null, headers: Headers, request?: string);
    /** A description of the problem and its fix, for people. */
    detail: string;
    /** The HTTP status. */
    status: number;
    /** The stable error code, such as `record_not_found`. Null if the response is not from the service. */
    code: "malformed_body" | "invalid_parameter" | "invalid_header" | "path_too_long" | "token_missing" | "token_invalid" | "scope_insufficient" | "origin_not_allowed" | "signature_invalid" | "wrong_channel" | "record_not_found" | "route_not_found" | "method_not_allowed" | "duplicate_platform_id" | "duplicate_name" | "active_specimen_exists" | "document_exists" | "document_attached" | "record_differs" | "deletion_in_progress" | "connection_exists" | "product_disabled" | "price_changed" | "out_of_stock" | "on_cooldown" | "limit_reached" | "insufficient_balance" | "purchase_closed" | "opted_out" | "entries_expired" | "etag_mismatch" | "payload_too_large" | "unsupported_media_type" | "invalid_body" | "record_too_large" | "idempotency_key_reused" | "too_many_embedded_records" | "too_many_requests" | "store_unavailable" | "platform_unavailable" | "internal_error" | null;
    /** @type {Violation[]} All violations of the request. */
    errors: Violation[];
    /** The request's identifier in the service's log. */
    requestId: string | null;
    /** How long to wait before a retry, in milliseconds. Null if the service does not say. */
    retryAfter: number | null;
    /** Whether the same request may succeed later. */
    get isRetryable(): boolean;
}
/** A request without a response: the connection was lost, or the request timed out. `cause` is the reason. */
export class ConnectionError extends Error {
}
/** A client for one service. One client serves an entire program. */
export class Client {
    /**
     * @param {string | URL} url The base URL of the service, such as `http://127.0.0.1:3000`.
     * @param {ClientOptions} [options]
     */
    constructor(url: string | URL, { token, retries, timeout, onRetry, fetch }?: ClientOptions);
    /** The base URL, without a trailing slash. */
    url: string;
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
    request(method: Method, path: string, { body, query, headers, ifMatch, key, signal, retries }?: AnyRequest): Promise<ApiResponse<any>>;
    /**
     * Reads a record or another JSON document.
     *
     * @template {Path} const P
     * @param {P & Gettable<P>} path
     * @param {ReadOptions<P>} [options]
     * @returns {Promise<Got<P>>}
     */
    get<const P extends Path>(path: P & Gettable<P>, options?: ReadOptions<P>): Promise<Got<P>>;
    /**
     * Creates a record, or sends an alert.
     *
     * @template {Path} const P
     * @param {P & Postable<P>} path
     * @param {Body<P>} body
     * @param {RequestOptions} [options]
     * @returns {Promise<Created<P>>}
     */
    post<const P extends Path>(path: P & Postable<P>, body: Body<P>, options?: RequestOptions): Promise<Created<P>>;
    /**
     * Changes fields of a record. With `ifMatch`, the service returns 412 if the record has changed since.
     *
     * @template {Path} const P
     * @param {P & Patchable<P>} path
     * @param {Changes<P>} changes
     * @param {RequestOptions} [options]
     * @returns {Promise<Changed<P>>}
     */
    patch<const P extends Path>(path: P & Patchable<P>, changes: Changes<P>, options?: RequestOptions): Promise<Changed<P>>;
    /**
     * Stores a complete record under its identifier, or a list of stamps. A record requires the scope `import`.
     *
     * @template {Path} const P
     * @param {P & Puttable<P>} path
     * @param {Stored<P>} record
     * @param {RequestOptions} [options]
     * @returns {Promise<Put<P>>}
     */
    put<const P extends Path>(path: P & Puttable<P>, record: Stored<P>, options?: RequestOptions): Promise<Put<P>>;
    /**
     * Deletes a record and returns its last state.
     *
     * @template {Path} const P
     * @param {P & Deletable<P>} path
     * @param {RequestOptions} [options]
     * @returns {Promise<Deleted<P>>}
     */
    delete<const P extends Path>(path: P & Deletable<P>, options?: RequestOptions): Promise<Deleted<P>>;
    /**
     * Reads one page of a list, with the URL of the next page. On the last page, this URL is null.
     *
     * @template {Path} const P
     * @param {P & Listable<P>} path A path, or `next` of the previous page, which includes the query.
     * @param {ReadOptions<P>} [options] `query` contains the filters, `order`, and the page's `limit`.
     * @returns {Promise<Page<RecordOf<P>>>}
     */
    page<const P extends Path>(path: P & Listable<P>, options?: ReadOptions<P>): Promise<Page<RecordOf<P>>>;
    /**
     * Iterates over all records of a list. Requests each page when its first record is needed.
     *
     * @template {Path} const P
     * @param {P & Listable<P>} path
     * @param {ReadOptions<P>} [options] `query` contains the filters, `order`, and the page's `limit`.
     * @returns {AsyncGenerator<RecordOf<P>, void, undefined>}
     */
    list<const P extends Path>(path: P & Listable<P>, options?: ReadOptions<P>): AsyncGenerator<RecordOf<P>, void, undefined>;
    /**
     * Reads the feed's head, the sequence number of its last entry.
     *
     * @param {RequestOptions} [options]
     */
    head(options?: RequestOptions): Promise<number>;
    /**
     * Reads the feed's entries after a sequence number, and its head. If `after` is null, reads only the head.
     *
     * @param {number | null} after
     * @param {RequestOptions} [options]
     * @returns {Promise<{entries: Entry[], head: number}>}
     */
    feed(after: number | null, options?: RequestOptions): Promise<{
        entries: Entry[];
        head: number;
    }>;
    /**
     * Follows the feed until `stop` is called. Delivers each entry once and in order, even if requests fail. Waits for
     * pushes if the service has a socket and the runtime has `WebSocket`. Otherwise, it polls.
     *
     * @param {FollowOptions} options
     * @returns {{poll: () => void, stop: () => void}} `poll` requests new entries immediately.
     */
    follow({ onEntry, after, onStart, onState, interval, subscription }: FollowOptions): {
        poll: () => void;
        stop: () => void;
    };
    /**
     * Iterates over the feed's entries and waits for new ones. To miss no entry, store the `id` of the last processed
     * entry, and pass it as `after` when the program starts again. If the program stops before it stores the `id`, it
     * receives that entry again. Without `after`, delivery starts at the head, which `onStart` receives.
     *
     * @param {{after?: number | string | null, onStart?: (head: number) => void, signal?: AbortSignal}} [options]
     * @returns {AsyncGenerator<Entry, void, undefined>}
     * @throws {ServiceError} if the token is invalid, or entries after `after` have expired (410).
     */
    entries({ after, onStart, signal }?: {
        after?: number | string | null;
        onStart?: (head: number) => void;
        signal?: AbortSignal;
    }): AsyncGenerator<Entry, void, undefined>;
    #private;
}
import type { Violation } from "./types.js";
import type { Problem } from "./types.js";
import type { Method } from "./types.js";
import type { AnyRequest } from "./types.js";
import type { ApiResponse } from "./types.js";
import type { Path } from "./types.js";
import type { Gettable } from "./types.js";
import type { ReadOptions } from "./types.js";
import type { Got } from "./types.js";
import type { Postable } from "./types.js";
import type { Body } from "./types.js";
import type { RequestOptions } from "./types.js";
import type { Created } from "./types.js";
import type { Patchable } from "./types.js";
import type { Changes } from "./types.js";
import type { Changed } from "./types.js";
import type { Puttable } from "./types.js";
import type { Stored } from "./types.js";
import type { Put } from "./types.js";
import type { Deletable } from "./types.js";
import type { Deleted } from "./types.js";
import type { Listable } from "./types.js";
import type { RecordOf } from "./types.js";
import type { Page } from "./types.js";
import type { Entry } from "./types.js";
import type { FollowOptions } from "./types.js";
import type { ClientOptions } from "./types.js";
