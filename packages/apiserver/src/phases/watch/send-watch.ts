import type { HttpResponse } from "@typekube/core/internal";
import type { WebSocketConnection } from "@typekube/transport/internal";
import type { ResponseFormat } from "../../request/response-format.js";
import type { Upgrade } from "../../request/upgrade.js";
import { bytesResponse } from "../../response/responses.js";
import { switched } from "../../response/switched.js";

/** Bytes of the length prefix of each event in a protobuf watch over HTTP. WebSockets have their own framing. */
const lengthBytes = 4;

/**
 * Sends watch events over a WebSocket, one message each: text for JSON, binary for other encodings. Messages from the
 * client are ignored, except close.
 */
export function sendWatch(
  upgrade: Upgrade,
  events: AsyncIterable<Uint8Array>,
  format: ResponseFormat,
): HttpResponse {
  const source = events[Symbol.asyncIterator]();
  const { refusal } = upgrade;
  if (refusal !== undefined) {
    void source.return?.();
    return bytesResponse(
      refusal.status,
      "text/plain; charset=utf-8",
      Buffer.from(refusal.text),
      refusal.headers,
    );
  }
  const connection = upgrade.accept(upgrade.protocols[0]);
  const end = () => void source.return?.();
  connection.closed.addEventListener("abort", end, { once: true });
  void untilClosed(connection).finally(end);
  return switched(send(connection, { [Symbol.asyncIterator]: () => source }, format));
}

/** Reads until the client closes the connection. */
async function untilClosed(connection: WebSocketConnection): Promise<void> {
  for await (const _ of connection.messages()) {
    // Ignored, like real servers do.
  }
}

async function send(
  connection: WebSocketConnection,
  events: AsyncIterable<Uint8Array>,
  { encoding }: ResponseFormat,
): Promise<void> {
  const kind = encoding === "json" ? "text" : "binary";
  try {
    for await (const event of events) {
      await connection.send(encoding === "protobuf" ? event.subarray(lengthBytes) : event, {
        kind,
      });
    }
    connection.close();
  } catch {
    // A failed watch breaks its connection, so that the client can't take it for complete.
    connection.destroy();
  }
}
