import { constants, createDeflate, createInflate, type Deflate, type Inflate } from "node:zlib";
import { spdyDictionary as dictionary } from "./dictionary.js";

/** Maximum inflated size of one stream's headers. */
const maxHeaderBytes = 64 * 1024;

/** Reader and writer of stream headers. The compression state continues from block to block. */
export interface HeaderBlocks {
  /** @throws {Error} for a block that is invalid or too large. */
  read(block: Buffer): Promise<Map<string, string>>;
  /** Encodes a block without headers. */
  empty(): Promise<Buffer>;
  close(): void;
}

/** Creates the header compression of one connection, for both directions. */
export function createHeaderBlocks(): HeaderBlocks {
  const inflate = createInflate({ dictionary, finishFlush: constants.Z_SYNC_FLUSH });
  const deflate = createDeflate({ dictionary });
  return {
    read: async (block) => parse(await through(inflate, block)),
    empty: () => through(deflate, Buffer.alloc(4)),
    close() {
      inflate.close();
      deflate.close();
    },
  };
}

function through(stream: Deflate | Inflate, input: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const end = (finish: () => void) => {
      stream.off("data", take);
      stream.off("error", fail);
      finish();
    };
    const fail = (error: Error) => end(() => reject(error));
    const take = (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes > maxHeaderBytes) {
        stream.close();
        fail(new Error("the headers of a stream are too large"));
        return;
      }
      chunks.push(chunk);
    };
    stream.on("data", take);
    stream.once("error", fail);
    stream.write(input);
    stream.flush(constants.Z_SYNC_FLUSH, () => end(() => resolve(Buffer.concat(chunks))));
  });
}

/** Parses names and values, each preceded by its length. */
function parse(block: Buffer): Map<string, string> {
  let at = 0;
  const number = () => {
    const value = block.readUInt32BE(at);
    at += 4;
    return value;
  };
  const text = () => {
    const length = number();
    if (length > block.byteLength - at) {
      throw new RangeError("a header exceeds its block");
    }
    at += length;
    return block.toString("latin1", at - length, at);
  };
  const headers = new Map<string, string>();
  for (let left = number(); left > 0; left--) {
    headers.set(text().toLowerCase(), text());
  }
  return headers;
}
