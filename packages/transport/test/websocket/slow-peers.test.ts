import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "@typekube/core/internal";
import { encodeFrame, opcodes } from "@typekube/core/internal/streams";
import { failure } from "@typekube/test-support/calls";
import { webSocketServer } from "@typekube/test-support/web-socket-server";
import { expect, it, onTestFinished } from "vitest";
import { createTransport } from "../../src/index.js";
import { keepAlive, openWebSocket, WebSocketConnection } from "../../src/internal.js";

/** A socket whose peer takes nothing until `release` is called. */
function stuckSocket() {
  const held: (() => void)[] = [];
  let written = 0;
  const socket = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      written += chunk.byteLength;
      held.push(done);
    },
    final(done) {
      held.push(done);
    },
  });
  return {
    socket,
    written: () => written,
    release() {
      for (const done of held.splice(0)) {
        done();
      }
    },
  };
}

const frame = (opcode: number, payload: Uint8Array) => encodeFrame("server", { opcode, payload });
const settings = { role: "client", protocol: "" } as const;

it("XT14: pings of a peer that does not read take no memory; the last one is answered", async () => {
  const { socket, written, release } = stuckSocket();
  const connection = new WebSocketConnection(socket, settings);
  onTestFinished(() => connection.destroy());
  const pings = 20_000;
  for (let count = 0; count < pings; count++) {
    socket.push(frame(opcodes.ping, Buffer.alloc(100, count)));
  }
  await nextTurn();
  expect(connection.receivedBytes).toBe(pings * 102);
  expect(socket.writableLength).toBeLessThan(128 * 1024);
  for (let before = -1; before !== written(); ) {
    before = written();
    release();
    await nextTurn();
  }
  expect(written()).toBeLessThan(256 * 1024);
});

it.each([0, 1])("XT15: messages of %i bytes count as unread, too", async (bytes) => {
  const { socket } = stuckSocket();
  const connection = new WebSocketConnection(socket, settings);
  onTestFinished(() => connection.destroy());
  const message = frame(opcodes.binary, Buffer.alloc(bytes));
  const many = Buffer.concat(Array.from({ length: 1_000 }, () => message));
  let pushed = 0;
  while (!connection.isPaused && pushed < 100_000) {
    socket.push(many);
    pushed += 1_000;
    await nextTurn();
  }
  expect(pushed).toBeLessThan(50_000);
  for (let count = 0; count < pushed; count++) {
    expect((await connection.next())?.bytes.byteLength).toBe(bytes);
  }
});

it("XT18: leaving a peer that reads nothing closes the socket all the same", async () => {
  await using server = await webSocketServer((socket) => socket.pause());
  await using transport = createTransport({ server: server.url });
  const connection = await openWebSocket(transport.send, {
    path: "/exec",
    headers: {},
    protocols: ["v5.channel.k8s.io"],
  });
  void connection.send(Buffer.alloc(32 * 1024 * 1024));
  connection.leave();
  expect(await connection.ended).toMatchObject({ code: 1000 });
  expect(connection.closed.aborted).toBe(true);
});

it("XT10: time in which this process was stopped does not count as silence of the peer", () => {
  let now = 0;
  let beat = () => {};
  const clock: Clock = {
    now: () => now,
    schedule(_delayMs, callback) {
      beat = callback;
      return () => {};
    },
  };
  const connection = new WebSocketConnection(stuckSocket().socket, settings);
  onTestFinished(() => connection.destroy());
  keepAlive(connection, { clock, pingMs: 5_000, silentMs: 61_000 });
  // A debugger, a suspended process, or a long computation.
  now += 300_000;
  beat();
  expect(connection.closed.aborted || connection.isOpen === false).toBe(false);
  for (let count = 0; count < 13; count++) {
    now += 5_000;
    beat();
  }
  expect(connection.isOpen).toBe(false);
});

it("XT2: a refusal closes its connection, also if the server never does", async () => {
  const server = createServer({ allowHalfOpen: true });
  onTestFinished(() => void server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  await using transport = createTransport({
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  const opening = failure(
    openWebSocket(transport.send, { path: "/exec", headers: {}, protocols: [] }),
  );
  const [socket] = (await once(server, "connection")) as [Socket];
  const cut = new Promise<void>((resolve) => socket.on("error", () => resolve()));
  socket.write("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
  expect(await opening).toMatchObject({ code: "Forbidden" });
  socket.resume();
  await once(socket, "end");
  // A socket that is closed on both sides refuses what comes.
  const write = () => socket.writable && socket.write("x", () => setImmediate(write));
  write();
  await cut;
  socket.destroy();
});
