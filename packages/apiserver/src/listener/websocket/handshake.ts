import type { IncomingMessage } from "node:http";
import { webSocketAccept } from "@typekube/core/internal/streams";
import type { HandshakeRefusal } from "../../request/upgrade.js";

/** A client's WebSocket handshake. */
export interface Handshake {
  readonly key: string;
  /** Subprotocols offered by the client, in order of preference. */
  readonly protocols: readonly string[];
  /** Response to a faulty handshake; absent for a valid one. */
  readonly refusal?: HandshakeRefusal | undefined;
}

/** Reads the WebSocket handshake of a request; `undefined` without a valid one. */
export function readHandshake({
  method,
  headers,
}: Pick<IncomingMessage, "headers" | "method">): Handshake | undefined {
  const key = headers["sec-websocket-key"] ?? "";
  const isRequest =
    wantsWebSocket({ method, headers }) &&
    headers["sec-websocket-version"] === "13" &&
    /^[A-Za-z0-9+/]{22}==$/.test(key);
  return isRequest ? { key, protocols: words(headers["sec-websocket-protocol"]) } : undefined;
}

const bearerProtocol = "base64url.bearer.authorization.k8s.io.";

/**
 * Reads the handshake of a watch like golang.org/x/net's `websocket` package: it accepts any single subprotocol,
 * requires an `Origin` and rejects a faulty handshake only after the watch request itself is valid. The subprotocol
 * that carries a token can't be selected.
 */
export function readWatchHandshake({
  method,
  headers,
}: Pick<IncomingMessage, "headers" | "method">): Handshake | undefined {
  if (!wantsWebSocket({ method, headers })) {
    return undefined;
  }
  const { origin, "sec-websocket-key": key = "", "sec-websocket-version": version } = headers;
  const protocols = words(headers["sec-websocket-protocol"]).filter(
    (word) => !word.startsWith(bearerProtocol),
  );
  const refused = (status: 400 | 403, text = "", more = {}) => ({
    key,
    protocols,
    refusal: { status, text, headers: more },
  });
  if (key === "") {
    return refused(400, "mismatch challenge/response");
  }
  if (version !== "13") {
    const supported = { "sec-websocket-version": "13" };
    return refused(400, "missing or bad WebSocket Version", supported);
  }
  if (origin === undefined || (!origin.startsWith("/") && !URL.canParse(origin))) {
    return refused(403);
  }
  return protocols.length > 1 ? refused(400) : { key, protocols };
}

function wantsWebSocket({ method, headers }: Pick<IncomingMessage, "headers" | "method">): boolean {
  return (
    method === "GET" &&
    headers["upgrade"]?.toLowerCase() === "websocket" &&
    words(headers["connection"]).some((word) => word.toLowerCase() === "upgrade")
  );
}

/** Returns the status line and the headers of the response that accepts a WebSocket. */
export function acceptLines(
  { key }: Pick<Handshake, "key">,
  protocol: string | undefined,
): string[] {
  return [
    "HTTP/1.1 101 Switching Protocols",
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Accept: ${webSocketAccept(key)}`,
    ...(protocol === undefined ? [] : [`Sec-WebSocket-Protocol: ${protocol}`]),
  ];
}

function words(header: string | undefined): string[] {
  return (header ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}
