// Components that are loaded when they are first shown, since the first rows of their view do not need them.

import { Problem, Skeleton, html, useConsole, useEffect, useState } from "../shared/parts.js";

/**
 * Returns a component that loads another one and passes its properties on.
 *
 * @param {(say: any) => Promise<any>} load Returns the other component.
 * @param {any} [placeholder] What to show until then.
 */
export function later(load, placeholder) {
  /** @type {any} */
  let Part = null;
  /** @type {Promise<any> | null} */
  let loading = null;
  return (/** @type {Record<string, any>} */ properties) => {
    const { say } = useConsole();
    const [, setLoaded] = useState(Part !== null);
    const [error, setError] = useState(null);
    useEffect(() => {
      loading ??= load(say).then((component) => void (Part = component));
      loading.then(() => setLoaded(true), (failure) => {
        loading = null;
        setError(failure);
      });
    }, []);
    if (Part) return html`<${Part} ...${properties} />`;
    // Browsers cache a failed import. Only a new page imports the module again.
    if (error) return html`<${Problem} error=${error} onRetry=${() => location.reload()} />`;
    return placeholder ?? html`<${Skeleton} rows=${6} />`;
  };
}
