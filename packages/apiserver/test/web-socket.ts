import { createRequire } from "node:module";

/** As much of a WebSocket client as tests use. */
export interface WebSocket extends EventTarget {
  readonly protocol: string;
  binaryType: "arraybuffer" | "blob";
  send(data: Uint8Array): void;
  close(): void;
}

/** The WebSocket of undici: a client that somebody else wrote. It belongs to the transport's dependencies. */
const { WebSocket } = createRequire(new URL("../../transport/package.json", import.meta.url))(
  "undici",
) as { WebSocket: new (url: string, options: { protocols: string[] }) => WebSocket };

/** Opens a connection. */
export function openWebSocket(url: string, protocols: string[]): WebSocket {
  return new WebSocket(url, { protocols });
}
