import { chunkOverhead, createFlowQueue } from "@typekube/core/internal/streams";
import type { WebSocketConnection } from "@typekube/transport/internal";
import type { PodHandlers, PodPort } from "./pod-handlers.js";

/** Subprotocols of port-forward over channels. */
export const portProtocols = ["v4.channel.k8s.io"] as const;

/** Bytes queued for the handler of a port before back-pressure stops the client. */
const portBytes = 1024 * 1024;

/** Runs a handler for each port: channel 2n carries the data of the nth port, 2n + 1 its errors. */
export async function forwardPorts(
  connection: WebSocketConnection,
  handler: NonNullable<PodHandlers["portForward"]>,
  ports: readonly number[],
  target: Omit<PodPort, "data" | "port" | "write">,
): Promise<void> {
  const queues = ports.map(() => createFlowQueue<Uint8Array>(portBytes));
  const send = (channel: number, data: Uint8Array | string) =>
    connection.send(Buffer.from(data as Uint8Array), { channel });
  const signal = AbortSignal.any([target.signal, connection.closed]);
  const reading = (async () => {
    for await (const { bytes } of connection.messages()) {
      const [channel = 0] = bytes;
      const data = bytes.subarray(1);
      if (channel % 2 === 0) {
        await queues[channel / 2]?.push(data, data.byteLength + chunkOverhead);
      }
    }
    for (const queue of queues) {
      queue.end();
    }
  })();
  await Promise.all(
    ports.map(async (port, at) => {
      const number = Buffer.alloc(2);
      number.writeUInt16LE(port);
      // Both channels begin with the port number.
      await send(2 * at, number);
      await send(2 * at + 1, number);
      const data = queues[at] ?? createFlowQueue<Uint8Array>(portBytes);
      const write = (bytes: Uint8Array | string) => send(2 * at, bytes);
      await Promise.resolve()
        .then(() => handler({ ...target, signal, port, data, write }))
        .catch((error: unknown) =>
          send(2 * at + 1, error instanceof Error ? error.message : String(error)),
        );
    }),
  );
  connection.close();
  for (const queue of queues) {
    queue.end();
  }
  await reading;
}
