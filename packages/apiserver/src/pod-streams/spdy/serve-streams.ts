import { createFlowQueue, type FlowQueue } from "./flow-queue.js";
import {
  controlFrame,
  createSpdyReader,
  dataFrame,
  frameType,
  lastFlag,
  type SpdyFrame,
  words,
} from "./frames.js";
import { createHeaderBlocks } from "./header-blocks.js";

/** A stream opened by the client. */
export interface SpdyStream {
  readonly headers: ReadonlyMap<string, string>;
  /** Bytes that the client sends on the stream. */
  readonly data: AsyncIterable<Uint8Array>;
  write(data: Uint8Array): Promise<void>;
  /** Ends the server's side of the stream; idempotent. */
  end(): Promise<void>;
}

/** Source and destination of the frames. */
export interface SpdyPipe {
  readonly chunks: AsyncIterable<Buffer>;
  send(bytes: Uint8Array): Promise<void>;
}

const maxFrameBytes = 1024 * 1024;
const maxStreams = 200;
/** Bytes of a stream queued for its reader before back-pressure stops the client. */
const streamBytes = 1024 * 1024;
/** Status code REFUSED_STREAM. */
const refusedStream = 3;

/**
 * Serves SPDY/3.1 as far as Kubernetes uses it: streams opened by the client, without flow control.
 *
 * @param onStream - called for each stream.
 * @throws {Error} for bytes that are not valid SPDY.
 */
export async function serveStreams(
  { chunks, send }: SpdyPipe,
  onStream: (stream: SpdyStream) => void,
): Promise<void> {
  const read = createSpdyReader(maxFrameBytes);
  const blocks = createHeaderBlocks();
  const open = new Map<number, FlowQueue<Uint8Array>>();
  const onOpen = async ({ flags, payload }: SpdyFrame) => {
    const id = payload.readUInt32BE(0);
    const headers = await blocks.read(payload.subarray(10));
    if (open.size >= maxStreams || open.has(id)) {
      await send(controlFrame(frameType.reset, 0, words(id, refusedStream)));
      return;
    }
    const queue = createFlowQueue<Uint8Array>(streamBytes);
    open.set(id, queue);
    await send(controlFrame(frameType.reply, 0, Buffer.concat([words(id), await blocks.empty()])));
    if ((flags & lastFlag) !== 0) {
      queue.end();
    }
    onStream(streamOf(id, headers, queue, send, () => open.delete(id)));
  };
  try {
    for await (const chunk of chunks) {
      for (const frame of read(chunk)) {
        switch (frame.type) {
          case frameType.open:
            await onOpen(frame);
            break;
          case frameType.data: {
            const queue = open.get(frame.stream);
            if (frame.payload.byteLength > 0) {
              await queue?.push(frame.payload, frame.payload.byteLength);
            }
            if ((frame.flags & lastFlag) !== 0) {
              queue?.end();
            }
            break;
          }
          case frameType.reset:
            open.get(frame.payload.readUInt32BE(0))?.end();
            break;
          case frameType.ping:
            await send(controlFrame(frameType.ping, 0, frame.payload));
            break;
          case frameType.goAway:
            return;
          default:
          // Other control frames, such as SETTINGS, have no effect.
        }
      }
    }
  } finally {
    for (const queue of open.values()) {
      queue.end();
    }
    blocks.close();
  }
}

function streamOf(
  id: number,
  headers: ReadonlyMap<string, string>,
  data: AsyncIterable<Uint8Array>,
  send: SpdyPipe["send"],
  forget: () => void,
): SpdyStream {
  let isEnded = false;
  return {
    headers,
    data,
    write: async (bytes) => {
      if (!isEnded) {
        await send(dataFrame(id, 0, bytes));
      }
    },
    end: async () => {
      if (!isEnded) {
        isEnded = true;
        forget();
        await send(dataFrame(id, lastFlag, Buffer.alloc(0)));
      }
    },
  };
}
