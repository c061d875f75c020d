/** Encodes a frame of the server: a complete message, never masked. */
export function writeFrame(
  kind: "binary" | "close" | "ping" | "pong" | "text",
  payload: Uint8Array,
): Buffer {
  const opcode = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 }[kind];
  const length = payload.byteLength;
  const extended = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const frame = Buffer.allocUnsafe(2 + extended + length);
  frame[0] = 0x80 | opcode;
  if (extended === 0) {
    frame[1] = length;
  } else if (extended === 2) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.set(payload, 2 + extended);
  return frame;
}

/** Encodes the payload of a close frame. The reason is truncated to the maximum size. */
export function closePayload(code: number, reason: string): Buffer {
  const text = Buffer.from(reason, "utf8").subarray(0, 123);
  const payload = Buffer.allocUnsafe(2 + text.byteLength);
  payload.writeUInt16BE(code, 0);
  payload.set(text, 2);
  return payload;
}
