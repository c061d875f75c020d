import { constants, createDeflate, createInflate, type Deflate, type Inflate } from "node:zlib";
import { spdyDictionary as dictionary } from "./dictionary.js";

/** Maximum inflated size of one stream's headers. */
const maxHeaderBytes = 64 * 1024;

/** Headers of a stream; their names are in lower case. */
export type SpdyHeaders = ReadonlyMap<string, string>;

/** Reader and writer of stream headers. The compression state continues from block to block. */
export interface HeaderBlocks {
  /** @throws {Error} for a block that is invalid or too large. */
  read(block: Buffer): Promise<SpdyHeaders>;
  write(headers: SpdyHeaders): Promise<Buffer>;
  close(): void;
}

/** Creates the header compression of one connection, for both directions. Blocks must be passed in their order. */
export function createHeaderBlocks(): HeaderBlocks {
  const inflate = createInflate({ dictionary, finishFlush: constants.Z_SYNC_FLUSH });
  const deflate = createDeflate({ dictionary });
  const reading = inTurn(inflate);
  const writing = inTurn(deflate);
  return {
    read: async (block) => parse(await reading(block)),
    write: (headers) => writing(encode(headers)),
    close() {
      inflate.close();
      deflate.close();
    },
  };
}

/** Sends blocks through a compressor one after the other: the output of two must not mix. */
function inTurn(stream: Deflate | Inflate): (block: Buffer) => Promise<Buffer> {
  let last: Promise<unknown> = Promise.resolve();
  return (block) => {
    const result = last.then(() => through(stream, block));
    last = result.catch(() => {});
    return result;
  };
}

function through(stream: Deflate | Inflate, input: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const end = (finish: () => void) => {
      stream.off("data", take);
      stream.off("error", fail);
      stream.off("close", closed);
      finish();
    };
    const fail = (error: Error) => end(() => reject(error));
    const closed = () => fail(new Error("the connection is closed"));
    const take = (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes > maxHeaderBytes) {
        end(() => reject(new Error("the headers of a stream are too large")));
        stream.close();
        return;
      }
      chunks.push(chunk);
    };
    if (stream.destroyed) {
      reject(new Error("the connection is closed"));
      return;
    }
    stream.on("data", take);
    stream.once("error", fail);
    stream.once("close", closed);
    stream.write(input);
    stream.flush(constants.Z_SYNC_FLUSH, () => end(() => resolve(Buffer.concat(chunks))));
  });
}

/** Encodes names and values, each preceded by its length. */
function encode(headers: SpdyHeaders): Buffer {
  const number = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  const texts = [...headers].flatMap(([name, value]) => [name.toLowerCase(), value]);
  return Buffer.concat([
    number(headers.size),
    ...texts.flatMap((text) => {
      const bytes = Buffer.from(text, "latin1");
      return [number(bytes.byteLength), bytes];
    }),
  ]);
}

function parse(block: Buffer): SpdyHeaders {
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
