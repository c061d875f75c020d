import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Pod } from "@typekube/api/core/v1";
import { failure } from "@typekube/test-support/failure";
import { serverFrame, webSocketServer } from "@typekube/test-support/web-socket-server";
import { connect } from "typekube";
import { expect, it, onTestFinished } from "vitest";

const binary = 0x82;
const exitStatus = JSON.stringify({
  status: "Failure",
  reason: "NonZeroExitCode",
  details: { causes: [{ reason: "ExitCode", message: "4" }] },
});
const end = Buffer.concat([serverFrame(binary, 3, exitStatus), serverFrame(0x88, 0x03, 0xe8)]);
const chunk = Buffer.alloc(60_000, "x");

/** Starts a session with a server that reads nothing of its input. */
async function unreadSession() {
  let accept: (socket: Socket) => void;
  const accepted = new Promise<Socket>((resolve) => {
    accept = resolve;
  });
  const server = await webSocketServer((socket) => {
    // Bytes that wait for a delayed ACK would be lost with the reset.
    accept(socket.pause().setNoDelay(true));
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const client = await connect({ server: server.url });
  onTestFinished(() => client.close());
  const pod = client.resource(Pod, "default").named("web-0");
  const session = await pod.exec(["x"], { container: "c", stdin: true });
  return { session, socket: await accepted };
}

/** Writes input until the connection takes no more. */
async function fillInput({ stdin }: { readonly stdin: NodeJS.WritableStream | undefined }) {
  let isFull = false;
  while (!isFull) {
    let isTaken = false;
    stdin?.write(chunk, () => {
      isTaken = true;
    });
    for (let turn = 0; turn < 100 && !isTaken; turn++) {
      await nextTurn();
    }
    isFull = !isTaken;
  }
}

it("XE11: a status that came before a write failed is read", async () => {
  const { session, socket } = await unreadSession();
  session.stdin?.write(chunk);
  await nextTurn();
  socket.write(Buffer.concat([serverFrame(binary, 1, "out"), end]));
  // In the same turn, so that the client writes before it can read.
  socket.resetAndDestroy();
  session.stdin?.write(chunk);
  expect(await session.result).toEqual({ exitCode: 4 });
  expect(await session.stdout.text()).toBe("out");
});

it("XE11: output that nobody has read is there after a write has failed, and the status behind it", async () => {
  const { session, socket } = await unreadSession();
  await fillInput(session);
  // More than a session keeps, so that the last part waits in the socket.
  const frames = Array.from({ length: 24 }, () => serverFrame(binary, 1, chunk));
  for (const bytes of [...frames, end]) {
    socket.write(bytes);
    for (let turn = 0; turn < 20; turn++) {
      await nextTurn();
    }
  }
  socket.resetAndDestroy();
  for (let turn = 0; turn < 200; turn++) {
    await nextTurn();
  }
  const [text, result] = await Promise.all([session.stdout.text(), session.result]);
  expect(text.length).toBe(frames.length * chunk.byteLength);
  expect(result).toEqual({ exitCode: 4 });
});

it("XE11: without a status, the failed write is the cause of the error", async () => {
  const { session, socket } = await unreadSession();
  session.stdin?.write(chunk);
  await nextTurn();
  socket.resetAndDestroy();
  session.stdin?.write(chunk);
  const error = await failure(session.result);
  expect(error).toMatchObject({ code: "ConnectionClosed" });
  expect(String(error.cause)).toMatch(/ECONNRESET|EPIPE/);
});

it("XE11: an endless input ends after a write has failed", async () => {
  let sent: Socket | undefined;
  const server = await webSocketServer((socket) => {
    sent = socket.pause();
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const client = await connect({ server: server.url });
  onTestFinished(() => client.close());
  let chunks = 0;
  const endless = (async function* () {
    for (;;) {
      chunks += 1;
      if (chunks === 3) {
        sent?.write(end);
        sent?.resetAndDestroy();
      }
      yield chunk;
    }
  })();
  const pod = client.resource(Pod, "default").named("web-0");
  expect((await pod.exec(["x"], { container: "c", stdin: endless })).exitCode).toBe(4);
  expect(chunks).toBeLessThan(10);
});
