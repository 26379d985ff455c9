// The API reference: Scalar with this service's OpenAPI document. It also sends requests, with the tab's token, which
// it shares with the console.

import { Client } from "../shared/client/index.js";
import { base, session } from "../shared/page.js";
import { GUIDES } from "./guides/list.js";

const OTHER_LANGUAGES = ["c", "clojure", "csharp", "dart", "fsharp", "go", "http", "java", "kotlin", "node", "objc",
  "ocaml", "php", "powershell", "r", "ruby", "rust", "swift"];

const form = /** @type {HTMLFormElement} */ (document.querySelector("#sign-in"));
const reason = /** @type {HTMLElement} */ (form.querySelector("p"));

/** Asks for a token until the service accepts one, and returns the document. */
async function load() {
  for (;;) {
    try {
      return await new Client(base, { token: session.get("token"), retries: 2 }).get("/openapi.json");
    } catch (error) {
      reason.textContent = error.status === 401 && !session.get("token") ? "The service requires an access token."
        : (error.detail ?? error.message);
      form.hidden = false;
      await /** @type {Promise<void>} */ (new Promise((resolve) =>
        form.addEventListener("submit", (event) => (event.preventDefault(), resolve()), { once: true })));
      session.set("token", String(new FormData(form).get("token")).trim());
      form.hidden = true;
    }
  }
}

const openapi = await load();
// Without a limit, a list can reach 5 MB, which takes a page too long to highlight.
for (const { get } of Object.values(openapi.paths)) {
  for (const parameter of get?.parameters ?? []) {
    if (parameter.name === "limit") parameter.examples ??= { default: { value: 20, "x-disabled": false } };
  }
}
const guides = GUIDES.map(([name, title]) => `- [${title}](${base}/docs/guides/?guide=${name})`).join("\n");
const description = `${openapi.info.description}\n\n## Guides\n\n${guides}`;

// Scalar's script is loaded before this module.
const { Scalar } = /** @type {any} */ (globalThis);
Scalar.createApiReference("#reference", {
  content: { ...openapi, info: { ...openapi.info, description }, servers: [{ url: base }] },
  // A service without tokens declares no scheme, and Scalar would invent one.
  ...(openapi.components.securitySchemes && { authentication: { preferredSecurityScheme: "token",
    securitySchemes: { token: { token: session.get("token") ?? "" } } } }),
  // Samples for the guides' programs. All other languages are hidden.
  hiddenClients: {
    ...Object.fromEntries(OTHER_LANGUAGES.map((language) => [language, true])),
    shell: ["wget", "httpie"],
    js: ["axios", "jquery", "ofetch", "xhr"],
    python: ["aiohttp", "httpx_async", "httpx_sync", "python3"],
  },
  // Requests stay within the service.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
});
