// The types of records by path. The schemas are generated from the OpenAPI document.

import type { Collections, components } from "./schemas.js";

type Schemas = components["schemas"];

export type Event = Schemas["event"];
export type User = Schemas["user"];
export type Stamp = Schemas["stamp"];
export type Document = Schemas["document"];
export type Specimen = Schemas["specimen"];
export type InventoryItem = Schemas["inventory_item"];
export type Transaction = Schemas["transaction"];
export type Overlay = Schemas["overlay"];
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
