// Lists that do not flicker while they are loaded again.

import { useRef } from "../shared/parts.js";

/**
 * Returns the records of a list of pages. While the first page is loaded again, returns those before.
 *
 * @param {{records: any, busy: boolean}} record
 */
export function useSteady({ records, busy }) {
  const last = useRef(records);
  if (records.length > 0 || !busy) last.current = records;
  return last.current;
}
