// The page's title, as in the browser's tabs and its history.

import { useEffect } from "../shared/parts.js";

/** Puts the name of what a view shows before the page's title while it is shown. @param {string | undefined} name */
export function useTitle(name) {
  useEffect(() => {
    if (!name) return undefined;
    const { title } = document;
    document.title = `${name} · ${title}`;
    return () => {
      document.title = title;
    };
  }, [name]);
}
