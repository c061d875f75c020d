import { once } from "node:events";
import { connect as dial, type Socket, createServer as tcpServer } from "node:net";
import { connect } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { expect, it } from "vitest";
import { startApiServer } from "../src/index.js";
import { defaultListenLimits } from "../src/listener/listen-options.js";
import { makeServer } from "../src/listener/make-server.js";
import { createAuthority } from "../src/tls/authority.js";

it.each([
  ["plain HTTP", undefined],
  ["TLS", createAuthority()],
])("%s: sends small responses immediately (TCP_NODELAY on every connection)", (_, authority) => {
  // Node applies this property of net.Server to each accepted connection.
  expect(makeServer(defaultListenLimits, "127.0.0.1", authority)).toMatchObject({ noDelay: true });
});

/** Type of TLS records with application data (RFC 8446 section 5.1). */
const applicationData = 23;

/** Starts a proxy that forwards bytes to a server, and counts connections and the server's records of application data. */
async function countingProxy(target: string) {
  const sockets = new Set<Socket>();
  const counts = { connections: 0, records: 0 };
  const proxy = tcpServer((client) => {
    counts.connections += 1;
    const server = dial(Number(new URL(target).port), "127.0.0.1");
    let bytes = Buffer.alloc(0);
    server.on("data", (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      while (bytes.byteLength >= 5 && bytes.byteLength >= 5 + bytes.readUInt16BE(3)) {
        counts.records += bytes[0] === applicationData ? 1 : 0;
        bytes = bytes.subarray(5 + bytes.readUInt16BE(3));
      }
    });
    for (const socket of [client, server]) {
      sockets.add(socket.on("error", () => {}));
    }
    client.pipe(server).pipe(client);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    counts,
    server: `https://127.0.0.1:${(proxy.address() as { port: number }).port}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) {
        socket.destroy();
      }
      proxy.close();
      await once(proxy, "close");
    },
  };
}

it("over TLS, calls share one connection, and each response is one record", async () => {
  await using api = await startApiServer();
  const listener = await api.listen();
  await using proxy = await countingProxy(listener.server);
  await using client = await connect({
    ...listener.connectOptions(),
    server: proxy.server,
    transportOptions: { connections: 1 },
  });
  const maps = client.resource(ConfigMap, "default");
  await maps.create({ metadata: { name: "a" } });
  const before = proxy.counts.records;
  await maps.get("a");
  await maps.delete("a");
  await maps.create({ metadata: { name: "a" } });
  expect([proxy.counts.connections, proxy.counts.records - before]).toEqual([1, 3]);
});
