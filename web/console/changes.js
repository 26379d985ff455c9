// The changes of a list's records, and the switch that enables one.

import { html, useConsole, useLayoutEffect, useState } from "../shared/parts.js";
import { useWrite } from "./write.js";

/**
 * A switch that enables a record. `changed` is the new state while it is being saved.
 *
 * @param {{record: {name: string, enabled: boolean}, changed?: boolean, onChange: (enabled: boolean) => void}} props
 */
export function Switch({ record: { name, enabled }, changed, onChange }) {
  const { say } = useConsole();
  const isOn = changed ?? enabled;
  return html`<label class="switch">
    <span class="quiet" aria-hidden="true">${say(isOn ? "rules.on" : "rules.off")}</span>
    <input type="checkbox" role="switch" checked=${isOn} aria-label=${say("rules.enabled_of", { name })}
      aria-busy=${changed === undefined ? undefined : "true"}
      onChange=${(/** @type {any} */ event) => onChange(event.currentTarget.checked)} ...${useWrite()} />
  </label>`;
}

/**
 * The changes of a list's records: `change` sends one, `errorOf` returns why the last one failed if it was of this record,
 * and `enabledBy` returns whether a change that is being saved enables this record.
 *
 * @param {any} list
 * @param {() => void} reload Loads the list again, which the change may have made different even if it failed.
 */
export function useChanges(list, reload) {
  const [failed, setFailed] = useState(/** @type {{id: any, error: any}} */ ({ id: null, error: null }));
  // The state that each record has until the next list. The next list contains the results of changes that have ended.
  const [states, setStates] = useState(/** @type {Record<string, {enabled?: boolean, hasEnded?: boolean}>} */ ({}));
  const set = (/** @type {any} */ id, /** @type {object} */ state) =>
    setStates((all) => ({ ...all, [id]: { ...all[id], ...state } }));
  useLayoutEffect(() => {
    setStates((all) => Object.fromEntries(Object.entries(all).filter(([, { hasEnded }]) => !hasEnded)));
  }, [list]);
  const change = (/** @type {any} */ id, /** @type {Promise<any>} */ request, /** @type {boolean | undefined} */ enabled) => {
    set(id, { enabled, hasEnded: false });
    const fail = (/** @type {any} */ error) => (set(id, { enabled: undefined }), setFailed({ id, error }));
    const end = () => (set(id, { hasEnded: true }), reload());
    return request.then(() => setFailed({ id: null, error: null }), fail).then(end);
  };
  return {
    change,
    errorOf: (/** @type {any} */ id) => (id === failed.id ? failed.error : null),
    enabledBy: (/** @type {any} */ id) => states[id]?.enabled,
  };
}
