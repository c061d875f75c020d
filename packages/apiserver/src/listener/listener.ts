import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import type { UserBook } from "../access/user-book.js";
import { administrator } from "../objects/user.js";
import type { Authority, CertifiedName } from "../tls/authority.js";
import { type ListeningServer, namesOf } from "./make-server.js";
import { closeServer, cutAll } from "./tracked-sockets.js";
import { type KubeconfigTarget, writeKubeconfig } from "./write-kubeconfig.js";

/** An open listener. */
export interface Listener {
  /** URL of the listener, such as `https://127.0.0.1:41234`. */
  readonly server: string;
  /** Bearer token of an administrator. */
  readonly token: string;
  /** CA certificate of the listener as PEM; absent without TLS. */
  readonly certificateAuthority: string | undefined;
  /** Returns the options with which `connect` connects as an administrator. */
  connectOptions(): { readonly server: string; readonly token: string; readonly ca?: string };
  /** Issues a client certificate for a user, as PEM. Useful over TLS only. */
  clientCertificate(user: CertifiedName): { readonly cert: string; readonly key: string };
  /** Writes a kubeconfig that only its owner can read, and makes its context the current one. */
  writeKubeconfig(path: string, target?: KubeconfigTarget): Promise<void>;
  /**
   * Invalidates {@link token}, as if it had expired.
   *
   * @returns the new token, which `token` and `connectOptions()` now contain too.
   */
  renewToken(): string;
  /** Serves new connections with another certificate of the same authority, and closes the existing connections. */
  renewCertificate(): void;
  /** Closes the listener and its connections. With `isGraceful`, responses that have begun are completed first. */
  close(options?: { readonly isGraceful?: boolean }): Promise<void>;
}

/** A server that accepts connections, and what its listener controls. */
export interface OpenServer {
  readonly users: UserBook;
  readonly authority: () => Authority;
  readonly server: ListeningServer;
  readonly sockets: ReadonlySet<Socket>;
  /** Responses in progress. */
  readonly responses: ReadonlySet<Promise<void>>;
  /** The authority of the server's certificate; absent without TLS. */
  readonly certified: Authority | undefined;
  readonly host: string;
  readonly url: string;
}

/** Returns the listener of an open server, with a token for an administrator. */
export function listenerOf(open: OpenServer, firstToken: string = newToken()): Listener {
  const { server, sockets, users, certified, url } = open;
  let token = firstToken;
  let forget = users.add(token, administrator);
  const certificateAuthority = certified?.cert;
  const ca = certificateAuthority === undefined ? {} : { ca: certificateAuthority };
  return {
    server: url,
    get token() {
      return token;
    },
    certificateAuthority,
    connectOptions: () => ({ server: url, token, ...ca }),
    clientCertificate(user) {
      const { cert, key } = open.authority().client(user);
      return { cert, key };
    },
    writeKubeconfig: (path, target) => writeKubeconfig(path, { server: url, token, ...ca }, target),
    renewToken() {
      forget();
      token = newToken();
      forget = users.add(token, administrator);
      return token;
    },
    renewCertificate() {
      if (certified !== undefined && "setSecureContext" in server) {
        server.setSecureContext({ ...certified.server(namesOf(open.host)), ca: certified.cert });
      }
      cutAll(sockets);
    },
    async close({ isGraceful = false } = {}) {
      forget();
      if (isGraceful) {
        await Promise.all(open.responses);
      }
      await closeServer(server, sockets);
    },
  };
}

function newToken(): string {
  return randomBytes(32).toString("base64url");
}
