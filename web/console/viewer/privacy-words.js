// The privacy texts that do not need its dialogs.

import { base } from "../../shared/page.js";

export const GUIDE = `${base}/docs/guides/?guide=privacy`;

const ANONYMIZED = "anonymized/";
/** The rejections that a streamer can understand without the API. */
const REFUSALS = ["reserved", "duplicate_platform_id"];

/** Returns true if the viewer was anonymized: no other has such an identifier. @param {{platform_id: any}} record */
export const isAnonymized = ({ platform_id: platformId }) => platformId.startsWith(ANONYMIZED);

/**
 * Returns the error in plain words. An error without plain words stays unchanged.
 *
 * @param {any} error
 * @param {any} say
 */
export function plainly(error, say) {
  const codes = [error.code, ...(error.errors ?? []).map((/** @type {any} */ { code }) => code)];
  const refusal = REFUSALS.find((code) => codes.includes(code));
  return refusal ? new Error(say(`privacy.error.${refusal}`)) : error;
}
