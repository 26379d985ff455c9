// A bot that replies to "!balance" with the viewer's balance.

import { Client } from "event-capture";

const service = new Client(process.env.EVENT_CAPTURE_URL ?? "http://127.0.0.1:3000", { token: process.env.EVENT_CAPTURE_TOKEN });
for await (const { type, data } of service.entries()) {
  if (type !== "event.created" || data?.event_type !== "plain" || data.message !== "!balance") continue;
  const { wallet } = await service.get(`/users/${data.user_id}/wallet`);
  console.log(`@${data.user_name}, you have ${wallet} coins.`);
}
