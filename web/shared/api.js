// A client of the service's API. The service also serves the pages, so it has their origin.

/** The path prefix of the API: the part of the page's path before `/overlay/` or `/console/`. */
export const base = location.pathname.replace(/\/(overlay|console)\/.*$/, "");

/** An error response: its status and its problem document, or null if the body is not JSON. */
export class ResponseError extends Error {
  constructor(status, problem) {
    super(problem?.detail ?? `HTTP ${status}`);
    this.status = status;
    this.problem = problem;
  }
}

/** An API client. It sends the token with each request, unless the token is null. */
export class Api {
  constructor(token) {
    this.token = token;
  }

  /**
   * Sends a request to a path below the base. The JSON body of the response is null if it cannot be parsed.
   *
   * @throws {ResponseError} if the status is not 2xx.
   */
  async send(method, path, { body, headers = {} } = {}) {
    const allHeaders = { ...headers };
    if (this.token) allHeaders.Authorization = `Bearer ${this.token}`;
    if (body !== undefined) allHeaders["Content-Type"] = "application/json";
    const response = await fetch(path.startsWith("/") ? base + path : path, {
      method,
      headers: allHeaders,
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-store",
      credentials: "omit",
    });
    const text = await response.text();
    let json = null;
    try {
      json = text ? JSON.parse(text) : null;
    } catch {
      // A proxy in front of the service may return HTML.
    }
    if (!response.ok) throw new ResponseError(response.status, json);
    return { json, response };
  }

  /** Returns the JSON body of a GET request. */
  async get(path) {
    return (await this.send("GET", path)).json;
  }

  /** Returns a page of a list, and the path of the next page. The path is null after the last page. */
  async page(path) {
    const { json, response } = await this.send("GET", path);
    const next = /^<([^>]+)>; rel="next"/.exec(response.headers.get("link") ?? "");
    // The link includes the base, which `send` adds again.
    return { records: json, next: next ? next[1].slice(base.length) : null };
  }

  /** Returns the feed's entries after a sequence number, and its head. For null, returns the head without entries. */
  async feed(after) {
    const { json, response } = await this.send("GET", after === null ? "/feed" : `/feed?after=${after}`);
    return { entries: json, head: Number(response.headers.get("feed-head")) };
  }
}
