// The wall: what has happened, the newest first, and what happens now.

import { EventRow, More, html, sentence, useConsole, useEffect, usePages, useState } from "./parts.js";

const TYPES = ["plain", "subscriber", "cheer", "raid"];
// After so many new ones the wall begins anew with the newest, so that a page that is open for days stays quick.
const MOST_NEW = 1_000;

export function Wall() {
  const { say, heard } = useConsole();
  const [type, setType] = useState("");
  const [paused, setPaused] = useState(false);
  const [live, setLive] = useState([]);
  const [gone, setGone] = useState(new Set());
  const [waiting, setWaiting] = useState([]);
  // What was put on documents since their events were read.
  const [stamps, setStamps] = useState([]);
  // Events that have changed since they were read, by subject.
  const [changed, setChanged] = useState(new Map());
  const pages = usePages(`/events?limit=50${type && `&event_type=${type}`}`);

  useEffect(() => {
    setLive([]);
    setWaiting([]);
  }, [type]);
  useEffect(
    () =>
      heard((told) => {
        if (told.type === "event.deleted") setGone((before) => new Set([...before, told.subject]));
        if (told.type === "event.updated" && told.data) setChanged((before) => new Map(before).set(told.subject, told.data));
        if (told.type === "stamp.created" && told.data) setStamps((before) => [...before, told.data]);
        if (told.type !== "event.created" || !told.data) return;
        const add = (before) => [told.data, ...before];
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
    pages.again();
  }, [isFull]);
  const go = () => {
    setLive((before) => [...waiting, ...before]);
    setWaiting([]);
    setPaused(false);
  };
  const seen = new Set();
  const fresh = new Set(live.map((event) => event.event_id));
  const all = [...live.filter((event) => !type || event.event_type === type), ...pages.records].filter((event) => {
    const isFirst = !seen.has(event.event_id) && !gone.has(`events/${event.event_id}`);
    seen.add(event.event_id);
    return isFirst;
  });
  const shown = (read) => {
    const event = changed.get(`events/${read.event_id}`) ?? read;
    const { document } = event;
    const isNew = (stamp) => stamp.document_id === document?.document_id && !document.stamps.some((one) => one.stamp_id === stamp.stamp_id);
    const more = stamps.filter(isNew);
    return more.length > 0 ? { ...event, document: { ...document, stamps: [...document.stamps, ...more] } } : event;
  };
  const said = live[0] ? `${live[0].user_name} ${sentence(live[0], say)}` : "";

  return html`<h1>${say("wall.title")}</h1>
    <div class="bar" role="group" aria-label=${say("wall.types")}>
      ${["", ...TYPES].map(
        (one) => html`<button aria-pressed=${one === type} onClick=${() => setType(one)}>${say(one ? `type.${one}` : "wall.all")}</button>`,
      )}
      <button aria-pressed=${paused} onClick=${() => (paused ? go() : setPaused(true))}>
        ${paused ? say("wall.go", { waiting: waiting.length }) : say("wall.pause")}
      </button>
    </div>
    <p class="unseen" aria-live=${paused ? "off" : "polite"}>${said}</p>
    <ol class="wall" aria-label=${say("wall.title")}>
      ${all.map((event) => html`<${EventRow} key=${event.event_id} event=${shown(event)} isNew=${fresh.has(event.event_id)} />`)}
    </ol>
    ${all.length === 0 && !pages.busy && !pages.error && html`<p class="card quiet">${say("wall.empty")}</p>`}
    <${More} of=${pages} scrolls />`;
}
