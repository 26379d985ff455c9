// The socket: it says that there is something new, and nothing else. Who only asks misses nothing, so every fault here is met by opening
// it again, for ever.

const LONGEST_WAIT = 30_000;
// The platform ends a connection after two hours, and one that is silent for ten minutes.
const REOPEN = 110 * 60_000;
const KEEP_ALIVE = 5 * 60_000;

/**
 * Listens for pushes.
 *
 * @param {object} options
 * @param {string} options.url Where the socket is: `wss://…`.
 * @param {string | null} options.token
 * @param {(head: number) => void} options.push
 * @param {(open: boolean) => void} options.state
 */
export function listen({ url, token, push, state }) {
  let failures = 0;
  function open() {
    const socket = new WebSocket(url, token ? ["cloudevents.json", `bearer.${token}`] : ["cloudevents.json"]);
    const subscribe = () => socket.send('{"action":"subscribe"}');
    const timers = [];
    socket.addEventListener("open", () => {
      subscribe();
      // It writes nothing.
      const keepAlive = () => socket.send('{"action":"ping"}');
      timers.push(setInterval(keepAlive, KEEP_ALIVE), setTimeout(() => socket.close(), REOPEN));
    });
    socket.addEventListener("message", ({ data }) => {
      failures = 0;
      state(true);
      try {
        push(Number(JSON.parse(data)["feed-head"]));
      } catch {
        // What is no push says nothing.
      }
    });
    socket.addEventListener("close", () => {
      timers.forEach(clearInterval);
      state(false);
      failures += 1;
      const wait = Math.min(LONGEST_WAIT, 1_000 * 2 ** Math.min(failures - 1, 5)) * (0.5 + Math.random() / 2);
      setTimeout(open, wait);
    });
  }
  open();
}
