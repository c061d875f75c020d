import { deepStrictEqual } from "node:assert/strict";
import {
  encodeClose,
  encodeFrame,
  MessageReader,
  opcodes,
  SpdySession,
  type WebSocketEvent,
  WebSocketViolation,
} from "@typekube/core/internal/streams";
import {
  exitCodeOf,
  StatusReader,
} from "../../../packages/client/src/pod-sessions/session-status.js";
import { ResponseParser } from "../../../packages/transport/src/upgrade/response-parser.js";
import type { HostileReader } from "./hostile-reader.js";

const maxBytes = 64 * 1024;
const maxChunkBytes = 40;

/** Readers of what servers send on upgraded connections. Each reads twice, in one piece and in chunks. */
export const streamReaders: readonly HostileReader[] = [
  { name: "stream: WebSocket messages", seeds: webSocketSeeds(), read: readMessages },
  { name: "stream: SPDY frames", seeds: await spdySeeds(), read: readSpdy },
  {
    name: "stream: status of a session",
    seeds: [
      '{"metadata":{},"status":"Success"}',
      '{"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"3"}]}}',
    ].map((text) => Buffer.from(text)),
    read: readStatus,
  },
  {
    name: "stream: response to an upgrade",
    seeds: [
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\nrest",
      "HTTP/1.1 403 Forbidden\r\nContent-Length: 4\r\n\r\nbody",
      "HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
    ].map((text) => Buffer.from(text)),
    read: readResponse,
  },
];

function webSocketSeeds(): Buffer[] {
  const frame = (opcode: number, text: string, isLast = true) =>
    encodeFrame("server", { opcode, payload: Buffer.from(text), isLast });
  return [
    Buffer.concat([frame(opcodes.binary, "\u0001output"), frame(opcodes.ping, "?")]),
    Buffer.concat([
      frame(opcodes.text, "frag", false),
      frame(opcodes.continuation, "ment"),
      encodeClose("server", 1000, "bye"),
    ]),
    frame(opcodes.binary, "x".repeat(300)),
  ];
}

/** Reads messages as a client, and returns them as text with the code of a violation. */
function eventsOf(chunks: readonly Uint8Array[]): unknown[] {
  const reader = new MessageReader("client", maxBytes);
  const events: unknown[] = [];
  const onEvent = (event: WebSocketEvent) =>
    events.push(event.type === "message" ? event.message.bytes.toString("hex") : event.type);
  try {
    for (const chunk of chunks) {
      reader.read(Buffer.from(chunk), onEvent);
    }
  } catch (error) {
    if (!(error instanceof WebSocketViolation)) {
      throw error;
    }
    events.push(error.closeCode);
  }
  return events;
}

function chunksOf(bytes: Uint8Array, random: () => number): Uint8Array[] {
  const size = 1 + Math.floor(random() * maxChunkBytes);
  return Array.from({ length: Math.ceil(bytes.byteLength / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
}

function readMessages(bytes: Uint8Array, random: () => number): void {
  deepStrictEqual(eventsOf(chunksOf(bytes, random)), eventsOf([bytes]));
}

async function spdySeeds(): Promise<Buffer[]> {
  const sent: Buffer[] = [];
  const session = new SpdySession({ send: async (bytes) => void sent.push(Buffer.from(bytes)) });
  const stream = await session.open({ streamtype: "data", port: "80", requestid: "0" });
  await stream.write(Buffer.from("hello"));
  await stream.end();
  session.close();
  return [Buffer.concat(sent)];
}

/** Reads frames as a server: invalid ones are an error of the session, which must end. */
async function readSpdy(bytes: Uint8Array, random: () => number): Promise<void> {
  const session = new SpdySession({ send: async () => {}, onStream: () => {}, maxStreams: 10 });
  try {
    for (const chunk of chunksOf(bytes, random)) {
      await session.receive(Buffer.from(chunk));
    }
  } catch (error) {
    if (!(error instanceof Error)) {
      throw error;
    }
  } finally {
    session.close();
  }
  deepStrictEqual(session.size, 0);
}

function readStatus(bytes: Uint8Array, random: () => number): void {
  const reader = new StatusReader();
  for (const chunk of chunksOf(bytes, random)) {
    reader.read(chunk);
  }
  if (reader.status !== undefined) {
    exitCodeOf(reader.status);
  }
}

function readResponse(bytes: Uint8Array, random: () => number): void {
  const seen = (chunks: readonly Uint8Array[]) => {
    let text = "";
    const parser = new ResponseParser(
      {
        onHead: (status) => {
          text += `${status} `;
        },
        onData: (data) => {
          text += data.toString("latin1");
        },
        onEnd: () => {
          text += " end";
        },
      },
      maxBytes,
    );
    for (const chunk of chunks) {
      parser.read(Buffer.from(chunk));
    }
    parser.end();
    return text;
  };
  const whole = seen([bytes]);
  deepStrictEqual(seen(chunksOf(bytes, random)), whole);
}
