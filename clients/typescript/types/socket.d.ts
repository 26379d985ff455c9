/**
 * Subscribes to pushes and reconnects whenever the connection closes.
 *
 * @param {object} options
 * @param {string} options.url The URL of the socket: `wss://…`.
 * @param {string | null} options.token The access token, if the service requires one.
 * @param {{overlay?: number, in_obs?: boolean}} [options.subscription] The overlay that the page shows alerts of, and
 *   whether the page is a browser source in OBS.
 * @param {(head: number) => void} options.onPush Receives the head of the feed.
 * @param {(isOpen: boolean) => void} options.onState Receives true with each message, and false when the socket closes.
 * @returns {{stop: () => void}} `stop` closes the connection permanently.
 */
export function listen({ url, token, subscription, onPush, onState }: {
    url: string;
    token: string | null;
    subscription?: {
        overlay?: number;
        in_obs?: boolean;
    } | undefined;
    onPush: (head: number) => void;
    onState: (isOpen: boolean) => void;
}): {
    stop: () => void;
};
