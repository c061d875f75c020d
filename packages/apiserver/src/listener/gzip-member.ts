import { promisify } from "node:util";
import { constants, crc32, deflateRaw } from "node:zlib";

const deflate = promisify(deflateRaw);

const header = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
/** An empty final deflate block. */
const lastBlock = Uint8Array.of(1, 0, 0, 0xff, 0xff);

/**
 * Compresses content into a complete gzip member that can be decoded before anything follows. Like Go it ends with an
 * empty block: Go's reader holds back the content of the last block until it has read the next member or the end.
 *
 * @param level - from 1 (fastest) to 9.
 */
export async function gzipMember(content: Uint8Array, level: number): Promise<Uint8Array> {
  const options = { level, finishFlush: constants.Z_SYNC_FLUSH };
  const blocks = await deflate(content, options);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(content), 0);
  trailer.writeUInt32LE(content.byteLength % 0x1_0000_0000, 4);
  return Buffer.concat([header, blocks, lastBlock, trailer]);
}
