/** A frame of SPDY/3.1: data of a stream, or a word about streams or the connection. */
export interface SpdyFrame {
  /** 0: data. */
  readonly type: number;
  readonly flags: number;
  /** Of data frames. */
  readonly stream: number;
  readonly payload: Buffer;
}

/** The kinds of control frames that mean something here. */
export const frameType = { data: 0, open: 1, reply: 2, reset: 3, ping: 6, goAway: 7 } as const;
/** Nothing more comes from this side of the stream. */
export const lastFlag = 1;

/** Cuts what arrives into frames; a frame that is longer than allowed is refused before its bytes are kept. */
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

/** A control frame. */
export function controlFrame(type: number, flags: number, payload: Uint8Array): Buffer {
  return frame(0x8003_0000 + type, flags, payload);
}

/** Data of a stream. */
export function dataFrame(stream: number, flags: number, payload: Uint8Array): Buffer {
  return frame(stream, flags, payload);
}

/** Numbers of four bytes each. */
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
