import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect as dial } from "node:net";
import { startApiServer } from "@typekube/apiserver";
import { configMaps } from "@typekube/test-support/api-calls";
import { expect, it } from "vitest";

it("rejects a request without credentials before its body arrives, and keeps the connection", async () => {
  await using api = await startApiServer();
  const { server } = await api.listen({ tls: false });
  const { hostname, port } = new URL(server);
  const socket = dial(Number(port), hostname);
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
  });
  const head = `POST ${configMaps} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n`;
  for (const [length, body, responses] of [
    ["content-length: 9", "123456789", 1],
    ["transfer-encoding: chunked", "1\r\nx\r\n0\r\n\r\n", 2],
  ] as const) {
    socket.write(`${head}${length}\r\n\r\n`);
    await expect.poll(() => text.split("HTTP/1.1 401 Unauthorized").length - 1).toBe(responses);
    socket.write(body);
  }
  socket.write(`GET /version HTTP/1.1\r\nhost: a\r\n\r\n`);
  await expect.poll(() => text.split("HTTP/1.1 401 Unauthorized").length - 1).toBe(3);
  socket.destroy();
  expect(api.requests.map(({ status, bodyBytes }) => [status, bodyBytes])).toEqual([
    [401, 0],
    [401, 0],
    [401, 0],
  ]);
});

it("over HTTP/2, ends the stream and keeps the connection", async () => {
  await using api = await startApiServer();
  const { server, certificateAuthority: ca, token } = await api.listen();
  const session = connectHttp2(server, { ca });
  const stream = session.request({ ":method": "POST", ":path": configMaps });
  expect((await once(stream, "response"))[0][":status"]).toBe(401);
  stream.resume();
  await once(stream, "close");
  const next = session.request({ ":path": "/readyz", authorization: `Bearer ${token}` });
  expect((await once(next, "response"))[0][":status"]).toBe(200);
  next.close();
  session.close();
});
