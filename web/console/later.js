// A component that is loaded when it is first shown, since the view's first rows do not need it.

import { Problem, Skeleton, html, useConsole, useEffect, useState } from "../shared/parts.js";

/**
 * `load(say)` returns a promise of the component. It gets the other properties.
 *
 * @param {{load: (say: any) => Promise<any>} & Record<string, any>} props
 */
export function Later({ load, ...properties }) {
  const { say } = useConsole();
  const [Part, setPart] = useState(/** @type {any} */ (null));
  const [error, setError] = useState(null);
  useEffect(() => {
    load(say).then((/** @type {any} */ component) => setPart(() => component), setError);
  }, []);
  if (Part) return html`<${Part} ...${properties} />`;
  // Browsers cache a failed import. Only a new page imports the module again.
  return error ? html`<${Problem} error=${error} onRetry=${() => location.reload()} />` : html`<${Skeleton} rows=${6} />`;
}
