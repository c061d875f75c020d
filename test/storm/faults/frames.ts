import { concatBytes } from "@typekube/core/internal";

const newline = 10;
const lengthBytes = 4;

/** Cuts the bytes of a watch into its frames, whichever chunks they came in. */
export class FrameCutter {
  readonly #isProtobuf: boolean;
  #rest: Uint8Array = new Uint8Array();

  constructor(contentType: string) {
    this.#isProtobuf = contentType.includes("protobuf");
  }

  /** The frames that are complete now; each is a copy with its framing. */
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

  /** What never became a frame. */
  get rest(): Uint8Array {
    return this.#rest;
  }

  /** Where the first frame ends; 0 when it is not complete. */
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
