// A client of the event capture service for JavaScript and TypeScript. It has no dependencies, and needs no build.

export { Client, ServiceError } from "./client.js";
export { follow } from "./feed.js";
