// The protocols of upgraded connections, for libraries that build on them. Semver does not cover this entry point: it may change in any release.

export { chunkOverhead, createFlowQueue, type FlowQueue } from "./spdy/flow-queue.js";
export { SpdySession, type SpdySettings, type SpdyStream } from "./spdy/session.js";
export { encodeClose, encodeFrame, type FrameParts } from "./websocket/encode-frame.js";
export {
  closeCodes,
  type Frame,
  opcodes,
  type WebSocketRole,
  WebSocketViolation,
} from "./websocket/frame.js";
export { FrameReader } from "./websocket/frame-reader.js";
export { newWebSocketKey, webSocketAccept } from "./websocket/handshake.js";
export {
  MessageReader,
  type WebSocketEvent,
  type WebSocketMessage,
} from "./websocket/message-reader.js";
