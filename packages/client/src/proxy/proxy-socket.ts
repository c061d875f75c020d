import { KubeError } from "@typekube/core";
import { closeCodes } from "@typekube/core/internal/streams";
import { keepAlive, openWebSocket, type WebSocketConnection } from "@typekube/transport/internal";
import { errorOptions } from "../request/call-context.js";
import { backendHeaders } from "./backend-headers.js";
import { backendPath } from "./backend-path.js";
import { type ProxyRoute, signalOf, userHeaders } from "./proxy-call.js";
import type { ProxyConnectOptions } from "./proxy-options.js";

/** Milliseconds between two pings. */
const pingMs = 5_000;
/** Milliseconds without a byte from the other side after which the connection counts as lost. */
const silentMs = 61_000;

/** Opens a WebSocket to a backend. See `HttpProxy.connect`. */
export async function connectSocket(
  route: ProxyRoute,
  path: string,
  protocols: readonly string[],
  { headers = {}, signal }: ProxyConnectOptions,
): Promise<ProxySocket> {
  const { context, base, options } = route;
  const connection = await openWebSocket(context.send, {
    path: base + backendPath(path),
    headers: { ...backendHeaders(Object.entries(headers)), ...userHeaders(route) },
    protocols,
    signal: signalOf(signal),
    timeoutMs: options.timeoutMs ?? context.defaults.timeoutMs,
    errors: errorOptions(context),
  });
  keepAlive(connection, { clock: context.clock, pingMs, silentMs });
  return new ProxySocket(connection);
}

/** How a WebSocket ended. */
export interface ProxySocketEnd {
  /** Code of the close frame; 1005 when it had none. */
  readonly code: number;
  readonly reason: string;
}

/** A WebSocket to a backend. Iterating yields its messages: a string for a text, a Buffer for a binary one. */
export class ProxySocket implements AsyncDisposable, AsyncIterable<Buffer | string> {
  readonly #connection: WebSocketConnection;

  /** @param connection - the open connection. */
  constructor(connection: WebSocketConnection) {
    this.#connection = connection;
  }

  /** The subprotocol that the backend selected; empty for none. */
  get protocol(): string {
    return this.#connection.protocol;
  }

  /**
   * Resolves with the close frame that ended the connection.
   *
   * @throws {KubeError} when it ended without one.
   */
  get ended(): Promise<ProxySocketEnd> {
    return this.#connection.ended.then(({ code, reason, error }) => {
      if (error !== undefined || code === closeCodes.abnormal) {
        throw lost(error);
      }
      return { code, reason };
    });
  }

  /** Sends a text or a binary message; resolves when the connection can take more. Dropped once it is closed. */
  send(message: Uint8Array | string): Promise<void> {
    return typeof message === "string"
      ? this.#connection.send(Buffer.from(message), { kind: "text" })
      : this.#connection.send(message);
  }

  /** Closes the connection with a code and a reason. Default: 1000. */
  close(code?: number, reason?: string): void {
    this.#connection.close(code, reason);
  }

  /**
   * Iterates over the messages until the backend closes the connection. Ending the loop closes it. The
   * backend has to wait once a megabyte is unread.
   *
   * @throws {KubeError} when the connection is lost.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer | string, void, undefined> {
    for await (const { kind, bytes } of this.#connection.messages()) {
      yield kind === "text" ? bytes.toString("utf8") : bytes;
    }
    await this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }
}

function lost(error: unknown): unknown {
  return error instanceof Error
    ? KubeError.from(error)
    : new KubeError("ConnectionClosed", "the WebSocket ended without a close frame");
}
