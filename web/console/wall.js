// The wall: the channel's events, newest first, with new events as they happen.

import { EventRow, More, html, sentence, useConsole, useEffect, usePages, useState } from "./parts.js";

const TYPES = ["plain", "subscriber", "cheer", "raid"];
// The number of new events after which the list is loaded again, so that a page that is open for days stays fast.
const MOST_NEW = 1_000;

export function Wall() {
  const { say, subscribe } = useConsole();
  const [type, setType] = useState("");
  const [paused, setPaused] = useState(false);
  const [live, setLive] = useState([]);
  // The subjects of deleted events.
  const [deleted, setDeleted] = useState(new Set());
  const [waiting, setWaiting] = useState([]);
  // Stamps that were added to documents since their events were loaded.
  const [stamps, setStamps] = useState([]);
  // Events that have changed since they were loaded, by subject.
  const [changed, setChanged] = useState(new Map());
  const pages = usePages(`/events?limit=50${type && `&event_type=${type}`}`);

  useEffect(() => {
    setLive([]);
    setWaiting([]);
  }, [type]);
  useEffect(
    () =>
      subscribe((entry) => {
        if (entry.type === "event.deleted") setDeleted((before) => new Set([...before, entry.subject]));
        if (entry.type === "event.updated" && entry.data) setChanged((before) => new Map(before).set(entry.subject, entry.data));
        if (entry.type === "stamp.created" && entry.data) setStamps((before) => [...before, entry.data]);
        if (entry.type !== "event.created" || !entry.data) return;
        const add = (before) => [entry.data, ...before];
        if (paused) setWaiting(add);
        else setLive(add);
      }),
    [paused],
  );
  const isFull = live.length > MOST_NEW;
  useEffect(() => {
    if (!isFull) return;
    setLive([]);
    setStamps([]);
    setChanged(new Map());
    pages.reload();
  }, [isFull]);
  const resume = () => {
    setLive((before) => [...waiting, ...before]);
    setWaiting([]);
    setPaused(false);
  };
  const seen = new Set();
  const newIds = new Set(live.map((event) => event.event_id));
  const all = [...live.filter((event) => !type || event.event_type === type), ...pages.records].filter((event) => {
    const isFirst = !seen.has(event.event_id) && !deleted.has(`events/${event.event_id}`);
    seen.add(event.event_id);
    return isFirst;
  });
  // Applies the changes and stamps that arrived after an event was loaded.
  const current = (loaded) => {
    const event = changed.get(`events/${loaded.event_id}`) ?? loaded;
    const { document } = event;
    const isNew = (stamp) => stamp.document_id === document?.document_id && !document.stamps.some((one) => one.stamp_id === stamp.stamp_id);
    const newStamps = stamps.filter(isNew);
    return newStamps.length > 0 ? { ...event, document: { ...document, stamps: [...document.stamps, ...newStamps] } } : event;
  };
  const announcement = live[0] ? `${live[0].user_name} ${sentence(live[0], say)}` : "";

  return html`<h1>${say("wall.title")}</h1>
    <div class="bar" role="group" aria-label=${say("wall.types")}>
      ${["", ...TYPES].map(
        (one) => html`<button aria-pressed=${one === type} onClick=${() => setType(one)}>${say(one ? `type.${one}` : "wall.all")}</button>`,
      )}
      <button aria-pressed=${paused} onClick=${() => (paused ? resume() : setPaused(true))}>
        ${paused ? say("wall.go", { waiting: waiting.length }) : say("wall.pause")}
      </button>
    </div>
    <p class="unseen" aria-live=${paused ? "off" : "polite"}>${announcement}</p>
    <ol class="wall" aria-label=${say("wall.title")}>
      ${all.map((event) => html`<${EventRow} key=${event.event_id} event=${current(event)} isNew=${newIds.has(event.event_id)} />`)}
    </ol>
    ${all.length === 0 && !pages.busy && !pages.error && html`<p class="card quiet">${say("wall.empty")}</p>`}
    <${More} of=${pages} scrolls />`;
}
