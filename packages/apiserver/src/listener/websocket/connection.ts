import type { Duplex } from "node:stream";
import type { Message, WebSocketConnection } from "../../request/upgrade.js";
import { endSocket } from "./end-socket.js";
import { createFrameReader, WebSocketProblem } from "./frame-reader.js";
import { closePayload, writeFrame } from "./write-frame.js";

/**
 * Serves RFC 6455 on an upgraded connection.
 *
 * @param head - bytes received together with the request.
 * @param maxMessageBytes - a longer message ends the connection with 1009.
 */
export function createConnection(
  socket: Duplex,
  { protocol, head, maxMessageBytes }: { protocol: string; head: Buffer; maxMessageBytes: number },
): WebSocketConnection {
  const gone = new AbortController();
  let isClosing = false;
  const pongs: (() => void)[] = [];
  const releasePings = () => {
    for (const resolve of pongs.splice(0)) {
      resolve();
    }
  };
  gone.signal.addEventListener("abort", releasePings);
  socket.on("error", () => socket.destroy());
  socket.on("close", () => gone.abort());
  const close = (code = 1000, reason = "") => {
    if (!isClosing) {
      isClosing = true;
      endSocket(socket, writeFrame("close", closePayload(code, reason)));
    }
  };
  const read = createFrameReader(maxMessageBytes);
  /** Handles control frames; returns whether the peer has closed. */
  const control = ({ kind, bytes }: Message): boolean => {
    if (kind === "ping" && !isClosing && !socket.destroyed) {
      socket.write(writeFrame("pong", bytes));
    }
    if (kind === "pong") {
      releasePings();
    }
    if (kind === "close") {
      assertClosePayload(bytes);
      close(bytes.byteLength >= 2 ? bytes.readUInt16BE(0) : 1000);
    }
    return kind === "close";
  };
  async function* messages(): AsyncGenerator<Message, void, undefined> {
    try {
      for await (const chunk of chunks(socket, head)) {
        for (const message of read(chunk)) {
          if (control(message)) {
            return;
          }
          if (message.kind === "binary" || message.kind === "text") {
            yield message;
          }
        }
      }
    } catch (error) {
      if (error instanceof WebSocketProblem) {
        close(error.code, error.message);
      }
    } finally {
      close();
    }
  }
  return {
    protocol,
    closed: gone.signal,
    messages,
    close,
    ping() {
      if (isClosing || socket.destroyed) {
        return Promise.resolve();
      }
      socket.write(writeFrame("ping", new Uint8Array()));
      return new Promise((resolve) => pongs.push(resolve));
    },
    destroy: () => void socket.destroy(),
    async send(bytes, kind = "binary") {
      if (isClosing || socket.destroyed) {
        return;
      }
      if (!socket.write(writeFrame(kind, bytes))) {
        await drained(socket);
      }
    },
  };
}

async function* chunks(socket: Duplex, head: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield head;
  // Leaving the loop must not destroy the socket: the close frame still has to be written.
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    yield chunk as Buffer;
  }
}

function assertClosePayload(bytes: Buffer): void {
  const code = bytes.byteLength >= 2 ? bytes.readUInt16BE(0) : undefined;
  const isKnown =
    code !== undefined &&
    ((code >= 1000 && code <= 1011 && ![1004, 1005, 1006].includes(code)) ||
      (code >= 3000 && code <= 4999));
  if (bytes.byteLength > 0 && !isKnown) {
    throw new WebSocketProblem(1002, "a close frame with an invalid code");
  }
}

function drained(socket: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off("drain", done);
      socket.off("close", done);
      resolve();
    };
    socket.on("drain", done);
    socket.on("close", done);
  });
}
