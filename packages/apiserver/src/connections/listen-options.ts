import { KubeError } from "@typekube/core";
import { assertKnownOptions, type OptionNames } from "@typekube/core/internal";
import { maxBodyBytes } from "../request/request-body.js";

/** What a listener allows those who connect. Each has a default. */
export interface ListenLimits {
  /** Bytes of a request's body; more is refused with 413. Default 3 MiB, as real servers. */
  readonly maxBodyBytes: number;
  /** Bytes of the request line and all headers; more is refused with 431. Default 64 KiB. */
  readonly maxHeaderBytes: number;
  /** Open connections; further ones are closed at once. Default 4,000. */
  readonly maxConnections: number;
  /** Open watches and followed logs; further ones are refused with 429. Default 10,000. */
  readonly maxWatchers: number;
  /** Bytes of one WebSocket message; a longer one ends the connection. Default 4 MiB. */
  readonly maxMessageBytes: number;
  /** Milliseconds until the TLS handshake and the headers of a request must be there. Default 30,000. */
  readonly headersTimeoutMs: number;
  /**
   * Milliseconds of the server's clock until the whole request must be there (else 504), and until its answer must have been
   * taken unless it stays open (else the connection is reset). Default 60,000, as real servers.
   */
  readonly requestTimeoutMs: number;
  /** Milliseconds that a connection may be open without a request. Default 120,000. */
  readonly idleTimeoutMs: number;
}

/** The limits used where none are given. */
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

/** Where to listen, and to whom. */
export interface ListenOptions {
  /** Default 0: any free port. */
  readonly port?: number | undefined;
  /** Default 127.0.0.1. Anything that other computers can reach needs {@link allowRemote} too. */
  readonly host?: string | undefined;
  /** Lets a listener be reached from other computers. Default false. */
  readonly allowRemote?: boolean | undefined;
  /**
   * HTTPS with a certificate made on the spot, and with it HTTP/2 and client certificates. Default true. Over plain HTTP
   * neither this client library nor kubectl sends a token: switch it off together with {@link anonymous} only.
   */
  readonly tls?: boolean | undefined;
  /**
   * Lets everybody in who comes without credentials, as `system:anonymous`. Without RBAC they may do everything.
   * Web pages of other sites are not let in so, nor is who calls this computer by a name that is not its own, unless
   * {@link allowRemote}. Default false: all of them get 401.
   */
  readonly anonymous?: boolean | undefined;
  /** The token of an administrator. Default: one that nobody can guess. */
  readonly token?: string | undefined;
  readonly limits?: Partial<ListenLimits> | undefined;
}

const ofListening: OptionNames<keyof ListenOptions> = {
  allowRemote: true,
  anonymous: true,
  host: true,
  limits: true,
  port: true,
  tls: true,
  token: true,
};

/**
 * Refuses to open what was not asked for by name.
 *
 * @throws {KubeError} `InvalidArgument` for a host that others can reach without `allowRemote`, and for a token that is empty.
 */
export function assertSafe(options: ListenOptions): void {
  assertKnownOptions("a listener", options, ofListening);
  assertKnownOptions("limits", options.limits ?? {}, defaultListenLimits);
  const { host = "127.0.0.1", allowRemote = false, token } = options;
  if (!isLoopback(host) && !allowRemote) {
    throw new KubeError(
      "InvalidArgument",
      `listening on ${JSON.stringify(host)} would accept connections from other computers`,
      { hint: "set allowRemote: true to allow that" },
    );
  }
  if (token !== undefined && !/^\S+$/.test(token)) {
    throw new KubeError("InvalidArgument", "the token of a listener must not contain spaces");
  }
}

/** Whether only programs of the same computer reach an address. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
