// The API reference: Swagger UI with the OpenAPI document of this service. It also sends requests, with the
// token of the tab, which the console uses, too.

import { Client } from "../shared/client/index.js";
import { base } from "../shared/page.js";
import { session } from "../shared/storage.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("#sign-in"));
const reason = /** @type {HTMLElement} */ (form.querySelector("p"));

/** Asks for a token until the service accepts one, and returns the document. */
async function load() {
  for (;;) {
    try {
      return await new Client(base, { token: session.get("token"), retries: 2 }).get("/openapi.json");
    } catch (error) {
      reason.textContent = error.status === 401 && !session.get("token") ? "The service requires an access token." : (error.detail ?? error.message);
      form.hidden = false;
      await /** @type {Promise<void>} */ (new Promise((resolve) => form.addEventListener("submit", (event) => (event.preventDefault(), resolve()), { once: true })));
      session.set("token", String(new FormData(form).get("token")).trim());
      form.hidden = true;
    }
  }
}

const openapi = await load();
// Without a limit, a list has up to 5 MB, and Swagger UI takes half a minute to highlight that.
for (const { get } of Object.values(openapi.paths)) {
  for (const parameter of get?.parameters ?? []) if (parameter.name === "limit") parameter.example ??= 20;
}
// The script of Swagger UI is loaded before this module.
const { SwaggerUIBundle } = /** @type {any} */ (globalThis);
SwaggerUIBundle({
  spec: { ...openapi, servers: [{ url: base }] },
  domNode: document.querySelector("#reference"),
  deepLinking: true,
  docExpansion: "none",
  tryItOutEnabled: true,
  // No request leaves the service: the validator would be a foreign host.
  validatorUrl: null,
  requestInterceptor(request) {
    const token = session.get("token");
    if (token && request.url.startsWith(base)) request.headers.Authorization ??= `Bearer ${token}`;
    return request;
  },
});
