/** A SPDY/3.1 frame: stream data, or control of a stream or the connection. */
export interface SpdyFrame {
  /** 0 for data frames, otherwise the control frame type. */
  readonly type: number;
  readonly flags: number;
  /** Stream ID of data frames. */
  readonly stream: number;
  readonly payload: Buffer;
}

/** Types of the control frames that the server handles. */
export const frameType = { data: 0, open: 1, reply: 2, reset: 3, ping: 6, goAway: 7 } as const;
/** Flag FIN: the sender's last frame of the stream. */
export const lastFlag = 1;

/** Splits incoming bytes into frames. A frame longer than allowed is rejected before it is buffered. */
export function createSpdyReader(maxFrameBytes: number): (chunk: Buffer) => SpdyFrame[] {
  let waiting: Buffer = Buffer.alloc(0);
  return (chunk) => {
    waiting = waiting.byteLength === 0 ? chunk : Buffer.concat([waiting, chunk]);
    const frames: SpdyFrame[] = [];
    while (waiting.byteLength >= 8) {
      const first = waiting.readUInt32BE(0);
      const length = waiting.readUIntBE(5, 3);
      const isControl = first >= 0x8000_0000;
      if (length > maxFrameBytes) {
        throw new Error("a frame is longer than allowed");
      }
      if (isControl && ((first >>> 16) & 0x7fff) !== 3) {
        throw new Error("a control frame has an unsupported version");
      }
      if (waiting.byteLength < 8 + length) {
        break;
      }
      frames.push({
        type: isControl ? first & 0xffff : frameType.data,
        flags: waiting[4] ?? 0,
        stream: isControl ? 0 : first,
        payload: waiting.subarray(8, 8 + length),
      });
      waiting = waiting.subarray(8 + length);
    }
    return frames;
  };
}

/** Encodes a control frame. */
export function controlFrame(type: number, flags: number, payload: Uint8Array): Buffer {
  return frame(0x8003_0000 + type, flags, payload);
}

/** Encodes a data frame. */
export function dataFrame(stream: number, flags: number, payload: Uint8Array): Buffer {
  return frame(stream, flags, payload);
}

/** Encodes numbers as four bytes each. */
export function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => {
    bytes.writeUInt32BE(value, at * 4);
  });
  return bytes;
}

function frame(first: number, flags: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(first, 0);
  head[4] = flags;
  head.writeUIntBE(payload.byteLength, 5, 3);
  return Buffer.concat([head, payload]);
}
