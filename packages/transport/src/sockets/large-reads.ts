import type { OnReadOpts, Socket } from "node:net";

/** Bytes of the block that a socket reads into: the first, and the largest for a socket that fills its blocks. */
const blockBytes = { first: 16 * 1024, largest: 256 * 1024 } as const;
/** Factor by which a block that was filled at once is smaller than the next one. */
const growth = 4;
/** A block with less room than this is not read into again. */
const leastRoom = 4 * 1024;

/** Other runtimes manage the memory of sockets in their own way. */
const isNode: boolean =
  process.versions["bun"] === undefined && process.versions["deno"] === undefined;

/**
 * Returns options of `net.connect` and `tls.connect` for sockets that may receive much. Node otherwise allocates 64 KiB
 * for each read, and the frames of a WebSocket are spread over two reads half of the time. The sockets emit `data` as
 * usual, but `read()` has nothing for them.
 */
export function largeReads(): { readonly onread?: OnReadOpts } {
  return isNode ? { onread: readIntoBlocks() } : {};
}

function readIntoBlocks(): OnReadOpts {
  /** Memory for the next read of a socket: Node asks for it right after the callback. */
  let next: Uint8Array | undefined;
  return {
    buffer() {
      const memory = next ?? Buffer.allocUnsafeSlow(blockBytes.first);
      next = undefined;
      return memory;
    },
    callback(this: Socket, count: number, memory: Uint8Array): boolean {
      const { buffer, byteOffset, byteLength } = memory;
      this.emit("data", Buffer.from(buffer, byteOffset, count));
      const isFilled = count === byteLength;
      if (byteLength - count >= leastRoom) {
        next = memory.subarray(count);
      } else {
        const size = isFilled ? buffer.byteLength * growth : buffer.byteLength;
        next = Buffer.allocUnsafeSlow(Math.min(size, blockBytes.largest));
      }
      return true;
    },
  };
}
