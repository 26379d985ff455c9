/** @import { Client } from "./client.js" */
/** @import { Entry } from "./types.js" */
/**
 * Implements `Client.entries`.
 *
 * @param {Client} client
 * @param {number | null} after
 * @param {(head: number) => void} [onStart]
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<Entry, void, undefined>}
 */
export function entries(client: Client, after: number | null, onStart?: (head: number) => void, signal?: AbortSignal): AsyncGenerator<Entry, void, undefined>;
import type { Client } from "./client.js";
import type { Entry } from "./types.js";
