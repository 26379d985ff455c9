// The types of records by path. The schemas are generated from the OpenAPI document.

import type { Collections, components } from "./schemas.js";

type Schemas = components["schemas"];

export type Event = Schemas["Event"];
export type User = Schemas["UserDetails"];
export type Stamp = Schemas["Stamp"];
export type Document = Schemas["Document"];
export type Specimen = Schemas["Specimen"];
export type InventoryItem = Schemas["InventoryItem"];
export type Transaction = Schemas["Transaction"];
export type Overlay = Schemas["Overlay"];
export type Problem = Schemas["Problem"];
export type Violation = NonNullable<Problem["errors"]>[number];
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** A page of a list, with the URL of the next page. */
export interface Page<T> {
  records: T[];
  next: string | null;
}

/** The record of a list's path. Other paths have any type. */
export type RecordOf<P extends string> = P extends keyof Collections ? Collections[P]["record"] : any;

/** The record at a path such as `/users/5`. Other paths have any type. */
export type RecordAt<P extends string> = P extends `${infer C}/${number}` ? (C extends keyof Collections ? Collections[C]["record"] : any) : any;

/** The body of a POST to a list's path. Other paths take any JSON. */
export type Body<P extends string> = P extends keyof Collections ? Collections[P]["created"] : unknown;

/** The record that a POST to a list's path returns. */
export type Created<P extends string> = RecordOf<P>;

/** The changes of the record at a path. */
export type Changes<P extends string> = P extends `${infer C}/${number}` ? (C extends keyof Collections ? Collections[C]["changed"] : unknown) : unknown;

/** An entry of the feed: a CloudEvent. */
export interface Entry {
  /** The sequence number, with 16 digits. */
  id: string;
  type:
    | "event.created"
    | "event.updated"
    | "event.deleted"
    | "stamp.created"
    | "stamp.updated"
    | "stamp.deleted"
    | "overlay.updated"
    | "alert.replayed"
    | "alert.tested"
    | "alert.skipped"
    | "alert.cleared";
  /** The record, such as `events/77`. */
  subject?: string;
  /** The time of the change. */
  time: string;
  /** The record as it is now. Absent if it no longer exists. */
  data?: any;
}

/** The result of a round of requests to the feed. */
export interface FollowState {
  /** True if the feed was read. */
  live: boolean;
  /** The status of the failed request, if there was a response. */
  status?: number;
  /** True if entries expired before they were delivered. */
  missed?: boolean;
}

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Query parameters. Those that are null or undefined are left out. */
export type Query = Record<string, string | number | boolean | Date | null | undefined>;

export interface ClientOptions {
  /** The access token. Services on one machine usually need none. */
  token?: string | null;
  /** The maximum number of retries of a failed request. 4 by default. */
  retries?: number;
  /** The time limit of each attempt, in milliseconds. 30 seconds by default. */
  timeout?: number;
  /** A replacement of `fetch`, for tests. */
  fetch?: typeof globalThis.fetch;
}

export interface RequestOptions {
  /** The body, which is sent as JSON. */
  body?: unknown;
  query?: Query;
  /** Further headers. */
  headers?: Record<string, string>;
  /** The ETag that the record must have, for PATCH and DELETE. */
  ifMatch?: string;
  /** The `Idempotency-Key` of a POST or PUT. By default, each POST gets a random one. */
  key?: string;
  /** Cancels the request and its retries. */
  signal?: AbortSignal;
  /** Overrides the client's number of retries. */
  retries?: number;
}

export interface ApiResponse<T> {
  /** The body. */
  data: T;
  headers: Headers;
  /** The ETag of a record, for `ifMatch`. */
  etag: string | null;
}

export interface FollowOptions {
  /** Receives each entry, in order. */
  onEntry: (entry: Entry) => void;
  /** The sequence number of the last processed entry. Null, the default, begins at the head. */
  after?: number | null;
  /** Receives the head at which delivery begins, if `after` is null. */
  onStart?: (head: number) => void;
  /** Receives the result of each round of requests. */
  onState?: (state: FollowState) => void;
  /** The polling interval without a socket, in milliseconds. */
  interval?: number;
}
