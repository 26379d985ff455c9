// The tools: test alerts, the health of the service, the overlay's URL, and tokens.

import { Form, Problem, html, idempotencyHeaders, useConsole, useEffect, useState } from "./parts.js";
import { base } from "./shared/api.js";

// The numeric fields of a test alert of each event type, with their initial values.
const NUMBERS = {
  plain: [],
  subscriber: [
    ["tier", "1"],
    ["subscribed_length", "3"],
  ],
  cheer: [["amount", "100"]],
  raid: [["viewer_count", "42"]],
};

export function Tools() {
  const { api, say } = useConsole();
  const [type, setType] = useState("cheer");
  const test = async ({ user_name, message, document_id, ...numbers }) => {
    const amounts = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)]));
    const test = { event_type: type, user_name, ...amounts };
    if (message) test.message = message;
    if (document_id) test.document_id = Number(document_id);
    await api.send("POST", "/alerts", { body: { test }, headers: idempotencyHeaders() });
  };
  const fields = [
    { name: "user_name", label: say("tools.name"), value: "Ann", required: true },
    ...NUMBERS[type].map(([name, value]) => ({ name, label: say(`field.${name}`), type: "number", min: "0", step: "1", value, required: true })),
    ...(type === "raid" ? [] : [{ name: "message", label: say("tools.message"), value: type === "plain" ? "Hello!" : "", required: type === "plain" }]),
    { name: "document_id", label: say("tools.document"), inputmode: "numeric", pattern: "[0-9]*" },
  ];
  return html`<h1>${say("tools.title")}</h1>
    <div class="grid">
      <section class="card">
        <h2>${say("tools.test")}</h2>
        <div class="bar" role="group" aria-label=${say("wall.types")}>
          ${Object.keys(NUMBERS).map((one) => html`<button aria-pressed=${one === type} onClick=${() => setType(one)}>${say(`type.${one}`)}</button>`)}
        </div>
        <${Form} key=${type} fields=${fields} submit=${say("tools.send")} send=${test} />
      </section>
      <${Health} />
      <${Overlay} />
      <${Tokens} />
    </div>`;
}

function Tokens() {
  const { api, say } = useConsole();
  const [tokens, setTokens] = useState([]);
  const [created, setCreated] = useState(null);
  const [confirming, setConfirming] = useState(null);
  const [error, setError] = useState(null);
  const load = () => api.get("/tokens").then(setTokens, setError);
  useEffect(() => void load(), []);
  const create = async ({ name }) => {
    setCreated((await api.send("POST", "/tokens", { body: { name } })).json);
    load();
  };
  const revoke = (id) =>
    api
      .send("DELETE", `/tokens/${id}`)
      .catch(setError)
      .then(() => (setConfirming(null), load()));
  return html`<section class="card">
    <h2>${say("tokens.title")}</h2>
    <div class="scroll">
      <table>
        <thead><tr><th scope="col">${say("tokens.name")}</th><th scope="col">${say("tokens.scope")}</th><th scope="col">${say("tokens.used")}</th><th scope="col">${say("tokens.revoke")}</th></tr></thead>
        <tbody>
          ${tokens.map(
            (token) => html`<tr key=${token.token_id}>
              <td>${token.name}</td><td>${token.scope}</td><td>${token.used_at ? say.time(token.used_at) : "–"}</td>
              <td>${
                confirming === token.token_id
                  ? html`<button class="main" onClick=${() => revoke(token.token_id)} aria-label=${say("tokens.revoke_sure", { name: token.name })}>${say("tokens.sure")}</button>`
                  : html`<button class="quiet" onClick=${() => setConfirming(token.token_id)} aria-label=${say("tokens.revoke_of", { name: token.name })}>${say("tokens.revoke")}</button>`
              }</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <${Form} submit=${say("tokens.make")} send=${create} fields=${[{ name: "name", label: say("tokens.name"), required: true, maxlength: 100 }]} />
    ${created && html`<p role="status">${say("tokens.made")} <code>${created.token}</code></p>`}
    <${Problem} of=${error} />
  </section>`;
}

function Overlay() {
  const { say } = useConsole();
  const [types, setTypes] = useState("subscriber,cheer,raid,document");
  const [duration, setDuration] = useState(6);
  const url = `${location.origin}${base}/overlay/#types=${types}&duration=${duration}&lang=${say.lang}&token=…`;
  return html`<section class="card">
    <h2>${say("tools.overlay")}</h2>
    <p>${say("tools.overlay_how")}</p>
    <div class="fields">
      <label class="field">${say("wall.types")}<input value=${types} onInput=${(event) => setTypes(event.currentTarget.value.replaceAll(" ", ""))} /></label>
      <label class="field">${say("tools.duration")}<input type="number" min="1" value=${duration} onInput=${(event) => setDuration(event.currentTarget.value)} /></label>
    </div>
    <p><code>${url}</code></p>
    <p class="quiet">${say("tools.overlay_token")}</p>
  </section>`;
}

function Health() {
  const { api, say, live } = useConsole();
  const [figures, setFigures] = useState({});
  useEffect(() => {
    const load = async () => {
      const [health, feed, events] = await Promise.all([api.get("/health"), api.feed(null), api.get("/events?limit=1")]);
      const last = feed.head > 0 ? (await api.feed(feed.head - 1).catch(() => ({ entries: [] }))).entries[0] : null;
      setFigures({ health, head: feed.head, appended: last?.time, event: events[0]?.created_at });
    };
    load().catch(() => setFigures({}));
    const timer = setInterval(() => load().catch(() => {}), 30_000);
    return () => clearInterval(timer);
  }, []);
  const row = (name, value) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`;
  return html`<section class="card">
    <h2>${say("tools.health")}</h2>
    <table>
      <tbody>
        ${row(say("tools.service"), figures.health?.status ?? "–")}
        ${row(say("tools.feed"), live ? say("live") : say("not_live"))}
        ${row(say("tools.head"), figures.head === undefined ? "–" : say.number(figures.head))}
        ${row(say("tools.told"), figures.appended ? say.time(figures.appended) : "–")}
        ${row(say("tools.last_event"), figures.event ? say.time(figures.event) : "–")}
        ${row(say("tools.socket"), figures.health?.socket ?? say("tools.no_socket"))}
      </tbody>
    </table>
  </section>`;
}
