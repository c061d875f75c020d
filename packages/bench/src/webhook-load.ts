// Sends reviews to a webhook over kept connections: `webhook-load.js <CA file> <url> <variant>`, whose number is that of the connections. Each line of
// its input is a number of reviews to send; the answer is a line with their latencies. Requests are bytes made once, so that the load costs
// less than the webhook.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { connect, type TLSSocket } from "node:tls";
import { latenciesOf } from "./latencies.js";
import { reviewRequest } from "./review-request.js";

/** Milliseconds in which the webhook has to listen. */
const startMs = 10_000;
const endOfHead = "\r\n\r\n";

const [caFile = "", address = "", variant = ""] = process.argv.slice(2);
const url = new URL(address);
const request = reviewRequest(url);
const ca = readFileSync(caFile, "utf8");
const connections = Number.parseInt(variant, 10) || 1;
const sockets = await Promise.all(Array.from({ length: connections }, open));

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await send(Number(line))));
}
process.exit();

/** Opens a connection; the webhook may not listen yet. */
async function open(): Promise<TLSSocket> {
  const endsAt = performance.now() + startMs;
  for (;;) {
    try {
      return await new Promise<TLSSocket>((resolve, reject) => {
        const options = { host: url.hostname, port: Number(url.port), ca };
        const socket = connect({ ...options, ALPNProtocols: ["http/1.1"] }, () => {
          socket.off("error", reject);
          socket.setNoDelay(true);
          resolve(socket);
        });
        socket.once("error", reject);
      });
    } catch (error) {
      if (performance.now() > endsAt) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

async function send(count: number): Promise<object> {
  const latencies: number[] = [];
  let left = count;
  let allowed = 0;
  const worker = async (socket: TLSSocket) => {
    while (left > 0) {
      left--;
      const startedAt = performance.now();
      const response = await exchange(socket);
      latencies.push(performance.now() - startedAt);
      if (response.includes('"allowed":true') && response.includes('"patch":"')) {
        allowed++;
      }
    }
  };
  await Promise.all(sockets.map(worker));
  return { count: allowed, ...latenciesOf(latencies) };
}

/** Sends the request and resolves to the whole response. */
function exchange(socket: TLSSocket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const onData = (chunk: Buffer) => {
      text += chunk.toString("latin1");
      const head = text.indexOf(endOfHead);
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head + 2))?.[1]);
      if (head >= 0 && Number.isNaN(length)) {
        reject(new Error(`a response without a length: ${text}`));
      } else if (head >= 0 && text.length >= head + endOfHead.length + length) {
        socket.off("data", onData);
        resolve(text);
      }
    };
    socket.on("data", onData);
    socket.write(request);
  });
}
