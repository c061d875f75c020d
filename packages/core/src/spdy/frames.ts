/** A SPDY/3.1 frame: stream data, or control of a stream or the connection. */
export interface SpdyFrame {
  /** 0 for data frames, otherwise the type of a control frame. */
  readonly type: number;
  readonly flags: number;
  /** Stream ID of data frames. */
  readonly stream: number;
  readonly payload: Buffer;
}

/** Types of frames. (draft-mbelshe-httpbis-spdy-00, 2.6) */
export const frameTypes = {
  data: 0,
  open: 1,
  reply: 2,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  headers: 8,
} as const;

/** Flag FIN: the sender's last frame of the stream. */
export const lastFlag = 1;

const headBytes = 8;

/** A data frame and the bytes of it that are left. */
interface DataFrame {
  readonly stream: number;
  readonly flags: number;
  left: number;
}

/** Splits incoming bytes into frames. A data frame that arrives in parts becomes several, so that nothing is copied. */
export class SpdyFrameReader {
  readonly #maxBytes: number;
  #waiting: Buffer[] = [];
  #bytes = 0;
  /** The data frame whose bytes arrive. */
  #data: DataFrame | undefined;

  /** @param maxBytes - maximum of a frame's payload. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Takes received bytes and returns the frames that they complete, and the parts of data frames.
   *
   * @throws {Error} for a frame of another protocol, or one that is longer than allowed: before it is kept.
   */
  read(chunk: Buffer): SpdyFrame[] {
    if (chunk.byteLength > 0) {
      this.#waiting.push(chunk);
      this.#bytes += chunk.byteLength;
    }
    const frames: SpdyFrame[] = [];
    for (let frame = this.#next(); frame !== undefined; frame = this.#next()) {
      frames.push(frame);
    }
    return frames;
  }

  #next(): SpdyFrame | undefined {
    if (this.#data === undefined) {
      if (this.#bytes < headBytes) {
        return undefined;
      }
      const start = this.#start(headBytes);
      const length = start.readUIntBE(5, 3);
      const first = start.readUInt32BE(0);
      const flags = start[4] ?? 0;
      const isControl = first >= 0x8000_0000;
      if (length > this.#maxBytes) {
        throw new Error(`a frame has ${length} bytes, more than ${this.#maxBytes}`);
      }
      if (isControl && ((first >>> 16) & 0x7fff) !== 3) {
        throw new Error("a control frame has a version other than 3");
      }
      if (isControl) {
        return this.#bytes < headBytes + length
          ? undefined
          : {
              type: first & 0xffff,
              flags,
              stream: 0,
              payload: this.#take(headBytes + length).subarray(headBytes),
            };
      }
      this.#take(headBytes);
      this.#data = { stream: first, flags, left: length };
    }
    return this.#nextOfData(this.#data);
  }

  /** Returns what has arrived of a data frame. Its flags are those of its last part. */
  #nextOfData(data: DataFrame): SpdyFrame | undefined {
    const { stream, flags, left } = data;
    const first = this.#waiting[0]?.byteLength ?? 0;
    if (left > 0 && first === 0) {
      return undefined;
    }
    const payload = left === 0 ? Buffer.alloc(0) : this.#take(Math.min(left, first));
    data.left -= payload.byteLength;
    if (data.left > 0) {
      return { type: frameTypes.data, flags: 0, stream, payload };
    }
    this.#data = undefined;
    return { type: frameTypes.data, flags, stream, payload };
  }

  /** Returns a buffer that begins with the first bytes. Joins chunks only when they are spread over several. */
  #start(count: number): Buffer {
    const [first] = this.#waiting;
    if (first !== undefined && first.byteLength >= count) {
      return first;
    }
    const joined = Buffer.concat(this.#waiting);
    this.#waiting = [joined];
    return joined;
  }

  /** Removes the first bytes. */
  #take(count: number): Buffer {
    const start = this.#start(count);
    this.#bytes -= count;
    if (start.byteLength === count) {
      this.#waiting.shift();
    } else {
      this.#waiting[0] = start.subarray(count);
    }
    return start.subarray(0, count);
  }
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
  const bytes = Buffer.allocUnsafe(headBytes + payload.byteLength);
  bytes.writeUInt32BE(first, 0);
  bytes[4] = flags;
  bytes.writeUIntBE(payload.byteLength, 5, 3);
  bytes.set(payload, headBytes);
  return bytes;
}
