import { constants } from "node:buffer";
import type { Message } from "../../request/upgrade.js";

/** A violation of RFC 6455, with its close code. */
export class WebSocketProblem extends Error {
  override readonly name = "WebSocketProblem";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const opcodes = {
  0: "continuation",
  1: "text",
  2: "binary",
  8: "close",
  9: "ping",
  10: "pong",
} as const;
type Opcode = (typeof opcodes)[keyof typeof opcodes];
const maxControlBytes = 125;
const [protocolError, invalidData, tooBig] = [1002, 1007, 1009] as const;

interface Head {
  readonly final: boolean;
  readonly kind: Opcode;
  readonly length: number;
  readonly mask: Buffer;
  readonly bytes: number;
}

/**
 * Parses messages from a client's bytes, chunk by chunk.
 *
 * @param maxMessageBytes - maximum size of a message with all its fragments; checked before any of it is buffered.
 */
export function createFrameReader(maxMessageBytes: number): (chunk: Buffer) => Message[] {
  const limit = Math.min(maxMessageBytes, constants.MAX_LENGTH);
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let fragments: Buffer[] = [];
  let fragmentBytes = 0;
  let fragmentKind: "binary" | "text" | undefined;
  let head: Head | undefined;

  const take = (bytes: number): Buffer => {
    const all = waiting.length === 1 ? (waiting[0] ?? Buffer.alloc(0)) : Buffer.concat(waiting);
    waiting = [all.subarray(bytes)];
    waitingBytes -= bytes;
    return all.subarray(0, bytes);
  };

  const message = ({ final, kind, mask }: Head, payload: Buffer): Message | undefined => {
    const bytes = unmasked(payload, mask);
    if (kind === "close" || kind === "ping" || kind === "pong") {
      return { kind, bytes };
    }
    if ((kind === "continuation") === (fragmentKind === undefined)) {
      throw new WebSocketProblem(
        protocolError,
        "a continuation without a first fragment, or a new message inside a fragmented one",
      );
    }
    fragmentKind ??= kind === "text" ? "text" : "binary";
    fragments.push(bytes);
    fragmentBytes += bytes.byteLength;
    if (!final) {
      return undefined;
    }
    const whole: Message = { kind: fragmentKind, bytes: Buffer.concat(fragments) };
    [fragments, fragmentBytes, fragmentKind] = [[], 0, undefined];
    if (whole.kind === "text" && !isUtf8(whole.bytes)) {
      throw new WebSocketProblem(invalidData, "text that is not UTF-8");
    }
    return whole;
  };

  return (chunk) => {
    waiting.push(chunk);
    waitingBytes += chunk.byteLength;
    const messages: Message[] = [];
    for (;;) {
      if (head === undefined) {
        // A frame header has at most 14 bytes, so joining the waiting chunks stays cheap.
        head = readHead(waiting.length === 1 ? chunkOf(waiting) : Buffer.concat(waiting));
        if (head === undefined) {
          return messages;
        }
        assertAllowed(head, limit - fragmentBytes);
        take(head.bytes);
      }
      if (waitingBytes < head.length) {
        return messages;
      }
      const found = message(head, take(head.length));
      head = undefined;
      if (found !== undefined) {
        messages.push(found);
      }
    }
  };
}

function chunkOf([first]: readonly Buffer[]): Buffer {
  return first ?? Buffer.alloc(0);
}

/** Parses a frame header once it is complete. */
function readHead(bytes: Buffer): Head | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) {
    return undefined;
  }
  const kind = opcodes[(first & 0x0f) as keyof typeof opcodes];
  if ((first & 0x70) !== 0 || kind === undefined) {
    throw new WebSocketProblem(protocolError, "reserved bits or an unknown opcode");
  }
  if ((second & 0x80) === 0) {
    throw new WebSocketProblem(protocolError, "an unmasked frame of a client");
  }
  const short = second & 0x7f;
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
  const end = 2 + extended + 4;
  if (bytes.byteLength < end) {
    return undefined;
  }
  const length =
    extended === 0
      ? short
      : extended === 2
        ? bytes.readUInt16BE(2)
        : Number(bytes.readBigUInt64BE(2));
  return {
    final: (first & 0x80) !== 0,
    kind,
    length,
    mask: Buffer.from(bytes.subarray(end - 4, end)),
    bytes: end,
  };
}

function assertAllowed({ final, kind, length }: Head, left: number): void {
  const isControl = kind === "close" || kind === "ping" || kind === "pong";
  if (isControl && (!final || length > maxControlBytes)) {
    throw new WebSocketProblem(protocolError, "a control frame that is too long or fragmented");
  }
  if (!isControl && length > left) {
    throw new WebSocketProblem(tooBig, "a message above the size limit");
  }
}

function unmasked(payload: Buffer, mask: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(payload.byteLength);
  for (let at = 0; at < payload.byteLength; at++) {
    bytes[at] = (payload[at] ?? 0) ^ (mask[at & 3] ?? 0);
  }
  return bytes;
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
