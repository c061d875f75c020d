/** Opcodes of frames. (RFC 6455 §11.8) */
export const opcodes = {
  continuation: 0x0,
  text: 0x1,
  binary: 0x2,
  close: 0x8,
  ping: 0x9,
  pong: 0xa,
} as const;

/** One frame of a WebSocket, its payload unmasked. */
export interface Frame {
  /** One of {@link opcodes}. */
  readonly opcode: number;
  /** `true` for the last frame of a message, and for every control frame. */
  readonly isLast: boolean;
  readonly payload: Buffer;
}

/** Close codes. (RFC 6455 §7.4.1) */
export const closeCodes = {
  normal: 1000,
  goingAway: 1001,
  protocolError: 1002,
  unsupportedData: 1003,
  /** Never sent: stands for a close frame without a code. */
  noStatus: 1005,
  /** Never sent: stands for a connection that ended without a close frame. */
  abnormal: 1006,
  invalidData: 1007,
  tooBig: 1009,
  internalError: 1011,
} as const;

/** Maximum bytes of a control frame's payload. (RFC 6455 §5.5) */
export const maxControlBytes = 125;

/** Which side of a connection reads or writes: clients mask their frames, servers must not. (RFC 6455 §5.1) */
export type WebSocketRole = "client" | "server";

/** A violation of the protocol by the peer, with the code to close the connection with. */
export class WebSocketViolation extends Error {
  readonly closeCode: number;

  constructor(closeCode: number, message: string) {
    super(message);
    this.name = "WebSocketViolation";
    this.closeCode = closeCode;
  }
}
