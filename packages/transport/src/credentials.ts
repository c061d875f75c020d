import { inspect } from "node:util";
import { KubeError } from "@typekube/core";
import { reveal, type Secret } from "./secret.js";

/** Who the client is, as headers of each request. */
export interface Credentials {
  /** The headers to add, as a rule `authorization`; names in lower case. Asked before each request. */
  headers(): Promise<Readonly<Record<string, string>>>;
  /**
   * The server answered 401: drop what is cached. True when {@link headers} will give something new, and the
   * request is worth repeating.
   */
  refresh?(): Promise<boolean>;
}

/** A fixed token. */
export function bearerToken(token: Secret | string): Credentials {
  const text = reveal(token);
  if (text === "") {
    throw new KubeError("Config", "the bearer token is empty");
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
