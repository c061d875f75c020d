import { SpdySession, type SpdyStream } from "@typekube/core/internal/streams";
import type { WebSocketConnection } from "@typekube/transport/internal";
import type { PodHandlers, PodPort } from "./pod-handlers.js";

/** The subprotocol that kubectl requests: SPDY inside a WebSocket. */
export const tunnelProtocol = "SPDY/3.1+portforward.k8s.io";

/** Runs a handler for each connection to a port: a pair of streams, one for data and one for errors. */
export async function tunnelPorts(
  connection: WebSocketConnection,
  handler: NonNullable<PodHandlers["portForward"]>,
  target: Omit<PodPort, "data" | "port" | "write">,
): Promise<void> {
  const signal = AbortSignal.any([target.signal, connection.closed]);
  const errors = new Map<string, SpdyStream>();
  const running = new Set<Promise<void>>();
  const forward = async (stream: SpdyStream, error: SpdyStream | undefined) => {
    const port = Number(stream.headers.get("port"));
    const write = (data: Uint8Array | string) => stream.write(Buffer.from(data as Uint8Array));
    try {
      await handler({ ...target, signal, port, data: stream.data, write });
    } catch (problem) {
      await error?.write(Buffer.from(problem instanceof Error ? problem.message : String(problem)));
    }
    void drop(stream.data);
    await error?.end();
    await stream.end();
  };
  const onStream = (stream: SpdyStream) => {
    const request = stream.headers.get("requestid") ?? "";
    if (stream.headers.get("streamtype") === "error") {
      errors.set(request, stream);
      return;
    }
    const error = errors.get(request);
    errors.delete(request);
    const work = forward(stream, error).finally(() => running.delete(work));
    running.add(work);
  };
  const session = new SpdySession({ send: (bytes) => connection.send(bytes), onStream });
  try {
    for await (const { bytes } of connection.messages()) {
      await session.receive(bytes);
    }
  } catch {
    connection.close(1002, "not SPDY/3.1");
  } finally {
    session.close();
  }
  connection.close();
  await Promise.all(running);
}

/** Drops what a handler left unread: the other connections come after it. */
async function drop(data: SpdyStream["data"]): Promise<void> {
  for await (const _ of data) {
    // Nobody wants it.
  }
}
