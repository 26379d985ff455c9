// The notices of the stream in the reader's language. The service writes their messages in English.

/**
 * The values of a notice's text, by its source. A value that is missing leaves the notice as the service wrote it.
 *
 * @type {Record<string, any>}
 */
const VALUES = {
  __proto__: null,
  "stream.online": () => ({}),
  "stream.offline": () => ({}),
  "channel.hype_train.begin": () => ({}),
  "channel.hype_train.end": (/** @type {any} */ { details }) => ({ level: details?.level, total: details?.total }),
  "channel.goal.begin": (/** @type {any} */ { details }) =>
    ({ now: details?.current_amount, target: details?.target_amount }),
  "channel.goal.end": (/** @type {any} */ { details }) =>
    ({ now: details?.current_amount, target: details?.target_amount }),
  "channel.poll.end": (/** @type {any} */ { details }) =>
    ({ title: details?.title, winner: winnerOf(details?.choices) }),
  "channel.update": (/** @type {any} */ { details }) => ({ title: details?.title, category: details?.category_name }),
  "channel.shoutout.receive": () => ({}),
  "channel.ad_break.begin": (/** @type {any} */ { details }) => ({ seconds: details?.duration_seconds }),
  "channel.raid": (/** @type {any} */ { details }) => ({ many: details?.viewer_count, name: details?.to?.user_name }),
  "channel.channel_points_custom_reward_redemption.update": (/** @type {any} */ { details }) =>
    ({ title: details?.title }),
  gift_paid_upgrade: (/** @type {any} */ { details }) => ({ name: details?.giver?.user_name }),
  prime_paid_upgrade: (/** @type {any} */ { details }) => ({ tier: details?.tier && String(details.tier) }),
  pay_it_forward: (/** @type {any} */ { details }) => ({ name: details?.giver?.user_name }),
  announcement: (/** @type {any} */ { message }) => ({ text: after(message, " announced: ") }),
  watch_streak: (/** @type {any} */ { message }) =>
    ({ many: Number(/ watched (\d+) streams/.exec(message)?.[1]) || undefined }),
  bits_badge_tier: (/** @type {any} */ { message }) =>
    ({ many: Number(/ badge for (\d+) bits/.exec(message)?.[1]) || undefined }),
};

/** @param {string} text @param {any} mark */
const after = (text, mark) => (text?.includes(mark) ? text.slice(text.indexOf(mark) + mark.length) : undefined);
/** @param {any} choices */
const winnerOf = (choices) => [...(choices ?? [])].sort((one, other) => other.votes - one.votes)[0]?.title;

/**
 * Returns the text of a notice, or null for one that only the service can word.
 *
 * @param {any} event
 * @param {any} say
 */
export function noticeOf(event, say) {
  const name = event.source?.split("/").at(-1) ?? "";
  const values = VALUES[name]?.(event);
  if (!values || Object.values(values).some((value) => value === undefined || value === null)) return null;
  return say(`notice.${name}`, values);
}
