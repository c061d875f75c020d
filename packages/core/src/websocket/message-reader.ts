import {
  closeCodes,
  type Frame,
  opcodes,
  type WebSocketRole,
  WebSocketViolation,
} from "./frame.js";
import { FrameReader } from "./frame-reader.js";

/** A complete message. */
export interface WebSocketMessage {
  readonly kind: "binary" | "text";
  /** The bytes of a text are valid UTF-8. */
  readonly bytes: Buffer;
}

/** Something that the peer sent: a message or a control frame. */
export type WebSocketEvent =
  | { readonly type: "close"; readonly code: number; readonly reason: string }
  | { readonly type: "message"; readonly message: WebSocketMessage }
  | { readonly type: "ping"; readonly bytes: Buffer }
  | { readonly type: "pong"; readonly bytes: Buffer };

/** Fragments of one message: each of them costs memory, even without bytes. */
const maxFragments = 16_384;

/** A message whose fragments arrive. */
interface Unfinished {
  readonly kind: "binary" | "text";
  readonly parts: Buffer[];
  bytes: number;
}

/** Reads the messages and control frames of a peer. Nothing is read after its close frame. */
export class MessageReader {
  readonly #frames: FrameReader;
  readonly #maxBytes: number;
  #unfinished: Unfinished | undefined;
  #isClosed = false;

  /**
   * @param role - the reader's own side.
   * @param maxBytes - maximum of a message.
   */
  constructor(role: WebSocketRole, maxBytes: number) {
    this.#frames = new FrameReader(role, maxBytes);
    this.#maxBytes = maxBytes;
  }

  /**
   * Takes received bytes and returns what they complete.
   *
   * @param onEvent - called with each event, also with those before a violation.
   * @throws {WebSocketViolation} when the bytes violate the protocol or a limit.
   */
  read(chunk: Buffer, onEvent: (event: WebSocketEvent) => void): void {
    if (this.#isClosed) {
      return;
    }
    this.#frames.read(chunk, (frame) => {
      const event = this.#eventOf(frame);
      if (event?.type === "close") {
        this.#isClosed = true;
        this.#frames.stop();
      }
      if (event !== undefined) {
        onEvent(event);
      }
    });
  }

  #eventOf(frame: Frame): WebSocketEvent | undefined {
    switch (frame.opcode) {
      case opcodes.ping:
        return { type: "ping", bytes: frame.payload };
      case opcodes.pong:
        return { type: "pong", bytes: frame.payload };
      case opcodes.close:
        return closeEvent(frame.payload);
      default:
        return this.#messageEvent(frame);
    }
  }

  #messageEvent({ opcode, isLast, payload }: Frame): WebSocketEvent | undefined {
    const isContinued = opcode === opcodes.continuation;
    if (isContinued !== (this.#unfinished !== undefined)) {
      throw new WebSocketViolation(
        closeCodes.protocolError,
        isContinued ? "a fragment continues no message" : "a message begins within another one",
      );
    }
    if (isLast && !isContinued) {
      return messageOf(opcode === opcodes.text ? "text" : "binary", payload);
    }
    const kind = opcode === opcodes.text ? "text" : "binary";
    const message: Unfinished = this.#unfinished ?? { kind, parts: [], bytes: 0 };
    this.#unfinished = message;
    message.bytes += payload.byteLength;
    if (message.bytes > this.#maxBytes || message.parts.length >= maxFragments) {
      throw new WebSocketViolation(
        closeCodes.tooBig,
        `a message has more than ${this.#maxBytes} bytes or ${maxFragments} fragments`,
      );
    }
    message.parts.push(payload);
    if (!isLast) {
      return undefined;
    }
    this.#unfinished = undefined;
    return messageOf(message.kind, Buffer.concat(message.parts));
  }
}

function messageOf(kind: "binary" | "text", bytes: Buffer): WebSocketEvent {
  if (kind === "text") {
    assertUtf8(bytes);
  }
  return { type: "message", message: { kind, bytes } };
}

function closeEvent(payload: Buffer): WebSocketEvent {
  if (payload.byteLength === 0) {
    return { type: "close", code: closeCodes.noStatus, reason: "" };
  }
  const code = payload.byteLength === 1 ? 0 : payload.readUInt16BE(0);
  if (!mayBeSent(code)) {
    throw new WebSocketViolation(closeCodes.protocolError, `a close frame has the code ${code}`);
  }
  return { type: "close", code, reason: assertUtf8(payload.subarray(2)) };
}

/** Returns `true` for the codes that a close frame may have. (RFC 6455 §7.4, IANA's registry) */
function mayBeSent(code: number): boolean {
  return (
    (code >= 1000 && code <= 1014 && code !== 1004 && code !== 1005 && code !== 1006) ||
    (code >= 3000 && code <= 4999)
  );
}

function assertUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new WebSocketViolation(closeCodes.invalidData, "a text is not valid UTF-8");
  }
}
