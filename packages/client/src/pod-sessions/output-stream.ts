import { Readable } from "node:stream";

/** Bytes that wait in one stream for their reader, in addition to those of the connection. */
const highWaterMark = 256 * 1024;

/**
 * Output of a process. It can be iterated, piped, or read to its end. The stream fails with the error of its session,
 * and an error of a stream without a reader does not end the program.
 */
export class OutputStream extends Readable {
  #onRoom = () => {};
  #hasRoom = true;

  constructor() {
    super({ highWaterMark });
    this.on("error", () => {});
    this.on("close", () => this.#makeRoom());
  }

  /** Reads to the end and returns the bytes. Stop early by iterating instead: this keeps all of them. */
  async bytes(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this) {
      chunks.push(chunk as Buffer);
    }
    return Buffer.concat(chunks);
  }

  /** Reads to the end and decodes UTF-8, also across chunks. Bytes that are not UTF-8 become U+FFFD. */
  async text(): Promise<string> {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await this.bytes());
  }

  /** @internal Adds bytes. Returns a promise that resolves when there is room for more; `undefined` when there is. */
  deliver(chunk: Buffer): Promise<void> | undefined {
    if (chunk.byteLength === 0 || this.destroyed || this.push(chunk)) {
      return undefined;
    }
    this.#hasRoom = false;
    return new Promise((resolve) => {
      this.#onRoom = resolve;
    });
  }

  /** @internal Drops further output if the stream has no reader, so that the session can go on. */
  discardIfUnread(): void {
    if (!this.#hasRoom && this.readableFlowing === null && this.listenerCount("readable") === 0) {
      this.resume();
    }
  }

  override _read(): void {
    this.#makeRoom();
  }

  #makeRoom(): void {
    this.#hasRoom = true;
    this.#onRoom();
  }
}
