// A letter's page: the picture with its stamps and its seal, and the actions on it.

import { sentence } from "../activity/events.js";
import { Problem, Skeleton, html, useConsole, useEffect, useState } from "../../shared/parts.js";
import { messageOf } from "../../shared/kinds.js";
import { Actions } from "./actions.js";
import { Desk } from "./desk.js";
import { addressOf } from "./filters.js";
import { Neighbours } from "./neighbours.js";
import { SealChoice } from "./seal-choice.js";
import { useLetter } from "./use-letters.js";

/** @param {{id: string}} props */
export function Letter({ id }) {
  const { say, parameters } = useConsole();
  const { letter, event, error, reload, apply, moving } = useLetter(id);
  const [failure, setFailure] = useState(null);
  const image = useImageSize(letter?.document_data, () => setFailure(new Error(say("letters.no_image"))));
  const title = event ? say("letters.from", { name: event.user_name }) : say("letters.document", { id });
  const back = html`<p class="back"><a href=${addressOf(null, parameters)}>← ${say("nav.letters")}</a></p>`;
  const skeleton = html`<${Skeleton} rows=${6} />`;
  // Another page may have deleted it.
  if (!letter || /** @type {any} */ (error)?.status === 404) {
    return html`${back}${error ? html`<h1>${title}</h1><${Problem} error=${error} onRetry=${reload} />` : skeleton}`;
  }
  /** Sends a request. Resolves to its result, or to null after an error, which the page shows. */
  const act = async (/** @type {any} */ request) => {
    try {
      const result = await request;
      setFailure(null);
      return result;
    } catch (problem) {
      setFailure(problem);
      return null;
    }
  };
  const tools = { letter, apply, act, path: `/documents/${id}` };
  return html`<div class="bar spread">${back}<${Neighbours} letter=${letter} /></div>
    <h1 dir="auto">${title}</h1>
    <${Problem} error=${failure ?? error} onRetry=${failure ? null : reload} />
    <div class="two letter">
      <div>
        ${image && html`<${Desk} ...${tools} moving=${moving} image=${image} label=${title} />`}
        ${!image && !failure && skeleton}
      </div>
      <div class="column">
        <${Sender} event=${event} />
        <${SealChoice} ...${tools} />
        <${Actions} ...${tools} title=${title} event=${event} image=${image} />
      </div>
    </div>`;
}

/** A letter's sender, and the event that it was sent with. @param {{event: any}} props */
function Sender({ event }) {
  const { say } = useConsole();
  if (!event) return html`<p class="card quiet sender">${say("letters.no_event")}</p>`;
  const message = messageOf(event);
  return html`<section class="card sender">
    <p>
      <a class="name" dir="auto" href=${`#/viewers/${event.user_id}`}>${event.user_name}</a>${" "}
      ${sentence(event, say)}
    </p>
    ${message && html`<p class="words" dir="auto">${message}</p>`}
    <time datetime=${event.occurred_at}>${say.time(event.occurred_at)}</time>
  </section>`;
}

/**
 * Returns an image's size in pixels after it has loaded.
 *
 * @param {string} url
 * @param {any} onError
 */
function useImageSize(url, onError) {
  const [size, setSize] = useState(/** @type {any} */ (null));
  useEffect(() => {
    if (!url) return undefined;
    let isStale = false;
    const image = Object.assign(new Image(), { src: url });
    image.decode().then(
      () => isStale || setSize({ width: image.naturalWidth, height: image.naturalHeight, url }),
      () => isStale || onError(),
    );
    return () => {
      isStale = true;
    };
  }, [url]);
  return size?.url === url ? size : null;
}
