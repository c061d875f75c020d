import { Duplex } from "node:stream";
import { expect, it } from "vitest";
import { acceptWebSocket } from "../src/listener/websocket/accept-websocket.js";
import { runSession } from "../src/pod-streams/pod-session.js";

const [ping, pong, binary] = [0x89, 0x8a, 0x82];
const names: Record<number, string> = { 130: "data", 136: "close", [ping]: "ping", [pong]: "pong" };

/** Returns a client's frame, masked with zeros. */
function frame(first: number, payload: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.from([first, 0x80 | payload.byteLength, 0, 0, 0, 0]),
    Buffer.from(payload),
  ]);
}

/** Starts a session whose command immediately writes to stderr, and collects the frames that its client receives. */
function startSession() {
  const frames: string[] = [];
  const sleeps: { readonly ms: number; readonly end: () => void }[] = [];
  const socket = new Duplex({
    read() {},
    /** Each frame is one write. */
    write(bytes: Buffer, _encoding, done) {
      const text = bytes.subarray(2).toString("latin1");
      frames.push(`${names[bytes[0] ?? 0]} ${JSON.stringify(text)}`);
      done();
    },
  });
  const connection = acceptWebSocket(socket, {
    handshake: { key: "" },
    protocol: "v5.channel.k8s.io",
    head: Buffer.alloc(0),
    maxMessageBytes: 1024,
  });
  const { signal } = new AbortController();
  const pod = {} as never;
  const target = { pod, namespace: "default", name: "web", container: "c", signal, ended: signal };
  const done = runSession(
    connection,
    async ({ stdin, stderr }) => {
      await stderr("cat\n");
      for await (const _ of stdin) {
        // Reads to the end.
      }
      return 0;
    },
    { ...target, command: ["cat"], tty: false, hasStdin: true },
    {
      settleMs: 50,
      pongWithinMs: 1_000,
      sleep: (ms) => new Promise((end) => sleeps.push({ ms, end })),
    },
  );
  return {
    frames,
    sleeps,
    done,
    /** Sends a frame, and a ping whose pong shows that the server has read both. */
    async send(first: number, ...payload: number[]) {
      socket.push(frame(first, Buffer.from(payload)));
      const word = `seen ${frames.length}`;
      socket.push(frame(ping, Buffer.from(word)));
      await expect.poll(() => frames.some((text) => text === `pong "${word}"`)).toBe(true);
    },
    outputs: () => frames.filter((text) => text.startsWith("data")),
  };
}

it("a session's first output waits for the client's pong and for the client's set-up after it", async () => {
  const session = startSession();
  await session.send(pong);
  expect(session.outputs()).toEqual([]);
  expect(session.sleeps.map(({ ms }) => ms).sort()).toEqual([1_000, 50]);
  session.sleeps.find(({ ms }) => ms === 50)?.end();
  await expect.poll(session.outputs).toEqual(['data "\\u0002cat\\n"']);
});

it("a client that sends stdin receives the output immediately", async () => {
  const session = startSession();
  await session.send(binary, 0, 0x61);
  await expect.poll(session.outputs).toEqual(['data "\\u0002cat\\n"']);
});

it("a client that ends stdin without input receives the output and the status", async () => {
  const session = startSession();
  await session.send(binary, 255, 0);
  await session.done;
  expect(session.outputs()).toEqual([
    'data "\\u0002cat\\n"',
    'data "\\u0003{\\"metadata\\":{},\\"status\\":\\"Success\\"}"',
  ]);
});

it("a client that never sends a pong receives the output after the maximum wait", async () => {
  const session = startSession();
  await session.send(ping);
  expect(session.outputs()).toEqual([]);
  session.sleeps.find(({ ms }) => ms === 1_000)?.end();
  await expect.poll(session.outputs).toEqual(['data "\\u0002cat\\n"']);
});
