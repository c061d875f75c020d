// An embedded API server behind a proxy that cuts connections, in its own process: `faulty-server.js <faults as JSON>`.
// From the first connection on, an object is written repeatedly; the writes bypass the proxy and are not cut.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { startApiServer } from "@typekube/apiserver";
import { ConfigMap, Namespace, Pod } from "typekube/api/core/v1";
import { type Faults, faultyNamespace, writeEveryMs } from "./faulty-writes.js";

/** Milliseconds from the first connection to an outage. */
const beforeOutageMs = 2_000;

const faults = JSON.parse(process.argv[2] ?? "{}") as Faults;
const api = await startApiServer();
const { server: url } = await api.listen({ tls: false, anonymous: true });
const target = new URL(url);
const client = await api.client();
// A program's first call reads this pod, as on the canned server.
await client.resource(Namespace).create({ metadata: { name: "team-00" } });
await client.resource(Pod, "team-00").create({
  metadata: { name: "pod" },
  spec: { containers: [{ name: "c", image: "example.com/image" }] },
});
const configMaps = client.resource(ConfigMap, faultyNamespace);

const sockets = new Set<Socket>();
let server = await listen(0);
const { port } = server.address() as AddressInfo;
process.on("disconnect", () => process.exit());
process.send?.({ port });

/** Starts a proxy that forwards bytes to and from the API server. */
async function listen(onPort: number): Promise<Server> {
  const proxy = createServer((socket) => {
    begin();
    const upstream = connect(Number(target.port), target.hostname);
    socket.setNoDelay(true);
    upstream.setNoDelay(true);
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  proxy.listen(onPort, "127.0.0.1");
  await once(proxy, "listening");
  return proxy;
}

let hasBegun = false;

function begin(): void {
  if (hasBegun) {
    return;
  }
  hasBegun = true;
  void writeForever();
  if (faults.outageMs === undefined) {
    setInterval(cut, faults.cutEveryMs);
  } else {
    setTimeout(() => void breakDown(faults.outageMs ?? 0), beforeOutageMs);
  }
}

function cut(): void {
  for (const socket of sockets) {
    socket.resetAndDestroy();
  }
}

async function breakDown(outageMs: number): Promise<void> {
  server.close();
  cut();
  await new Promise((resolve) => setTimeout(resolve, outageMs));
  server = await listen(port);
  setInterval(cut, faults.cutEveryMs);
}

async function writeForever(): Promise<void> {
  const startedAt = Date.now();
  await configMaps.create({ metadata: { name: "written" } });
  for (;;) {
    const now = Date.now();
    const isMeasured = now - startedAt >= faults.warmUpMs;
    await configMaps.update({
      metadata: { name: "written" },
      data: { writtenAtMs: String(now), isMeasured: String(isMeasured) },
    });
    await new Promise((resolve) => setTimeout(resolve, writeEveryMs));
  }
}
