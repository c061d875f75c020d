import { connect as dial } from "node:net";
import { connect as dialTls } from "node:tls";
import { type ApiServer, type Listener, startApiServer } from "@typekube/apiserver";
import { call, configMaps, createConfigMaps } from "@typekube/test-support/api-calls";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let api: ApiServer;
beforeEach(async () => {
  api = await startApiServer();
});
afterEach(() => api.close());

const webSocket = [
  "upgrade: websocket",
  "sec-websocket-version: 13",
  "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==",
];
const h2c = ["upgrade: h2c", "http2-settings: AAMAAABkAAQCAAAAAAIAAAAA"];

/** Returns the head of a request for a protocol upgrade. */
const headOf = (request: string, ...lines: readonly string[]) =>
  [`${request} HTTP/1.1`, "host: a", "connection: upgrade", ...lines, "", ""].join("\r\n");

/** Opens a connection that buffers what arrives, and stays open on this side even after the peer ends. */
function open({ server, certificateAuthority: ca }: Listener) {
  const { hostname: host, port } = new URL(server);
  const to = { host, port: Number(port), allowHalfOpen: true };
  const socket = ca === undefined ? dial(to) : dialTls({ ...to, ca });
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
  });
  socket.on("error", () => {});
  return { socket, text: () => text };
}

describe.each([
  ["HTTP", false],
  ["HTTPS", true],
])("an upgrade over %s to an unsupported protocol", (_, tls) => {
  it("is ignored: the request's body is read, and the connection continues", async () => {
    const listener = await api.listen({ tls });
    const bearer = `authorization: Bearer ${listener.token}`;
    const { socket, text } = open(listener);
    const body = JSON.stringify({ metadata: { name: "ü" } }).replace("ü", "java");
    const type = ["content-type: application/json", `content-length: ${body.length}`];
    socket.write(`${headOf(`POST ${configMaps}`, bearer, ...type, ...h2c)}${body.slice(0, 5)}`);
    socket.write(body.slice(5));
    await expect.poll(text).toContain("HTTP/1.1 201 Created");
    for (let at = 2; at <= 12; at++) {
      socket.write(headOf("GET /readyz", bearer, ...webSocket));
      await expect.poll(() => text().split("HTTP/1.1 200 OK").length).toBe(at);
    }
    expect((await call(api, "GET", `${configMaps}/java`)).status).toBe(200);
    socket.destroy();
  });

  it("leaves a watch unchanged, which ends with its connection", async () => {
    const listener = await api.listen({ tls });
    const { socket, text } = open(listener);
    const bearer = `authorization: Bearer ${listener.token}`;
    socket.write(headOf(`GET ${configMaps}?watch=1`, bearer, ...h2c));
    await expect.poll(text).toContain("HTTP/1.1 200 OK");
    await createConfigMaps(api, "a");
    await expect.poll(text).toContain('"ADDED"');
    socket.destroy();
    await expect.poll(() => api.openWatches).toBe(0);
  });
});

it("closes the connection of a rejected WebSocket, even if its client does not", async () => {
  const { socket, text } = open(await api.listen({ tls: false }));
  socket.write(headOf("GET /api/v1/namespaces/default/pods/a/exec", ...webSocket));
  await expect.poll(text).toContain('"code":401');
  expect(text()).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
  // Only a write detects that the connection was closed.
  const isGone = () => {
    socket.write("x");
    return socket.destroyed;
  };
  await expect.poll(isGone).toBe(true);
});

it("a dropped watch over WebSocket ends without a close frame", async () => {
  const { socket, text } = open(await api.listen({ tls: false, anonymous: true }));
  const origin = "origin: http://localhost";
  const local = (line: string) => line.replace("host: a", "host: localhost");
  socket.write(local(headOf(`GET ${configMaps}?watch=1`, origin, ...webSocket)));
  await expect.poll(text).toContain("HTTP/1.1 101 Switching Protocols");
  expect(api.openWatches).toBe(1);
  api.dropWatches();
  await expect.poll(() => socket.destroyed || socket.readableEnded).toBe(true);
  expect(text()).toMatch(/\r\n\r\n$/);
  expect(api.openWatches).toBe(0);
  socket.destroy();
});

it("rejects more watches over WebSocket than `maxWatchers` with 429", async () => {
  const listener = await api.listen({ tls: false, limits: { maxWatchers: 1 } });
  const request = headOf(
    `GET ${configMaps}?watch=1`,
    `authorization: Bearer ${listener.token}`,
    "origin: http://localhost",
    ...webSocket,
  );
  const [first, second] = [open(listener), open(listener)];
  first.socket.write(request);
  await expect.poll(first.text).toContain("HTTP/1.1 101 Switching Protocols");
  second.socket.write(request);
  await expect.poll(second.text).toContain("HTTP/1.1 429 Too Many Requests");
  first.socket.destroy();
  await expect.poll(() => api.openWatches).toBe(0);
  const third = open(listener);
  third.socket.write(request);
  await expect.poll(third.text).toContain("HTTP/1.1 101 Switching Protocols");
  third.socket.destroy();
  second.socket.destroy();
});
