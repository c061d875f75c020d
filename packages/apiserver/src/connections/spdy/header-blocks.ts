import { constants, createDeflate, createInflate, type Deflate, type Inflate } from "node:zlib";
import { spdyDictionary as dictionary } from "./dictionary.js";

/** What the headers of one stream may have once they are inflated. */
const maxHeaderBytes = 64 * 1024;

/** Headers of streams; the compression of one block builds on those before it. */
export interface HeaderBlocks {
  /** @throws {Error} for what cannot be read or is too large. */
  read(block: Buffer): Promise<Map<string, string>>;
  /** A block of no headers. */
  empty(): Promise<Buffer>;
  close(): void;
}

/** Creates the compression of one connection, in both directions. */
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

/** Names and values, each with its length before it. */
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
