import { encodeFrame, opcodes } from "@typekube/core/internal/streams";
import type { ServerSocket } from "./server-socket.js";

/** Bytes per frame: an API server copies with buffers of this size. (Go, `io.Copy`) */
const frameBytes = 32 * 1024;
/** Bytes of a burst, whose frames are made once and sent repeatedly. */
const burstBytes = 16 * frameBytes;
/** Bytes of the first message of a burst that the others are shifted by. */
const shift = 1_000;

const pattern = Buffer.alloc(burstBytes, "a line of output, as a program writes it\n");

/** Makes frames that carry a number of bytes, at most those of a burst. */
type MakeFrames = (bytes: number) => Buffer;

/** Returns frames of a channel. */
export function channelFrames(channel: number): MakeFrames {
  return (bytes) =>
    Buffer.concat(
      piecesOf(pattern.subarray(0, bytes), frameBytes).map((payload) =>
        encodeFrame("server", { opcode: opcodes.binary, payload, channel }),
      ),
    );
}

/**
 * Returns data frames of a SPDY stream, in messages. The messages of an API server are the pieces in which it read the
 * node's bytes, so that they do not begin where frames do.
 */
export function spdyFrames(stream: number): MakeFrames {
  return (bytes) => {
    const frames = Buffer.concat(
      piecesOf(pattern.subarray(0, bytes), frameBytes).flatMap((payload) => {
        const head = Buffer.alloc(8);
        head.writeUInt32BE(stream, 0);
        head.writeUIntBE(payload.byteLength, 5, 3);
        return [head, payload];
      }),
    );
    const messages = [
      frames.subarray(0, shift),
      ...piecesOf(frames.subarray(shift), frameBytes),
    ].filter(({ byteLength }) => byteLength > 0);
    return Buffer.concat(
      messages.map((payload) => encodeFrame("server", { opcode: opcodes.binary, payload })),
    );
  };
}

/** Sends a number of bytes in frames that were made in advance, as fast as the client reads. */
export async function flood(
  socket: ServerSocket,
  frames: MakeFrames,
  bytes: number,
): Promise<void> {
  const burst = frames(Math.min(bytes, burstBytes));
  let left = bytes;
  for (; left >= burstBytes; left -= burstBytes) {
    await socket.write(burst);
  }
  if (left > 0) {
    await socket.write(frames(left));
  }
}

function piecesOf(bytes: Buffer, size: number): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.byteLength; at += size) {
    pieces.push(bytes.subarray(at, at + size));
  }
  return pieces;
}
