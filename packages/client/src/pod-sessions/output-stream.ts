import { Readable } from "node:stream";
import { KubeError } from "@typekube/core";
import { chunkOverhead, createFlowQueue, type FlowQueue } from "@typekube/core/internal/streams";

/** Bytes that wait in one stream for their reader, in addition to those of the connection. */
const highWaterMark = 256 * 1024;

/**
 * Output of a process. It can be iterated, piped, or read to its end. The stream fails with the error of its session,
 * and an error of a stream without a reader does not end the program.
 */
export class OutputStream extends Readable {
  #onRoom = () => {};
  #hasRoom = true;
  #isEnding = false;
  #isDropped = false;
  /** Chunks of the iteration that reads this stream. */
  #chunks: FlowQueue<Buffer> | undefined;

  constructor() {
    super({ highWaterMark });
    this.on("error", () => {});
    this.on("close", () => {
      this.#makeRoom();
      this.#chunks?.end();
    });
  }

  /**
   * Yields the chunks as they came. The iterator of Node joins all chunks that wait, which copies each byte.
   *
   * @throws {KubeError} the error of the session; `InvalidState` for output that was dropped, because the result was
   * awaited before it was read.
   */
  override async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, undefined, undefined> {
    if (this.#isDropped && !this.errored) {
      throw new KubeError("InvalidState", "the output was dropped, since the result was awaited", {
        hint: "read it before the result, or at the same time",
      });
    }
    if (this.#hasNoReader && this.readableEncoding === null && !this.destroyed) {
      yield* this.#untilEnd();
    }
    // Ends the stream, or throws its error.
    yield* super[Symbol.asyncIterator]();
    return undefined;
  }

  /** Reads to the end and returns the bytes. Stop early by iterating instead: this keeps all of them. */
  async bytes(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this) {
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  /** Reads to the end and decodes UTF-8, also across chunks. Bytes that are not UTF-8 become U+FFFD. */
  async text(): Promise<string> {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await this.bytes());
  }

  /** @internal Adds bytes. Returns a promise that resolves when there is room for more; `undefined` when there is. */
  deliver(chunk: Buffer): Promise<void> | undefined {
    if (chunk.byteLength === 0 || this.destroyed) {
      return undefined;
    }
    if (this.#chunks !== undefined) {
      return this.#chunks.push(chunk, chunk.byteLength + chunkOverhead);
    }
    if (this.push(chunk)) {
      return undefined;
    }
    this.#hasRoom = false;
    return new Promise((resolve) => {
      this.#onRoom = resolve;
    });
  }

  /** @internal Drops further output if the stream has no reader, so that the session can go on. */
  discardIfUnread(): void {
    if (!this.#hasRoom && this.#hasNoReader) {
      this.#isDropped = true;
      this.resume();
    }
  }

  /** @internal Adds bytes; `null` is the end. */
  override push(chunk: unknown, encoding?: BufferEncoding): boolean {
    if (chunk === null) {
      this.#isEnding = true;
      this.#chunks?.end();
    }
    return super.push(chunk, encoding);
  }

  override _read(): void {
    this.#makeRoom();
  }

  get #hasNoReader(): boolean {
    return (
      this.#chunks === undefined &&
      this.readableFlowing === null &&
      this.listenerCount("readable") === 0
    );
  }

  /** Yields what waits in the stream, and then what would. */
  async *#untilEnd(): AsyncGenerator<Buffer, void, undefined> {
    const chunks = createFlowQueue<Buffer>(highWaterMark);
    let isEnded = false;
    try {
      const waiting: Buffer | null = this.read();
      this.#chunks = chunks;
      if (this.#isEnding || this.destroyed) {
        chunks.end();
      }
      if (waiting !== null) {
        yield waiting;
      }
      for await (const chunk of chunks) {
        if (this.destroyed) {
          break;
        }
        yield chunk;
      }
      isEnded = true;
    } finally {
      if (!isEnded) {
        this.destroy();
      }
    }
  }

  #makeRoom(): void {
    this.#hasRoom = true;
    this.#onRoom();
  }
}
