import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { createWebSocketStream, WebSocket, WebSocketServer } from "ws";
import type { Message, WebSocketConnection } from "../../request/upgrade.js";
import { drained, lingerAfterEnd } from "./end-socket.js";
import { acceptLines, type Handshake } from "./handshake.js";

/** A WebSocket to accept. */
export interface AcceptedSocket {
  readonly handshake: Pick<Handshake, "key">;
  /** Selected subprotocol. */
  readonly protocol: string | undefined;
  /** Bytes received together with the request. */
  readonly head: Buffer;
  /** Maximum size of a message; a longer one ends the connection with 1009. */
  readonly maxMessageBytes: number;
}

/** `ws` counts in 32-bit integers. */
const maxLimit = 2 ** 31 - 1;
/** Messages waiting to be read, above which the client has to wait. */
const maxUnread = 2;
/** Maximum bytes in the reason of a close frame. */
const maxReasonBytes = 123;

/**
 * Responds with 101 and serves RFC 6455 on a connection.
 *
 * @throws {Error} when the client has closed the connection.
 */
export function createConnection(socket: Duplex, accepted: AcceptedSocket): WebSocketConnection {
  const gone = new AbortController();
  socket.on("close", () => gone.abort());
  lingerAfterEnd(socket);
  // Registered before `ws` ends the connection without a close frame.
  socket.once("end", () => close());
  const ws = upgraded(socket, accepted);
  // Created at once: messages that arrive before they are read must not be lost.
  const stream = createWebSocketStream(ws, {
    readableObjectMode: true,
    readableHighWaterMark: maxUnread,
  });
  stream.on("error", () => undefined);
  const pongs: (() => void)[] = [];
  const releasePings = () => {
    for (const resolve of pongs.splice(0)) {
      resolve();
    }
  };
  gone.signal.addEventListener("abort", releasePings);
  ws.on("pong", releasePings);
  const isOpen = () => ws.readyState === ws.OPEN && !socket.destroyed;
  const close = (code = 1000, reason = "") => {
    if (isOpen()) {
      ws.close(code, Buffer.from(reason, "utf8").subarray(0, maxReasonBytes));
      socket.end();
    }
    // A socket emits "end" only while it is being read.
    ws.removeAllListeners("message");
    ws.resume();
  };
  return {
    protocol: accepted.protocol ?? "",
    closed: gone.signal,
    messages: () => messagesOf(stream, close),
    close,
    ping() {
      if (!isOpen()) {
        return Promise.resolve();
      }
      ws.ping();
      return new Promise((resolve) => pongs.push(resolve));
    },
    destroy: () => void socket.destroy(),
    async send(bytes, kind = "binary") {
      if (!isOpen()) {
        return;
      }
      ws.send(bytes, { binary: kind === "binary" });
      if (socket.writableNeedDrain) {
        await drained(socket);
      }
    },
  };
}

async function* messagesOf(
  stream: Duplex,
  close: () => void,
): AsyncGenerator<Message, void, undefined> {
  try {
    for await (const message of stream.iterator({ destroyOnReturn: false })) {
      yield typeof message === "string"
        ? { kind: "text", bytes: Buffer.from(message, "utf8") }
        : { kind: "binary", bytes: message as Buffer };
    }
  } catch {
    // `ws` has closed the connection with the code of the problem.
  } finally {
    close();
  }
}

/** Responds to a close frame without a code with 1000; `ws` alone would send none. */
class NormallyClosed extends WebSocket {
  override close(code = 1000, reason?: Buffer | string): void {
    super.close(code, reason);
  }
}

/**
 * Lets `ws` take over a connection whose handshake was checked before: a watch's handshake follows other rules than those
 * of `ws`, so it gets a request that always passes, and the response is ours.
 */
function upgraded(
  socket: Duplex,
  { handshake, protocol, head, maxMessageBytes }: AcceptedSocket,
): WebSocket {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    WebSocket: NormallyClosed,
    maxPayload: Math.min(maxMessageBytes, maxLimit),
  });
  server.on("headers", (lines) => {
    lines.splice(0, lines.length, ...acceptLines(handshake, protocol));
  });
  const request = {
    method: "GET",
    headers: {
      upgrade: "websocket",
      "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
      "sec-websocket-version": "13",
    },
  };
  let accepted: WebSocket | undefined;
  server.handleUpgrade(request as IncomingMessage, socket, head, (ws) => {
    accepted = ws;
  });
  if (accepted === undefined) {
    throw new Error("the client closed the connection before the server accepted the WebSocket");
  }
  return accepted;
}
