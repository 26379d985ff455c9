/** @import { Client } from "./client.js" */
/** @import { Entry } from "./types.js" */
/**
 * Implements `Client.entries`.
 *
 * @param {Client} client
 * @param {number | null} after
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<Entry, void, undefined>}
 */
export function entries(client: Client, after: number | null, signal?: AbortSignal): AsyncGenerator<Entry, void, undefined>;
import type { Client } from "./client.js";
import type { Entry } from "./types.js";
