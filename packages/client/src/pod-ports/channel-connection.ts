import type { Clock } from "@typekube/core/internal";
import { chunkOverhead, createFlowQueue } from "@typekube/core/internal/streams";
import { keepAlive, type WebSocketConnection } from "@typekube/transport/internal";
import { errorText, type PortConnection } from "./port-connection.js";

/** Subprotocol of servers without tunnels: one WebSocket per connection, which cannot end one side. */
export const channelProtocol = "v4.channel.k8s.io";

const channels = { data: 0, error: 1 } as const;
/** Each channel begins with the number of its port. */
const portBytes = 2;
const pingMs = 10_000;
const silentMs = 61_000;
/** Bytes that wait for their reader before the pod has to wait. */
const queueBytes = 1024 * 1024;

/** A connection that has a WebSocket of its own. */
export interface ChannelConnection extends PortConnection {
  /** `false` once the pod has closed it. */
  readonly isOpen: boolean;
}

/** Uses a WebSocket for one connection. Ending our side does nothing: the protocol cannot say it. */
export function channelConnection(
  connection: WebSocketConnection,
  clock: Clock,
): ChannelConnection {
  const data = createFlowQueue<Uint8Array>(queueBytes);
  const errors = createFlowQueue<Uint8Array>(queueBytes);
  keepAlive(connection, { clock, pingMs, silentMs });
  const reading = read(connection, data, errors);
  const reported = errorText(errors);
  return {
    get isOpen() {
      return connection.isOpen;
    },
    data,
    write: (bytes) => connection.send(bytes, { channel: channels.data }),
    end: async () => {},
    reset: () => connection.leave(),
    async failure() {
      await reading;
      const text = await reported;
      const { code } = await connection.ended;
      return text !== ""
        ? text
        : code === 1000 || code === 1005
          ? undefined
          : `the connection was lost (WebSocket close code ${code})`;
    },
  };
}

type Queue = ReturnType<typeof createFlowQueue<Uint8Array>>;

async function read(connection: WebSocketConnection, data: Queue, errors: Queue): Promise<void> {
  const skipped = { data: 0, error: 0 };
  for (;;) {
    const message = await connection.next();
    if (message === undefined) {
      break;
    }
    const [channel] = message.bytes;
    const name = channel === channels.data ? "data" : "error";
    const skip = Math.min(portBytes - skipped[name], message.bytes.byteLength - 1);
    skipped[name] += Math.max(0, skip);
    const bytes = message.bytes.subarray(1 + Math.max(0, skip));
    if (bytes.byteLength > 0 && (channel === channels.data || channel === channels.error)) {
      await (name === "data" ? data : errors).push(bytes, bytes.byteLength + chunkOverhead);
    }
  }
  data.end();
  errors.end();
}
