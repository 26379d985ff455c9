// A proxy that makes a service as slow as a bad mobile network, over HTTP/2: `node slow-line.mjs SERVICE KEY CERTIFICATE`.
// It prints its port. Each response begins 400 ms later, and all together get 50 KB a second.

import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { createSecureServer } from "node:http2";
import { setTimeout } from "node:timers/promises";

const LATENCY = 400;
const MOST_LATE = 20;
const BYTES_PER_MILLISECOND = 50;
// A packet of a response, and the headers, which are compressed.
const [PACKET, HEADERS] = [1_400, 100];
/** Headers of a connection, which HTTP/2 forbids. */
const FORBIDDEN = ["connection", "keep-alive", "transfer-encoding"];

const [service, key, certificate] = process.argv.slice(2);
const { hostname, port } = new URL(service);
const agent = new Agent({ keepAlive: true });
/** The packets that are waiting, and when the last one has passed the line. */
let [line, free] = [Promise.resolve(), 0];

/** Sends a packet after those before it. */
function queue(bytes, send) {
  line = line.then(async () => {
    // A timer may be late by some milliseconds, which the next packets make up for.
    free = Math.max(free, performance.now() - MOST_LATE) + bytes / BYTES_PER_MILLISECOND;
    await setTimeout(Math.max(0, free - performance.now()));
    send();
  });
}

const server = createSecureServer({ key: readFileSync(key), cert: readFileSync(certificate) });
server.on("stream", (stream, headers) => {
  const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(":")));
  const options = { agent, hostname, port, method: headers[":method"], path: headers[":path"], headers: { ...sent, host: `${hostname}:${port}` } };
  const pass = (bytes, send) => queue(bytes, () => stream.destroyed || send());
  stream.on("error", () => {});
  const upstream = request(options, (response) => {
    const allowed = Object.entries(response.headers).filter(([name]) => !FORBIDDEN.includes(name));
    pass(HEADERS, () => stream.respond({ ":status": response.statusCode, ...Object.fromEntries(allowed) }));
    response.on("data", (data) => {
      for (let start = 0; start < data.length; start += PACKET) {
        const packet = data.subarray(start, start + PACKET);
        pass(packet.length, () => stream.write(packet));
      }
    });
    response.on("end", () => pass(0, () => stream.end()));
  });
  upstream.on("error", () => stream.close());
  setTimeout(LATENCY).then(() => stream.pipe(upstream));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
