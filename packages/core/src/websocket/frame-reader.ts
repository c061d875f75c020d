import {
  closeCodes,
  type Frame,
  maxControlBytes,
  opcodes,
  type WebSocketRole,
  WebSocketViolation,
} from "./frame.js";
import { copyMasked } from "./mask.js";

/** Chunks that are joined into one: each costs memory, even if it has a single byte. */
const manyChunks = 1_024;

const knownOpcodes: ReadonlySet<number> = new Set(Object.values(opcodes));

/** The head of a frame whose payload arrives. */
interface Head {
  readonly opcode: number;
  readonly isLast: boolean;
  readonly length: number;
  readonly key: Uint8Array | undefined;
}

/**
 * Splits received bytes into frames and checks each one's head before its payload is kept. (RFC 6455 §5.2)
 */
export class FrameReader {
  readonly #role: WebSocketRole;
  readonly #maxBytes: number;
  /** Bytes that belong to no complete head or payload yet. */
  #chunks: Buffer[] = [];
  /** Number of chunks at the start that were joined before. */
  #joinedChunks = 0;
  #waiting = 0;
  #head: Head | undefined;
  #isStopped = false;

  /**
   * @param role - the reader's own side.
   * @param maxBytes - maximum of a frame's payload.
   */
  constructor(role: WebSocketRole, maxBytes: number) {
    this.#role = role;
    this.#maxBytes = maxBytes;
  }

  /**
   * Takes received bytes. A client's frames are unmasked in place.
   *
   * @param onFrame - called with each frame that the bytes complete, also with those before a violation.
   * @throws {WebSocketViolation} for an invalid head, or a payload that is too long.
   */
  read(chunk: Buffer, onFrame: (frame: Frame) => void): void {
    this.#keep(chunk);
    while (!this.#isStopped) {
      this.#head ??= this.#readHead();
      if (this.#head === undefined || this.#waiting < this.#head.length) {
        return;
      }
      const { opcode, isLast, length, key } = this.#head;
      const payload = this.#take(length);
      if (key !== undefined) {
        copyMasked(payload, payload, 0, key);
      }
      this.#head = undefined;
      onFrame({ opcode, isLast, payload });
    }
  }

  /** Reads nothing any more, also of the chunk that is being read. */
  stop(): void {
    this.#isStopped = true;
    this.#chunks = [];
    this.#waiting = 0;
  }

  #readHead(): Head | undefined {
    if (this.#waiting < 2) {
      return undefined;
    }
    const start = this.#peek(2);
    const short = (start[1] as number) & 0x7f;
    const isMasked = ((start[1] as number) & 0x80) !== 0;
    this.#check(start[0] as number, short, isMasked);
    const lengthBytes = short < 126 ? 0 : short === 126 ? 2 : 8;
    const headBytes = 2 + lengthBytes + (isMasked ? 4 : 0);
    if (this.#waiting < headBytes) {
      return undefined;
    }
    const head = this.#take(headBytes);
    const length =
      lengthBytes === 0
        ? short
        : lengthBytes === 2
          ? head.readUInt16BE(2)
          : head.readUInt32BE(2) * 2 ** 32 + head.readUInt32BE(6);
    if (length > this.#maxBytes) {
      throw new WebSocketViolation(
        closeCodes.tooBig,
        `a frame has ${length} bytes, more than ${this.#maxBytes}`,
      );
    }
    return {
      opcode: (head[0] as number) & 0x0f,
      isLast: ((head[0] as number) & 0x80) !== 0,
      length,
      key: isMasked ? Buffer.from(head.subarray(headBytes - 4)) : undefined,
    };
  }

  #check(first: number, short: number, isMasked: boolean): void {
    const opcode = first & 0x0f;
    if ((first & 0x70) !== 0) {
      throw violation("a frame has a reserved bit");
    }
    if (!knownOpcodes.has(opcode)) {
      throw violation(`a frame has the unknown opcode ${opcode}`);
    }
    if (opcode >= opcodes.close && ((first & 0x80) === 0 || short > maxControlBytes)) {
      throw violation("a control frame is fragmented or longer than 125 bytes");
    }
    if (isMasked !== (this.#role === "server")) {
      throw violation(
        isMasked ? "a frame of a server is masked" : "a client's frame is not masked",
      );
    }
  }

  #keep(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#waiting += chunk.byteLength;
    if (this.#chunks.length - this.#joinedChunks === manyChunks) {
      this.#chunks.push(Buffer.concat(this.#chunks.splice(this.#joinedChunks)));
      this.#joinedChunks += 1;
    }
  }

  /** Returns the first bytes without removing them. */
  #peek(count: number): Buffer {
    const [first] = this.#chunks;
    return first !== undefined && first.byteLength >= count
      ? first
      : Buffer.concat(this.#chunks, count);
  }

  /** Removes the first bytes. Only those that are spread over several chunks are copied. */
  #take(count: number): Buffer {
    const [first] = this.#chunks;
    this.#waiting -= count;
    if (first !== undefined && first.byteLength > count) {
      this.#chunks[0] = first.subarray(count);
      return first.subarray(0, count);
    }
    if (first?.byteLength === count) {
      this.#dropFirst();
      return first;
    }
    const whole = Buffer.allocUnsafe(count);
    for (let filled = 0; filled < count; ) {
      const chunk = this.#chunks[0] as Buffer;
      const copied = chunk.copy(whole, filled);
      filled += copied;
      if (copied === chunk.byteLength) {
        this.#dropFirst();
      } else {
        this.#chunks[0] = chunk.subarray(copied);
      }
    }
    return whole;
  }

  #dropFirst(): void {
    this.#chunks.shift();
    this.#joinedChunks = Math.max(0, this.#joinedChunks - 1);
  }
}

function violation(message: string): WebSocketViolation {
  return new WebSocketViolation(closeCodes.protocolError, message);
}
