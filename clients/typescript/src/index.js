// A client of the event capture service for JavaScript and TypeScript. It has no dependencies, and needs no build.

export { Client, ConnectionError, ServiceError } from "./client.js";
export { follow } from "./feed.js";

