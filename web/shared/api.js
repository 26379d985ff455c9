// The service, as the pages ask it. Both pages are served by it: every address is below the one of the page's folder.

/** Where the service answers: what is before `/overlay/` or `/console/`. */
export const base = location.pathname.replace(/\/(overlay|console)\/.*$/, "");

/** What the service has refused. */
export class Refused extends Error {
  constructor(status, problem) {
    super(problem?.detail ?? `HTTP ${status}`);
    this.status = status;
    this.problem = problem;
  }
}

/** The service, asked with a token or without one. */
export class Api {
  constructor(token) {
    this.token = token;
  }

  async send(method, path, { body, headers = {} } = {}) {
    const all = { ...headers };
    if (this.token) all.Authorization = `Bearer ${this.token}`;
    if (body !== undefined) all["Content-Type"] = "application/json";
    const answer = await fetch(path.startsWith("/") ? base + path : path, {
      method,
      headers: all,
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-store",
      credentials: "omit",
    });
    const text = await answer.text();
    let json = null;
    try {
      json = text ? JSON.parse(text) : null;
    } catch {
      // An answer of something before the service.
    }
    if (!answer.ok) throw new Refused(answer.status, json);
    return { json, answer };
  }

  async get(path) {
    return (await this.send("GET", path)).json;
  }

  /** A page of a list, and the address of the next. */
  async page(path) {
    const { json, answer } = await this.send("GET", path);
    const next = /^<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "");
    // The link has the base already.
    return { records: json, next: next ? next[1].slice(base.length) : null };
  }

  /** What the feed tells after a number; its head alone, for null. */
  async feed(after) {
    const { json, answer } = await this.send("GET", after === null ? "/feed" : `/feed?after=${after}`);
    return { events: json, head: Number(answer.headers.get("feed-head")) };
  }
}
