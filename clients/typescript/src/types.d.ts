// Types of records, by name and by path. The schemas are generated from the OpenAPI document.

import type { Board, Collections, LeaderboardQuery, StatisticsQuery, TotalsQuery, components } from "./schemas.js";

type Schemas = components["schemas"];

export type Event = Schemas["Event"];
export type PlainEvent = Schemas["PlainEvent"];
export type SubEvent = Schemas["SubscriberEvent"];
export type CheerEvent = Schemas["CheerEvent"];
export type RaidEvent = Schemas["RaidEvent"];
export type NewEvent = Schemas["NewEvent"];
/** A user as returned by GET, with specimen, inventory and wallet. */
export type UserDetails = Schemas["UserDetails"];
/** A user inside another record or in the response to a write. */
export type User = Schemas["User"];
export type NewUser = Schemas["NewUser"];
export type Stamp = Schemas["Stamp"];
export type Document = Schemas["Document"];
export type Specimen = Schemas["Specimen"];
export type InventoryItem = Schemas["InventoryItem"];
export type Transaction = Schemas["Transaction"];
export type Product = Schemas["Product"];
export type Purchase = Schemas["Purchase"];
export type OptOut = Schemas["OptOut"];
/** A transfer between wallets: its two transactions. */
export type Transfer = Schemas["Transfer"];
export type Overlay = Schemas["Overlay"];
export type Rule = Schemas["Rule"];
export type Wallet = Schemas["Wallet"];
/** A bucket of the channel's statistics. */
export type Bucket = Schemas["StatisticsBucket"];
/** A bucket of a user's statistics. */
export type UserBucket = Schemas["StatisticsBucketOfUser"];
/** A place on a leaderboard. */
export type Place = Schemas["LeaderboardPlace"];
export type Problem = Schemas["Problem"];
export type Violation = Schemas["Violation"];
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

type Completed<E> = E extends { data?: unknown } ? E : E & { data?: undefined };
/** A feed entry, which is a CloudEvent. `type` determines the type of `data`, the current record if it still exists. */
export type Entry = Completed<Schemas["Entry"]>;

type Name = keyof Collections;
type Links<C extends Name> = Collections[C]["links"];

/** The target of a path: one record, a list of records, or another document. */
type One<C extends Name, Created = never> = { kind: "one"; of: C; created: Created };
type Many<C extends Name, Created = Collections[C]["created"]> = { kind: "many"; of: C; created: Created };
type Value<V> = { kind: "value"; value: V };
/** An action: a POST that returns more than one record. */
type Action<Result, Created> = { kind: "action"; result: Result; created: Created };

/** Follows a record's link and the rest of the path. */
type Follow<L, Rest extends string> = L extends { many: infer C extends Name; created: infer B }
  ? Rest extends "" ? Many<C, B> : InList<C, Rest>
  : L extends { one: infer C extends Name; created: infer B }
    ? Rest extends "" ? One<C, B> : InRecord<C, Rest>
    : L extends { action: infer R; created: infer B } ? (Rest extends "" ? Action<R, B> : never)
    : L extends { value: infer V } ? (Rest extends "" ? Value<V> : never) : never;
type InList<C extends Name, Rest extends string> = Rest extends `${infer I}/${infer More}`
  ? I extends Id<I> ? InRecord<C, More> : never
  : Rest extends Id<Rest> ? One<C> : never;
/** A part of a path: one of these values, or a text that is known only at run time. */
type Part<Given extends string, Values extends string> = string extends Given ? Given : Values;
type Id<I extends string> = Part<I, `${number}`>;
type InRecord<C extends Name, Rest extends string> = Rest extends `${infer L}/${infer More}`
  ? L extends keyof Links<C> ? Follow<Links<C>[L], More> : never
  : Rest extends keyof Links<C> ? Follow<Links<C>[Rest], ""> : never;

/** Resolves the target of a path, link by link. `never` for an unknown path. */
type Target<P extends string> = P extends "/statistics" ? Value<Bucket[]>
  : P extends "/totals" ? Value<Schemas["Totals"]>
  : P extends `/leaderboards/${infer B}` ? (B extends Part<B, Board> ? Value<Place[]> : never)
  : P extends "/openapi.json" | "/asyncapi.json" ? Value<Record<string, any>>
  : P extends "/health" ? Value<{ status: "ok"; socket?: string }>
  : P extends "/tokens" ? Value<Schemas["Token"][]>
  : P extends `/tokens/${string}` ? { kind: "token"; deleted: Schemas["Token"] }
  : P extends "/connections/overlays" ? Value<Schemas["ConnectedOverlay"][]>
  : P extends "/connections/twitch" ? Value<Schemas["TwitchConnection"]> & { deleted: Schemas["TwitchConnection"] }
  : P extends "/alerts" ? Action<Schemas["AcceptedAlert"], Schemas["NewAlert"]>
  : P extends `/feed${string}` ? Value<Entry[]>
  : P extends "/errors" ? Value<Schemas["ErrorExplanation"][]>
  : P extends `/errors/${string}` ? Value<Schemas["ErrorExplanation"]>
  : P extends "/" ? Value<Record<string, string>>
  : P extends "/transfers" ? Action<Schemas["Transfer"], Schemas["NewTransfer"]>
  : P extends `/${infer C}/${infer Rest}` ? (C extends Name ? InList<C, Rest> : never)
  : P extends `/${infer C}` ? (C extends Name ? Many<C> : never)
  : never;

// Each type takes the target as a parameter, so that it is never for an unknown path.
type Found<T> = T extends One<infer C, any> ? Collections[C]["record"]
  : T extends Many<infer C, any> ? Collections[C]["record"][]
  : T extends Value<infer V> ? V : never;
type Written<T> = T extends Action<infer R, any> ? R : T extends { of: infer C extends Name } ? Collections[C]["written"] : never;
type Listed<T> = T extends Many<infer C, any> ? Collections[C]["record"] : never;
type Change<T> = T extends One<infer C, any> ? Collections[C]["changed"] : never;
type Complete<T> = T extends One<infer C, any> ? Collections[C]["imported"]
  : T extends Many<infer C, infer B> ? ([Collections[C]["listed"]] extends [never] ? never : B[]) : never;
type Removed<T> = T extends One<infer C, any> ? Collections[C]["deleted"] : T extends { deleted: infer D } ? D : never;

/** Any path. Lists the known paths for completion in editors. */
export type Path = `/${Name}` | "/statistics" | "/totals" | "/leaderboards/bits" | "/health" | (string & {});

/** The path, if it supports a method. Other paths are compile errors, except for `request`. */
type If<P extends string, Result> = [Result] extends [never] ? never : P;

/** The result of a GET. */
export type Got<P extends string> = Found<Target<P>>;
export type Gettable<P extends string> = If<P, Got<P>>;

/** The URL of the next page, with the type of its records. */
export type NextPage<T> = string & { readonly " records": T };

/** A record of the list at a path. */
export type RecordOf<P extends string> = P extends NextPage<infer T> ? T
  : Listed<Target<P>>;
export type Listable<P extends string> = If<P, RecordOf<P>>;

/** The body of a POST. */
export type Body<P extends string> = P extends "/tokens" ? Schemas["NewToken"]
  : P extends "/connections/twitch" ? Schemas["TwitchLogin"]
  : Extract<Target<P>, { created: unknown }>["created"];
export type Postable<P extends string> = If<P, Body<P>>;

/** The result of a POST. */
export type Created<P extends string> = P extends "/tokens" ? Schemas["CreatedToken"]
  : P extends "/connections/twitch" ? Schemas["TwitchConnection"] : Written<Target<P>>;

/** The body of a PATCH. */
export type Changes<P extends string> = Change<Target<P>>;
export type Patchable<P extends string> = If<P, Changes<P>>;

/** The result of a PATCH. */
export type Changed<P extends string> = Written<Target<P>>;

/** The body of a PUT: a complete record, or a list of new ones. */
export type Stored<P extends string> = Complete<Target<P>>;
export type Puttable<P extends string> = If<P, Stored<P>>;

/** The result of a PUT. */
export type Put<P extends string> = Target<P> extends Many<any, any> ? Written<Target<P>>[] : Written<Target<P>>;

/** The result of a DELETE. */
export type Deleted<P extends string> = Removed<Target<P>>;
export type Deletable<P extends string> = If<P, Deleted<P>>;

/** The query of a GET. */
export type QueryOf<P extends string> = P extends "/statistics" | `${string}/statistics` ? StatisticsQuery
  : P extends "/totals" ? TotalsQuery
  : P extends `/leaderboards/${string}` ? LeaderboardQuery
  : P extends `/feed${string}` ? { after?: number | null; limit?: number | null }
  : Target<P> extends Many<infer C, any> ? Collections[C]["query"] : Record<string, never>;

/** A page of a list, with the URL of the next page. */
export interface Page<T> {
  records: T[];
  next: NextPage<T> | null;
}

/** The result of a round of feed requests. */
export interface FollowState {
  /** Whether the feed was read. */
  live: boolean;
  /** The status of the failed request, if there was a response. */
  status?: number;
  /** Whether entries expired before they were delivered. */
  missed?: boolean;
  /** The error of the failed request. */
  error?: unknown;
  /** The time until the next attempt, in milliseconds. */
  retryIn?: number;
}

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Query parameters. Null and undefined values are omitted. Arrays are joined with commas. */
export type Query = Record<string, QueryValue | readonly QueryValue[]>;
type QueryValue = string | number | boolean | Date | null | undefined;

export interface ClientOptions {
  /** The access token. A local service usually requires none. */
  token?: string | null | undefined;
  /** The maximum number of retries of a failed request. The default is 4. */
  retries?: number;
  /** The timeout of each attempt, in milliseconds. The default is 30 seconds. */
  timeout?: number;
  /** Called before each retry, such as for logging. */
  onRetry?: (retry: { error: Error; attempt: number; delay: number }) => void;
  /** A replacement for `fetch`, for tests. */
  fetch?: typeof globalThis.fetch;
}

/** Options of `request`, which accepts any path and body. */
export interface AnyRequest extends RequestOptions {
  /** The body. A `FormData` is sent as a form, everything else as JSON. */
  body?: unknown;
  query?: Query;
}

/** Options of a GET. */
export interface ReadOptions<P extends string> extends RequestOptions {
  query?: QueryOf<P>;
}

export interface RequestOptions {
  /** Additional headers. */
  headers?: Record<string, string>;
  /** The ETag that the record must have, for PATCH and DELETE. */
  ifMatch?: string | null | undefined;
  /** The `Idempotency-Key` of a POST or PUT. The default is random. */
  key?: string | undefined;
  /** Cancels the request and its retries. */
  signal?: AbortSignal;
  /** Overrides the client's number of retries. */
  retries?: number;
}

export interface ApiResponse<T> {
  /** The body. Null if it is empty, as in a 304. */
  data: T;
  status: number;
  headers: Headers;
  /** The record's ETag, for `ifMatch`. */
  etag: string | null;
}

export interface FollowOptions {
  /** Receives each entry, in order. If it returns a promise, the next entry waits for it. */
  onEntry: (entry: Entry) => void | Promise<void>;
  /** The sequence number of the last processed entry. The default, null, starts at the head. */
  after?: number | null;
  /** Receives the head where delivery starts, if `after` is null. */
  onStart?: (head: number) => void;
  /** Receives the result of each round of requests. */
  onState?: (state: FollowState) => void;
  /** The polling interval without a socket, in milliseconds. */
  interval?: number;
  /** The overlay that a page shows, and whether it is a browser source in OBS: see `GET /connections/overlays`. */
  subscription?: { overlay?: number; in_obs?: boolean };
}
