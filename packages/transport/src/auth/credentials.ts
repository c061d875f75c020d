import { inspect } from "node:util";
import { KubeError } from "@typekube/core";
import { reveal, type Secret } from "../secrets/secret.js";
import type { Pem } from "../tls/tls-options.js";

/** A client certificate and its key. */
export interface ClientCertificate {
  /** Certificate, with its chain if there is one, as PEM. */
  readonly cert: Pem;
  /** Private key of the certificate, as PEM. */
  readonly key: Pem | Secret;
}

/** The request that needs credentials. */
export interface CredentialsCall {
  /** Aborts when the request no longer waits: it was aborted, its deadline passed, or the transport was closed. */
  readonly signal: AbortSignal;
}

/** Credentials that the server rejected with 401. */
export interface RefusedCredentials {
  /** The rejected headers, usually `authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The rejected client certificate; absent when none was used. */
  readonly certificate?: ClientCertificate | undefined;
}

/** Provides the identity of the client: headers for each request and, optionally, a certificate for its connections. */
export interface Credentials {
  /**
   * Returns the headers to add, usually `authorization`, with lower-case names. Called before each request. Work that
   * takes longer than reading a file should stop when the call's signal aborts; the call itself does not wait for that.
   */
  headers(call?: CredentialsCall): Promise<Readonly<Record<string, string>>>;
  /**
   * Returns the client certificate that belongs to these headers; it replaces the one of the TLS options. Called before
   * each request, after {@link headers}. Returns the same object as long as nothing changed: another object causes new
   * connections, on which calls continue, while streams on the old connections are ended.
   */
  certificate?(call?: CredentialsCall): Promise<ClientCertificate | undefined>;
  /**
   * Called after a 401: drops cached credentials unless they are newer than the rejected ones. Returns true when {@link
   * headers} or {@link certificate} will return something else, so that the request is worth repeating.
   */
  refresh?(refused?: RefusedCredentials, call?: CredentialsCall): Promise<boolean>;
}

/** Creates credentials with a fixed bearer token. */
export function bearerToken(token: Secret | string): Credentials {
  const text = reveal(token);
  if (text === "") {
    throw new KubeError("Config", "the bearer token is empty");
  }
  if (/\s$/.test(text)) {
    throw new KubeError("Config", "the bearer token ends in a line break or a space", {
      hint: "remove it with token.trim(); tokenFile does",
    });
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
  if (/[\x00-\x1f\x7f]|[^\x00-\xff]/.test(text)) {
    throw new KubeError(
      "Config",
      "the bearer token contains a character that is not valid in an HTTP header",
    );
  }
  return fixed("bearer token", `Bearer ${text}`);
}

/**
 * Creates credentials with a user and a password. API servers removed basic authentication in 1.19; gateways in front
 * of a server still use it.
 */
export function basicAuth(user: string, password: Secret | string): Credentials {
  const pair = Buffer.from(`${user}:${reveal(password)}`).toString("base64");
  return fixed("basic authentication", `Basic ${pair}`);
}

function fixed(kind: string, authorization: string): Credentials {
  const headers = Promise.resolve({ authorization });
  return concealed(kind, { headers: () => headers });
}

/** Redacts credentials in logs, which show only their kind. */
export function concealed(kind: string, credentials: Credentials): Credentials {
  const shown = () => `[redacted ${kind}]`;
  return Object.defineProperties(credentials, {
    [inspect.custom]: { value: shown },
    toJSON: { value: shown },
    toString: { value: shown },
  });
}
