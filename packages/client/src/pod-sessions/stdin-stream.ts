import { Writable } from "node:stream";
import { KubeError } from "@typekube/core";
import type { WebSocketConnection } from "@typekube/transport/internal";
import { channels, sessionProtocols } from "./channels.js";

/** Bytes of input per message. (client-go `remotecommand`: 32 KiB) */
const chunkBytes = 32 * 1024;

/** Sends input in pieces; resolves when the connection can take more. Dropped once the connection is closed. */
export async function sendInput(connection: WebSocketConnection, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.byteLength; at += chunkBytes) {
    await connection.send(bytes.subarray(at, at + chunkBytes), { channel: channels.stdin });
  }
}

/** Returns `true` when the protocol can end stdin and keep the session. */
export function canEndInput({ protocol }: WebSocketConnection): boolean {
  return protocol === sessionProtocols.v5;
}

/**
 * Ends stdin: the process sees its end, and its output still comes.
 *
 * @param isDisconnecting - `true` to close the connection where the protocol cannot end stdin.
 * @throws {KubeError} `InvalidState` where the protocol cannot, unless `isDisconnecting`.
 */
export async function endInput(
  connection: WebSocketConnection,
  isDisconnecting: boolean,
): Promise<void> {
  if (connection.closed.aborted) {
    return;
  }
  if (canEndInput(connection)) {
    await connection.send(Uint8Array.of(channels.stdin), { channel: channels.close });
  } else if (isDisconnecting) {
    connection.close();
  } else {
    throw new KubeError("InvalidState", "the protocol of this server cannot end stdin", {
      hint: 'requires Kubernetes 1.30 or later; bound the input, as with "head -c", or set stdinEnd: "disconnect"',
    });
  }
}

/** Destination of a stream of input. */
interface InputTarget {
  send(bytes: Uint8Array): Promise<void>;
  end(): Promise<void>;
}

/** Input of a process. What is written after the process has ended is dropped; `end()` ends its stdin. */
export function stdinStream(target: InputTarget): Writable {
  const stream = new Writable({
    highWaterMark: chunkBytes,
    write(chunk: Buffer, _encoding, done) {
      target.send(chunk).then(() => done(), done);
    },
    final(done) {
      target.end().then(() => done(), done);
    },
  });
  // The error also ends the session, which reports it.
  stream.on("error", () => {});
  return stream;
}
