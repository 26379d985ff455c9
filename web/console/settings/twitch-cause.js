// The problems with the connection to Twitch, in the reader's language. The service reports them in English.

/** Parts of the service's sentences, and the names of their texts. @type {[RegExp, string][]} */
const CAUSES = [
  [/data folder/, "disk"],
  [/client secret/, "secret"],
  [/lacks a scope/, "forbidden"],
  [/refused at Twitch/, "refused"],
  [/code expired|code has expired/, "expired"],
  [/another account|the channel is/, "account"],
  [/Log in again|did not confirm/, "login"],
  [/login has ended/, "ended"],
  [/refuses the token|renewal of the token/, "token"],
  [/Trying again/, "retry"],
  [/Update the service/, "update"],
  [/removed the account/, "removed"],
  [/Restart the service/, "restart"],
  [/as fast as/, "slow"],
  [/closed|broke|welcome|in time|for too long/, "broken"],
  [/reach|respond|answered|unexpected|socket/, "away"],
];

/** Returns the cause and what to do. @param {string} sentence @param {any} say @returns {string} */
export function causeOf(sentence, say) {
  const cause = CAUSES.find(([part]) => part.test(sentence));
  return cause ? say(`twitch.cause.${cause[1]}`) : sentence;
}

/**
 * Returns a login's error, in plain words if it is about the client identifier.
 *
 * @param {any} error
 * @param {any} say
 */
export function loginError(error, say) {
  const isWrong = error.errors?.some((/** @type {any} */ { pointer }) => pointer === "/client_id");
  if (!isWrong) return error;
  return Object.assign(new Error(say("twitch.client_id_wrong")), { how: say("twitch.client_id_fix") });
}
