export { follow } from "./feed.js";
export { Client, ConnectionError, ServiceError } from "./client.js";
