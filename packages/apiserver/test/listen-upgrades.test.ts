import { connect as dial } from "node:net";
import { connect as dialTls } from "node:tls";
import { type ApiServer, type Listener, startApiServer } from "@typekube/apiserver";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { call, configMaps, createConfigMaps } from "./harness.js";

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

/** The head of a request that asks for another protocol. */
const headOf = (request: string, ...lines: readonly string[]) =>
  [`${request} HTTP/1.1`, "host: a", "connection: upgrade", ...lines, "", ""].join("\r\n");

/** A connection that collects what comes, and stays open on this side whatever the other one does. */
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
])("a wish for another protocol over %s that nobody has", (_, tls) => {
  it("is passed over: the body of the request counts, and the connection goes on", async () => {
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

  it("leaves a watch a watch, which ends with its connection", async () => {
    const listener = await api.listen({ tls });
    const { socket, text } = open(listener);
    const bearer = `authorization: Bearer ${listener.token}`;
    socket.write(headOf(`GET ${configMaps}?watch=1`, bearer, ...webSocket));
    await expect.poll(text).toContain("HTTP/1.1 200 OK");
    await createConfigMaps(api, "a");
    await expect.poll(text).toContain('"ADDED"');
    socket.destroy();
    await expect.poll(() => api.openWatches).toBe(0);
  });
});

it("a refused WebSocket is over, also where its client does not close the connection", async () => {
  const { socket, text } = open(await api.listen({ tls: false }));
  socket.write(headOf("GET /api/v1/namespaces/default/pods/a/exec", ...webSocket));
  await expect.poll(text).toContain('"code":401');
  expect(text()).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
  // Who only listens does not notice that nobody is there any more.
  const isGone = () => {
    socket.write("x");
    return socket.destroyed;
  };
  await expect.poll(isGone).toBe(true);
});
