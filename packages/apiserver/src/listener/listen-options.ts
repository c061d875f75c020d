import { KubeError } from "@typekube/core";
import { assertKnownOptions, assertOptions, type OptionTable } from "@typekube/core/internal";
import { maxBodyBytes } from "../request/request-body.js";

/** Limits of a listener. Each has a default. */
export interface ListenLimits {
  /** Maximum bytes of a request body; larger ones get 413. Default 3 MiB, like real servers. */
  readonly maxBodyBytes: number;
  /** Maximum bytes of the request line and all headers; larger ones get 431. Default 64 KiB. */
  readonly maxHeaderBytes: number;
  /** Maximum open connections; further ones are closed at once. Default 4,000. */
  readonly maxConnections: number;
  /** Maximum open watches and followed logs; further ones get 429. Default 10,000. */
  readonly maxWatchers: number;
  /** Maximum bytes of a WebSocket message; a longer one ends the connection. Default 4 MiB. */
  readonly maxMessageBytes: number;
  /** Milliseconds until the TLS handshake and the headers of a request must be complete. Default 30,000. */
  readonly headersTimeoutMs: number;
  /**
   * Milliseconds of the server's clock until a request must be complete (otherwise it gets 504) and until the client
   * must have read its response, except for watches and followed logs (otherwise the connection is reset). Default
   * 60,000, like real servers.
   */
  readonly requestTimeoutMs: number;
  /** Milliseconds that a connection may be idle. Default 120,000. */
  readonly idleTimeoutMs: number;
}

/** Default limits. */
export const defaultListenLimits: ListenLimits = {
  maxBodyBytes,
  maxHeaderBytes: 64 * 1024,
  maxConnections: 4_000,
  maxWatchers: 10_000,
  maxMessageBytes: 4 * 1024 * 1024,
  headersTimeoutMs: 30_000,
  requestTimeoutMs: 60_000,
  idleTimeoutMs: 120_000,
};

/** Options of a listener: its address, and the clients that it admits. */
export interface ListenOptions {
  /** Default 0: any free port. */
  readonly port?: number | undefined;
  /** Default 127.0.0.1. An address reachable from other computers also requires {@link allowRemote}. */
  readonly host?: string | undefined;
  /** Allows connections from other computers. Default false. */
  readonly allowRemote?: boolean | undefined;
  /**
   * Serves HTTPS with a generated certificate, which enables HTTP/2 and client certificates. Default true. Over plain
   * HTTP neither this client library nor kubectl sends a token, so disable it only together with {@link anonymous}.
   */
  readonly tls?: boolean | undefined;
  /**
   * Admits requests without credentials as `system:anonymous`. Without RBAC they may do everything. Excluded, unless
   * {@link allowRemote} is set, are requests from web pages of other sites and requests that address this computer by a
   * foreign name. Default false: all of them get 401.
   */
  readonly anonymous?: boolean | undefined;
  /** Bearer token of an administrator, without white space. Default: a random one. */
  readonly token?: string | undefined;
  /** Limits of the listener. Omitted ones have their defaults; see {@link ListenLimits}. */
  readonly limits?: Partial<ListenLimits> | undefined;
}

const listenOptions: OptionTable<ListenOptions> = {
  allowRemote: true,
  anonymous: true,
  host: true,
  limits: true,
  port: true,
  tls: true,
  token: true,
};

/**
 * Validates the options of a listener, so that it admits nothing that was not explicitly requested.
 *
 * @throws {KubeError} `InvalidArgument` for an unknown option, for a host reachable by others without `allowRemote`,
 * and for a token that is empty or contains white space.
 */
export function assertSafe(options: ListenOptions): void {
  assertOptions("a listener", options, listenOptions);
  assertKnownOptions("limits", options.limits ?? {}, defaultListenLimits);
  const { host = "127.0.0.1", allowRemote = false, token } = options;
  if (!isLoopback(host) && !allowRemote) {
    throw new KubeError(
      "InvalidArgument",
      `listening on ${JSON.stringify(host)} would accept connections from other computers`,
      { hint: "set allowRemote: true to allow that" },
    );
  }
  if (token === "") {
    throw new KubeError("InvalidArgument", "the token of a listener must not be empty", {
      hint: "omit it to use a random token",
    });
  }
  if (token !== undefined && /\s/.test(token)) {
    throw new KubeError("InvalidArgument", "the token of a listener must not contain white space");
  }
}

/** Returns whether an address is reachable only from this computer. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
