import { chunkOverhead, createFlowQueue } from "@typekube/core/internal/streams";
import type { WebSocketConnection } from "@typekube/transport/internal";
import { getPath } from "../objects/json-value.js";
import type { PodSession, PodTarget, TerminalSize } from "./pod-handlers.js";
import { clientReady, type SessionStart, sessionStart } from "./session-start.js";
import { exitStatus, failedStatus } from "./session-status.js";

/** Subprotocols of exec and attach, in order of preference. Version 5 can signal the end of stdin. */
export const sessionProtocols = ["v5.channel.k8s.io", "v4.channel.k8s.io"] as const;

/** Channels: the first byte of each message. */
const channel = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;

/** Bytes of stdin queued for the handler before back-pressure stops the client. */
const stdinBytes = 1024 * 1024;
const resizeCount = 64;

/** Session options given by the request. */
export interface SessionRequest extends PodTarget {
  readonly command: readonly string[];
  readonly tty: boolean;
  readonly hasStdin: boolean;
}

/** Runs a handler on the channels of a WebSocket, then sends its exit status to the client. */
export async function runSession(
  connection: WebSocketConnection,
  handler: (session: PodSession) => Promise<number | undefined>,
  { hasStdin, ...request }: SessionRequest,
  start: SessionStart = sessionStart,
): Promise<void> {
  const stdin = createFlowQueue<Uint8Array>(stdinBytes);
  const resizes = createFlowQueue<TerminalSize>(resizeCount);
  let onFirstInput = () => {};
  const firstInput = new Promise<void>((resolve) => {
    onFirstInput = resolve;
  });
  if (!hasStdin) {
    stdin.end();
  }
  const reading = readChannels(connection, stdin, resizes, onFirstInput);
  const isReady = clientReady(connection, firstInput, start);
  const write = (number: number) => async (data: Uint8Array | string) => {
    const bytes = Buffer.from(data as Uint8Array);
    await isReady;
    await connection.send(bytes, { channel: number });
  };
  const signal = AbortSignal.any([request.signal, connection.closed]);
  const status = await Promise.resolve()
    .then(() =>
      handler({
        ...request,
        signal,
        stdin,
        resizes,
        stdout: write(channel.stdout),
        stderr: write(request.tty ? channel.stdout : channel.stderr),
      }),
    )
    .then((code) => exitStatus(code ?? 0), failedStatus);
  await write(channel.error)(JSON.stringify(status));
  connection.close();
  stdin.end();
  resizes.end();
  await reading;
}

type Queue<T> = ReturnType<typeof createFlowQueue<T>>;

async function readChannels(
  connection: WebSocketConnection,
  stdin: Queue<Uint8Array>,
  resizes: Queue<TerminalSize>,
  onInput: () => void,
): Promise<void> {
  for await (const { bytes } of connection.messages()) {
    const data = bytes.subarray(1);
    switch (bytes[0]) {
      case channel.stdin:
        onInput();
        if (data.byteLength > 0) {
          await stdin.push(data, data.byteLength + chunkOverhead);
        }
        break;
      case channel.resize: {
        const size = readSize(data);
        if (size !== undefined) {
          await resizes.push(size, 1);
        }
        break;
      }
      case channel.close:
        if (data[0] === channel.stdin && connection.protocol === sessionProtocols[0]) {
          onInput();
          stdin.end();
        }
        break;
      default:
        connection.close(1002, "a channel that clients must not write to");
    }
  }
  stdin.end();
  resizes.end();
}

function readSize(data: Buffer): TerminalSize | undefined {
  try {
    const value: unknown = JSON.parse(data.toString("utf8"));
    const [width, height] = [getPath(value, "Width"), getPath(value, "Height")];
    return typeof width === "number" && typeof height === "number" ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}
