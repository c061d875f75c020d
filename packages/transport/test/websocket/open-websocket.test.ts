import { KubeError } from "@typekube/core";
import { encodeClose, encodeFrame, MessageReader, opcodes } from "@typekube/core/internal/streams";
import { failure } from "@typekube/test-support/calls";
import { manualClock } from "@typekube/test-support/manual-clock";
import { connectProxy } from "@typekube/test-support/proxy";
import { onRequest, rawServer } from "@typekube/test-support/servers";
import { acceptResponse, webSocketServer } from "@typekube/test-support/web-socket-server";
import { describe, expect, it } from "vitest";
import { bearerToken, createTransport, type Transport } from "../../src/index.js";
import { keepAlive, openWebSocket, type WebSocketConnection } from "../../src/internal.js";

const v5 = "v5.channel.k8s.io";
const protocols = [v5, "v4.channel.k8s.io"];

function open(transport: Transport, signal?: AbortSignal): Promise<WebSocketConnection> {
  return openWebSocket(transport.send, { path: "/exec", headers: {}, protocols, signal });
}

const binary = (payload: string | Uint8Array) =>
  encodeFrame("server", { opcode: opcodes.binary, payload: Buffer.from(payload as string) });

async function textsOf(connection: WebSocketConnection): Promise<string[]> {
  const texts: string[] = [];
  for await (const { bytes } of connection.messages()) {
    texts.push(bytes.toString());
  }
  return texts;
}

describe("the handshake", () => {
  it("XT1, XT4: is a GET that offers the subprotocols in order, with the credentials of other calls", async () => {
    const heads: string[] = [];
    await using server = await webSocketServer((_socket, head) => heads.push(head));
    await using transport = createTransport({
      server: server.url,
      auth: bearerToken("t0ken"),
      credentialsOverHttp: true,
    });
    const connection = await open(transport);
    expect(connection.protocol).toBe(v5);
    expect(heads[0]).toMatch(/^GET \/exec HTTP\/1\.1\r\nHost: 127\.0\.0\.1:\d+\r\n/);
    expect(heads[0]).toMatch(/\r\nauthorization: Bearer t0ken(\r\n|$)/);
    expect(heads[0]).toContain(`sec-websocket-protocol: ${v5}, v4.channel.k8s.io`);
    expect(heads[0]).toMatch(/\r\nuser-agent: /);
    connection.destroy();
  });

  it.each([400, 401, 403, 404, 429, 500, 503])(
    "XT2: a refusal with %d and a Status is an error with its code, reason and message",
    async (code) => {
      const status = JSON.stringify({
        kind: "Status",
        apiVersion: "v1",
        status: "Failure",
        message: "pods is as it is",
        reason: "Because",
        code,
      });
      const responses = [
        `HTTP/1.1 ${code} No\r\nContent-Type: application/json\r\nContent-Length: ${status.length}\r\n\r\n${status}`,
        `HTTP/1.1 ${code} No\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n${status.slice(0, 4)}\r\n${(status.length - 4).toString(16)};x=y\r\n${status.slice(4)}\r\n0\r\nTrailer: x\r\n\r\n`,
        `HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 ${code} No\r\nContent-Type: application/json\r\n\r\n${status}`,
      ];
      for (const response of responses) {
        await using server = await rawServer((socket) => {
          onRequest(socket, () => socket.end(response));
        });
        await using transport = createTransport({ server: server.url });
        const error = (await failure(open(transport))) as KubeError;
        expect(error).toBeInstanceOf(KubeError);
        expect(error).toMatchObject({ httpStatus: code, rawMessage: "pods is as it is" });
        expect(error.status).toMatchObject({ reason: "Because", code });
      }
    },
  );

  it("XT2: a 401 refreshes the credentials once", async () => {
    let token = "old";
    const seen: string[] = [];
    await using server = await rawServer((socket) => {
      onRequest(socket, (head) => {
        seen.push(/authorization: Bearer (\S+)/i.exec(head)?.[1] ?? "");
        if (seen.at(-1) === "new") {
          socket.write(acceptResponse(head));
        } else {
          socket.end("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n");
        }
      });
    });
    await using transport = createTransport({
      server: server.url,
      credentialsOverHttp: true,
      auth: {
        headers: async () => ({ authorization: `Bearer ${token}` }),
        refresh: async () => {
          token = "new";
          return true;
        },
      },
    });
    (await open(transport)).destroy();
    expect(seen).toEqual(["old", "new"]);
  });

  it("XT2, XE24: a connection that breaks before the response is not tried again", async () => {
    let requests = 0;
    await using server = await rawServer((socket) => {
      onRequest(socket, () => {
        requests += 1;
        socket.destroy();
      });
    });
    await using transport = createTransport({ server: server.url });
    expect(await failure(open(transport))).toMatchObject({ code: "ConnectionReset" });
    expect(requests).toBe(1);
  });

  it.each([
    ["200", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "answered HTTP 200"],
    [
      "101 without Sec-WebSocket-Accept",
      `HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Protocol: ${v5}\r\n\r\n`,
      "without a valid Sec-WebSocket-Accept",
    ],
    [
      "101 with another key's proof",
      `HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: x\r\nSec-WebSocket-Protocol: ${v5}\r\n\r\n`,
      "without a valid Sec-WebSocket-Accept",
    ],
  ])("XT3: %s is a Decode error that says so", async (_what, response, message) => {
    await using server = await rawServer((socket) => {
      onRequest(socket, () => socket.write(response));
    });
    await using transport = createTransport({ server: server.url });
    const error = (await failure(open(transport))) as KubeError;
    expect(error).toMatchObject({ code: "Decode" });
    expect(error.message).toContain(message);
    await server.closed(1);
  });

  it.each([
    ["none", undefined, "selected none of the subprotocols"],
    ["one that was not offered", "channel.k8s.io", "subprotocol channel.k8s.io, which was not"],
  ])("XT3: a server that selects %s is refused by name", async (_what, protocol, message) => {
    await using server = await rawServer((socket) => {
      onRequest(socket, (head) => {
        const response = acceptResponse(head, protocol ?? v5);
        socket.write(
          protocol === undefined
            ? response.replace(/Sec-WebSocket-Protocol: .*\r\n/, "")
            : response,
        );
      });
    });
    await using transport = createTransport({ server: server.url });
    const error = (await failure(open(transport))) as KubeError;
    expect(error).toMatchObject({ code: "Decode" });
    expect(error.message).toContain(message);
  });

  it.each([
    ["SSH-2.0-OpenSSH_9\r\n\r\n", "NotKubernetes"],
    ["HTTP/1.1 400 Bad\r\nContent-Length: many\r\n\r\n", "NotKubernetes"],
    [`HTTP/1.1 400 Bad\r\nX: ${"y".repeat(300_000)}\r\n\r\n`, "TooLarge"],
  ])("XT3: a response that is not HTTP (%#) is an error", async (response, code) => {
    await using server = await rawServer((socket) => {
      onRequest(socket, () => socket.write(response));
    });
    await using transport = createTransport({ server: server.url });
    expect(await failure(open(transport))).toMatchObject({ code });
    await server.closed(1);
  });

  it("XT6: goes through the proxy of other requests", async () => {
    await using server = await webSocketServer((socket) => socket.write(binary("hello")));
    await using proxy = await connectProxy();
    await using transport = createTransport({ server: server.url, proxy: proxy.url });
    const connection = await open(transport);
    expect((await connection.next())?.bytes.toString()).toBe("hello");
    expect(proxy.tunnels).toEqual([`127.0.0.1:${server.port}`]);
    connection.destroy();
  });

  it("XT21: timeoutMs covers the handshake only", async () => {
    const clock = manualClock();
    let isSilent = true;
    const arrived: (() => void)[] = [];
    await using server = await rawServer((socket) => {
      onRequest(socket, (head) => {
        if (!isSilent) {
          socket.write(acceptResponse(head));
        }
        arrived.shift()?.();
      });
    });
    await using transport = createTransport({ server: server.url, clock });
    const request = { path: "/exec", headers: {}, protocols, timeoutMs: 500 };
    const first = new Promise<void>((resolve) => arrived.push(resolve));
    const silent = failure(openWebSocket(transport.send, request));
    await first;
    clock.advance(500);
    expect(await silent).toMatchObject({ code: "DeadlineExceeded" });
    isSilent = false;
    const connection = await openWebSocket(transport.send, request);
    clock.advance(3_600_000);
    expect(connection.closed.aborted).toBe(false);
    connection.destroy();
  });

  it("XT18: aborted before the request, none is sent; during the handshake, it ends with the reason", async () => {
    const heads: string[] = [];
    const reason = new Error("changed my mind");
    const abort = new AbortController();
    await using server = await rawServer((socket) => {
      onRequest(socket, (head) => {
        heads.push(head);
        abort.abort(reason);
      });
    });
    await using transport = createTransport({ server: server.url });
    await expect(open(transport, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(heads).toEqual([]);
    await expect(open(transport, abort.signal)).rejects.toBe(reason);
    await server.closed(1);
  });
});

describe("an open connection", () => {
  it("reads bytes that came together with the response", async () => {
    await using server = await rawServer((socket) => {
      onRequest(socket, (head) => {
        const end = encodeClose("server", 1000);
        socket.write(Buffer.concat([Buffer.from(acceptResponse(head)), binary("at once"), end]));
      });
    });
    await using transport = createTransport({ server: server.url });
    const connection = await open(transport);
    expect(await textsOf(connection)).toEqual(["at once"]);
    expect(await connection.ended).toEqual({ code: 1000, reason: "" });
    await server.closed(1);
  });

  it("XT12: the end has the code and the reason of the peer's close frame, or 1006", async () => {
    const ends = [encodeClose("server", 1011, "node is gone"), encodeClose("server", 1001)];
    for (const [end, code, reason] of [
      [ends[0], 1011, "node is gone"],
      [ends[1], 1001, ""],
      [undefined, 1006, ""],
    ] as const) {
      await using server = await webSocketServer((socket) => {
        socket.write(binary("last words"));
        socket.end(end ?? "");
      });
      await using transport = createTransport({ server: server.url });
      const connection = await open(transport);
      expect(await textsOf(connection)).toEqual(["last words"]);
      expect(await connection.ended).toMatchObject({ code, reason });
    }
  });

  it("XT14: a violation of the protocol ends it with its code, after the messages before it", async () => {
    const received: Buffer[] = [];
    await using server = await webSocketServer((socket) => {
      socket.on("data", (chunk: Buffer) => received.push(chunk));
      socket.write(Buffer.concat([binary("good"), Buffer.from([0xc2, 0])]));
    });
    await using transport = createTransport({ server: server.url });
    const connection = await open(transport);
    expect(await textsOf(connection)).toEqual(["good"]);
    expect(await connection.ended).toMatchObject({ code: 1002 });
    await server.closed(1);
    // The close frame is masked; its length shows that it has a code.
    expect(Buffer.concat(received).subarray(0, 2)).toEqual(Buffer.from([0x88, 0x82]));
  });

  it("XT9: answers the peer's pings, and pings a quiet peer until it counts as lost", async () => {
    const clock = manualClock();
    const controls: string[] = [];
    const reader = new MessageReader("server", 1_000);
    await using server = await webSocketServer((socket) => {
      socket.on("data", (chunk: Buffer) => reader.read(chunk, ({ type }) => controls.push(type)));
      socket.write(encodeFrame("server", { opcode: opcodes.ping, payload: Buffer.from("?") }));
    });
    await using transport = createTransport({ server: server.url });
    const connection = await open(transport);
    await expect.poll(() => controls).toEqual(["pong"]);
    keepAlive(connection, { clock, pingMs: 5_000, silentMs: 61_000 });
    clock.advance(60_000);
    await expect.poll(() => controls.filter((one) => one === "ping").length).toBe(12);
    expect(connection.closed.aborted).toBe(false);
    clock.advance(5_000);
    const { code, error } = await connection.ended;
    expect(code).toBe(1006);
    expect(error).toMatchObject({ code: "Timeout" });
    await server.closed(1);
    expect(clock.pending).toBe(0);
  });

  it("XT9, XT10: a peer that answers is never lost, nor is one whose bytes wait for a slow reader", async () => {
    const clock = manualClock();
    await using server = await webSocketServer((socket) => {
      for (let count = 0; count < 64; count++) {
        socket.write(binary(Buffer.alloc(64 * 1024)));
      }
    });
    await using transport = createTransport({ server: server.url });
    const connection = await open(transport);
    await expect.poll(() => connection.isPaused).toBe(true);
    keepAlive(connection, { clock, pingMs: 5_000, silentMs: 61_000 });
    clock.advance(600_000);
    expect(connection.closed.aborted).toBe(false);
    connection.destroy();
  });

  it("XT15: at most a megabyte waits for a slow reader, then the socket pauses", async () => {
    let sent = 0;
    const total = 400 * 1024 * 1024;
    const chunk = binary(Buffer.alloc(64 * 1024));
    await using server = await webSocketServer((socket) => {
      const fill = () => {
        while (sent < total && socket.write(chunk)) {
          sent += chunk.byteLength;
        }
      };
      socket.on("drain", fill);
      fill();
    });
    await using transport = createTransport({ server: server.url });
    const connection = await open(transport);
    await expect.poll(() => connection.isPaused).toBe(true);
    expect(connection.receivedBytes).toBeLessThan(2 * 1024 * 1024);
    for (let read = 0; read < 100; read++) {
      await connection.next();
    }
    expect(connection.receivedBytes).toBeLessThan(10 * 1024 * 1024);
    connection.destroy();
  });

  it("XT16: send waits for a slow peer", async () => {
    let start = () => {};
    let received = 0;
    await using server = await webSocketServer((socket) => {
      socket.on("data", (chunk: Buffer) => {
        received += chunk.byteLength;
      });
      socket.pause();
      start = () => socket.resume();
    });
    await using transport = createTransport({ server: server.url });
    const connection = await open(transport);
    const chunk = Buffer.alloc(64 * 1024);
    let sent = 0;
    let isDone = false;
    const sending = (async () => {
      for (let count = 0; count < 1_000; count++) {
        await connection.send(chunk, { channel: 0 });
        sent += 1;
      }
      isDone = true;
    })();
    await expect.poll(() => sent).toBeGreaterThan(0);
    expect(isDone).toBe(false);
    start();
    await sending;
    await expect.poll(() => received).toBeGreaterThan(1_000 * 64 * 1024);
    connection.destroy();
  });

  it("XT18: an abort closes the socket, and the end has the signal's reason", async () => {
    await using server = await webSocketServer();
    await using transport = createTransport({ server: server.url });
    const abort = new AbortController();
    const connection = await open(transport, abort.signal);
    const reason = new Error("enough");
    abort.abort(reason);
    expect(await textsOf(connection)).toEqual([]);
    expect(await connection.ended).toMatchObject({ code: 1006, error: reason });
    await server.closed(1);
  });

  it("ends with the transport", async () => {
    await using server = await webSocketServer();
    const transport = createTransport({ server: server.url });
    const connection = await open(transport);
    await transport.close();
    expect((await connection.ended).error).toMatchObject({ code: "Closed" });
    await server.closed(1);
  });

  it("XT23: connections are not counted against the pool of calls", async () => {
    await using server = await rawServer((socket) => {
      onRequest(socket, (head) => {
        socket.write(
          head.startsWith("GET /exec")
            ? acceptResponse(head)
            : "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
        );
      });
    });
    await using transport = createTransport({ server: server.url, connections: 1 });
    const all = await Promise.all(Array.from({ length: 20 }, () => open(transport)));
    const { status } = await transport.send({
      method: "GET",
      path: "/",
      headers: {},
      mode: "call",
    });
    expect(status).toBe(200);
    expect(server.connections).toBe(21);
    for (const connection of all) {
      connection.destroy();
    }
  });
});
