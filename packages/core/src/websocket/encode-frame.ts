import { maxControlBytes, opcodes, type WebSocketRole } from "./frame.js";
import { copyMasked } from "./mask.js";

/** A frame to encode. */
export interface FrameParts {
  /** One of the opcodes. */
  readonly opcode: number;
  readonly payload: Uint8Array;
  /** Byte in front of the payload: the channel number of Kubernetes' channel protocols. Default: none. */
  readonly channel?: number | undefined;
  /** `false` when more frames of the message follow. Default true. */
  readonly isLast?: boolean | undefined;
}

/** Masking keys that are drawn at once: a call of the random source costs more than masking a small frame. */
const keysPerDraw = 256;
const keyPool = new Uint8Array(4 * keysPerDraw);
let nextKey = keyPool.byteLength;

/** Encodes a frame. A client's is masked with a random key. */
export function encodeFrame(role: WebSocketRole, parts: FrameParts): Buffer {
  const { opcode, payload, channel, isLast = true } = parts;
  const prefix = channel === undefined ? 0 : 1;
  const length = payload.byteLength + prefix;
  const isMasked = role === "client";
  const lengthBytes = length < 126 ? 0 : length < 0x1_0000 ? 2 : 8;
  const headBytes = 2 + lengthBytes + (isMasked ? 4 : 0);
  const frame = Buffer.allocUnsafe(headBytes + length);
  frame[0] = (isLast ? 0x80 : 0) | opcode;
  const maskBit = isMasked ? 0x80 : 0;
  if (lengthBytes === 0) {
    frame[1] = maskBit | length;
  } else if (lengthBytes === 2) {
    frame[1] = maskBit | 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = maskBit | 127;
    frame.writeUInt32BE(Math.floor(length / 2 ** 32), 2);
    frame.writeUInt32BE(length >>> 0, 6);
  }
  if (!isMasked) {
    if (channel !== undefined) {
      frame[headBytes] = channel;
    }
    frame.set(payload, headBytes + prefix);
    return frame;
  }
  const key = drawKey();
  frame.set(key, headBytes - 4);
  if (channel !== undefined) {
    frame[headBytes] = channel ^ (key[0] as number);
  }
  copyMasked(payload, frame, headBytes + prefix, key, prefix);
  return frame;
}

/** Encodes a close frame. A reason that is too long is cut. */
export function encodeClose(role: WebSocketRole, code: number, reason = ""): Buffer {
  const payload = Buffer.alloc(maxControlBytes);
  payload.writeUInt16BE(code, 0);
  // `write` leaves out a character that does not fit.
  const written = payload.write(reason, 2, "utf8");
  return encodeFrame(role, { opcode: opcodes.close, payload: payload.subarray(0, 2 + written) });
}

function drawKey(): Uint8Array {
  if (nextKey === keyPool.byteLength) {
    crypto.getRandomValues(keyPool);
    nextKey = 0;
  }
  nextKey += 4;
  return keyPool.subarray(nextKey - 4, nextKey);
}
