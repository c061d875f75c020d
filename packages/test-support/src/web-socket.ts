import { createRequire } from "node:module";

/** Parts of a WebSocket client that tests use. */
export interface WebSocket extends EventTarget {
  readonly protocol: string;
  binaryType: "arraybuffer" | "blob";
  send(data: Uint8Array): void;
  close(): void;
}

/** The WebSocket of undici, an independent client. It comes from the transport's dependencies. */
const { WebSocket } = createRequire(new URL("../../transport/package.json", import.meta.url))(
  "undici",
) as { WebSocket: new (url: string, options: { protocols: string[] }) => WebSocket };

/** Opens a connection. */
export function openWebSocket(url: string, protocols: string[]): WebSocket {
  return new WebSocket(url, { protocols });
}
