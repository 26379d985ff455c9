// JavaScript and TypeScript client for the event capture service, without dependencies or a build step.

export { Client, ConnectionError, ServiceError } from "./client.js";
export { follow } from "./feed.js";

