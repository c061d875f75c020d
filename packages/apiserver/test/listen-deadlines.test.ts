import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect as dial, type Socket } from "node:net";
import {
  type ApiServer,
  type Listener,
  startApiServer,
  type VirtualClock,
} from "@typekube/apiserver";
import { call, configMaps, createConfigMaps } from "@typekube/test-support/api-calls";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const requestTimeoutMs = 60_000;
/** More bytes than socket buffers hold for a client that does not read. */
const manyBytes = 24_000_000;

let api: ApiServer<VirtualClock>;
beforeEach(async () => {
  api = await startApiServer({ clock: "virtual" });
});
afterEach(() => api.close());

function dialTo({ server }: Listener): Socket {
  const { hostname, port } = new URL(server);
  return dial(Number(port), hostname);
}

/** Reads everything until the peer closes the connection. */
async function textOf(socket: Socket): Promise<string> {
  let text = "";
  for await (const chunk of socket.setEncoding("latin1")) {
    text += chunk;
  }
  return text;
}

/** Waits until the server has received this number of requests; those over sockets take real time. */
const seen = (count: number) =>
  expect.poll(() => api.requests.length).toBeGreaterThanOrEqual(count);

const late = {
  metadata: {},
  status: "Failure",
  message: "Timeout: request did not complete within the allotted timeout",
  reason: "Timeout",
  details: {},
  code: 504,
};

describe("requests that exceed requestTimeoutMs on the server's clock", () => {
  it("responds with 504 to an incomplete body and closes the connection", async () => {
    const listener = await api.listen({ tls: false, limits: { requestTimeoutMs } });
    const socket = dialTo(listener);
    const head = `POST ${configMaps} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${listener.token}\r\n`;
    socket.write(
      `${head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{"metadata":`,
    );
    const text = textOf(socket);
    await expect.poll(() => api.clock.pending).toBe(1);
    await api.clock.advance(requestTimeoutMs);
    const [headers = "", body = ""] = (await text).split("\r\n\r\n");
    expect(headers).toMatch(/^HTTP\/1\.1 504 /);
    expect(headers).toContain("content-type: text/plain; charset=utf-8");
    expect(JSON.parse(body)).toEqual(late);
    expect(api.requests).toEqual([]);
  });

  it("over HTTP/2, ends the stream and keeps the connection", async () => {
    const { server, certificateAuthority: ca, token } = await api.listen();
    const session = connectHttp2(server, { ca });
    const stream = session.request({
      ":method": "POST",
      ":path": configMaps,
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
    });
    stream.write('{"metadata":');
    const responded = once(stream, "response");
    await expect.poll(() => api.clock.pending).toBe(1);
    await api.clock.advance(requestTimeoutMs);
    expect((await responded)[0][":status"]).toBe(504);
    let text = "";
    for await (const chunk of stream.setEncoding("utf8")) {
      text += chunk;
    }
    expect(JSON.parse(text)).toEqual(late);
    const next = session.request({ ":path": "/readyz", authorization: `Bearer ${token}` });
    expect((await once(next, "response"))[0][":status"]).toBe(200);
    next.close();
    session.close();
  });

  it("aborts a response that the client does not read", async () => {
    const maps = Array.from({ length: manyBytes / 1_000_000 }, (_, at) => ({
      metadata: { name: `large-${at}` },
      data: { text: "x".repeat(1_000_000) },
    }));
    for (const map of maps) {
      expect((await call(api, "POST", configMaps, map)).status).toBe(201);
    }
    const listener = await api.listen({ tls: false, limits: { requestTimeoutMs } });
    const socket = dialTo(listener);
    socket.on("error", () => {});
    const before = api.requests.length;
    socket.write(
      `GET ${configMaps} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${listener.token}\r\n\r\n`,
    );
    await seen(before + 1);
    await expect.poll(() => api.clock.pending).toBe(1);
    // A client that does not read detects the reset by writing; CRLF between requests is ignored.
    const isCut = () => {
      socket.write("\r\n");
      return socket.destroyed;
    };
    await api.clock.advance(requestTimeoutMs - 1);
    expect(isCut()).toBe(false);
    await api.clock.advance(1);
    await expect.poll(isCut).toBe(true);
    expect(socket.bytesRead).toBeLessThan(manyBytes);
  });

  it("keeps a watch, and a request that completes in time", async () => {
    const { server, token } = await api.listen({ tls: false, limits: { requestTimeoutMs } });
    const headers = { authorization: `Bearer ${token}` };
    const watch = await fetch(`${server}${configMaps}?watch=1`, { headers });
    const reader = watch.body?.getReader();
    await api.clock.advance(requestTimeoutMs * 5);
    await createConfigMaps(api, "a");
    let text = "";
    while (!text.includes('"ADDED"')) {
      text += Buffer.from((await reader?.read())?.value ?? "").toString();
    }
    await reader?.cancel();
    expect((await fetch(`${server}/version`, { headers })).status).toBe(200);
    await api.clock.advance(requestTimeoutMs);
    expect((await fetch(`${server}/version`, { headers })).status).toBe(200);
  });
});
