// The page's link: `/viewer/#user=<user_id>&token=<token>`. Browsers do not send the fragment to any server. The token
// stays in it, so bookmarks of the page keep working.

/** Returns the viewer's identifier and token from the fragment. Both are null if the link is incomplete. */
export function parseLink() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const [id, token] = [parameters.get("user") ?? "", parameters.get("token") ?? ""];
  // Headers, like tokens, contain only visible ASCII characters. A service on one machine may need no token.
  const isComplete = /^[1-9]\d{0,15}$/.test(id) && /^[!-~]*$/.test(token);
  return isComplete ? { id, token: token || null } : { id: null, token: null };
}
