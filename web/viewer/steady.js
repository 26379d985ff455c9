// Lists that do not flicker when reloaded.

import { useRef } from "../shared/parts.js";

/**
 * Returns the records of a paged list. While the first page is reloaded, returns the previous ones.
 *
 * @param {{records: any, busy: boolean}} record
 */
export function useSteady({ records, busy }) {
  const last = useRef(records);
  if (records.length > 0 || !busy) last.current = records;
  return last.current;
}
