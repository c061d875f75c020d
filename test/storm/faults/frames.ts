import { concatBytes } from "@typekube/core/internal";

const newline = 10;
const lengthBytes = 4;

/** Splits the bytes of a watch into frames, whatever their chunks. */
export class FrameCutter {
  readonly #isProtobuf: boolean;
  #rest: Uint8Array = new Uint8Array();

  constructor(contentType: string) {
    this.#isProtobuf = contentType.includes("protobuf");
  }

  /** Returns the frames that are now complete; each is a copy with its framing. */
  push(chunk: Uint8Array): Uint8Array[] {
    const frames: Uint8Array[] = [];
    let bytes = this.#rest.length === 0 ? chunk : concatBytes([this.#rest, chunk]);
    for (let end = this.#end(bytes); end > 0; end = this.#end(bytes)) {
      frames.push(bytes.slice(0, end));
      bytes = bytes.subarray(end);
    }
    this.#rest = bytes.slice();
    return frames;
  }

  /** Bytes after the last complete frame. */
  get rest(): Uint8Array {
    return this.#rest;
  }

  /** Returns the end of the first frame; 0 when it is incomplete. */
  #end(bytes: Uint8Array): number {
    if (!this.#isProtobuf) {
      return bytes.indexOf(newline) + 1;
    }
    if (bytes.length < lengthBytes) {
      return 0;
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const end = lengthBytes + view.getUint32(0);
    return end <= bytes.length ? end : 0;
  }
}
