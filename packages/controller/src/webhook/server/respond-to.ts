import type { IncomingMessage, ServerResponse } from "node:http";
import { mediaTypes } from "@typekube/core/internal";
import { tooLarge } from "../endpoint/fetch-handler.js";
import type { WebhookDispatcher } from "../endpoint/webhook.js";

/** A request over HTTP/1.1. Node's requests over HTTP/2 have the same members. */
export type NodeRequest = IncomingMessage;

/** A response over HTTP/1.1. Node's responses over HTTP/2 have the same members. */
export type NodeResponse = ServerResponse;

/**
 * Bytes that are read and dropped after a body that is too long, so that the client reads our response and uses the
 * connection again. A longer one closes the connection.
 */
const maxDroppedBytes = 64 * 1024 * 1024;

/** Responds to a request of Node's servers. Never rejects. */
export async function respondTo(
  dispatcher: WebhookDispatcher,
  request: NodeRequest,
  response: NodeResponse,
  isDraining: () => boolean,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableEnded) {
      gone.abort(new Error("the client closed the connection"));
    }
  });
  let mustClose = false;
  const { method = "GET", url = "/", headers } = request;
  const traceparent = headers["traceparent"];
  const { status, body } = await dispatcher.respond(
    {
      method,
      url,
      contentType: headers["content-type"],
      traceparent: typeof traceparent === "string" ? traceparent : undefined,
    },
    (maxBytes) =>
      bodyOf(request, maxBytes, () => {
        mustClose = true;
      }),
    gone.signal,
  );
  if (gone.signal.aborted || response.destroyed) {
    return;
  }
  const bytes = Buffer.from(body);
  const closes = request.httpVersionMajor === 1 && (mustClose || isDraining());
  response.writeHead(status, {
    "content-type": mediaTypes.json,
    "content-length": bytes.byteLength,
    ...(closes ? { connection: "close" } : {}),
  });
  response.end(bytes);
}

/** Reads a body; drops one that is too long, up to a limit. */
function bodyOf(
  request: NodeRequest,
  maxBytes: number,
  onEndless: () => void,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let length = 0;
    const settle = (settled: () => void) => {
      request.off("data", onData);
      request.off("end", onEnd);
      request.off("close", onClose);
      settled();
    };
    const onData = (chunk: Buffer) => {
      length += chunk.byteLength;
      if (length <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      chunks = [];
      if (length > maxBytes + maxDroppedBytes) {
        onEndless();
        settle(() => reject(tooLarge(maxBytes)));
        request.resume();
      }
    };
    const onEnd = () =>
      settle(() => {
        if (length > maxBytes) {
          reject(tooLarge(maxBytes));
        } else {
          resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
        }
      });
    const onClose = () => settle(() => reject(new Error("the body was not completed")));
    request.on("data", onData);
    request.once("end", onEnd);
    request.once("close", onClose);
    request.on("error", () => {});
  });
}
