import { inspect } from "node:util";
import { KubeError } from "@typekube/core";
import { reveal, type Secret } from "./secret.js";
import type { Pem } from "./tls-options.js";

/** A client certificate and its key. */
export interface ClientCertificate {
  readonly cert: Pem;
  readonly key: Pem | Secret;
}

/** The request that credentials are wanted for. */
export interface CredentialsCall {
  /** Aborts when nobody waits any more: the request was aborted, its time is over, or the transport was closed. */
  readonly signal: AbortSignal;
}

/** What a server did not accept. */
export interface RefusedCredentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly certificate?: ClientCertificate | undefined;
}

/** Who the client is, as headers of each request and, for some, a certificate of its connections. */
export interface Credentials {
  /**
   * The headers to add, as a rule `authorization`; names in lower case. Asked before each request. Whoever takes longer
   * than a read of a file gives up when the call's signal aborts; the call itself does not wait for that.
   */
  headers(call?: CredentialsCall): Promise<Readonly<Record<string, string>>>;
  /**
   * The client certificate that goes with these headers; it replaces the one of the TLS options. Asked before each request,
   * after {@link headers}. The same object as long as nothing changed: another one means new connections, on which calls
   * go on, while streams on the old ones are ended.
   */
  certificate?(call?: CredentialsCall): Promise<ClientCertificate | undefined>;
  /**
   * The server answered 401: drop what is cached, unless it is newer than what was refused. True when {@link headers} or
   * {@link certificate} will give something else, and the request is worth repeating.
   */
  refresh?(refused?: RefusedCredentials, call?: CredentialsCall): Promise<boolean>;
}

/** A fixed token. */
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
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are the subject
  if (/[\x00-\x1f\x7f]|[^\x00-\xff]/.test(text)) {
    throw new KubeError(
      "Config",
      "the bearer token contains a character that is not valid in an HTTP header",
    );
  }
  return fixed("bearer token", `Bearer ${text}`);
}

/** A user and a password. API servers dropped them in 1.19; gateways in front of a server still ask. */
export function basicAuth(user: string, password: Secret | string): Credentials {
  const pair = Buffer.from(`${user}:${reveal(password)}`).toString("base64");
  return fixed("basic authentication", `Basic ${pair}`);
}

function fixed(kind: string, authorization: string): Credentials {
  const headers = Promise.resolve({ authorization });
  return concealed(kind, { headers: () => headers });
}

/** Makes credentials show nothing but their kind when they are logged. */
export function concealed(kind: string, credentials: Credentials): Credentials {
  const shown = () => `[redacted ${kind}]`;
  return Object.defineProperties(credentials, {
    [inspect.custom]: { value: shown },
    toJSON: { value: shown },
    toString: { value: shown },
  });
}
