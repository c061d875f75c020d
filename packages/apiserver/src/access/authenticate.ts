import type { HttpRequest } from "@typekube/core/internal";
import type { RequestProtocol } from "../journal/journal.js";
import { anonymousUser, type User } from "../objects/user.js";
import type { Access } from "./create-access.js";
import { unauthorized } from "./refusals.js";
import { issuer } from "./service-account-tokens.js";

/** The connection of a request, and the identity it implies. */
export interface Caller {
  readonly protocol: RequestProtocol;
  /** User of a verified client certificate. Takes precedence over any token. */
  readonly certified?: User | undefined;
  /** User of requests without credentials. Absent: they are rejected with 401. */
  readonly otherwise?: User | undefined;
}

const webSocketToken = "base64url.bearer.authorization.k8s.io.";

/**
 * Authenticates a request.
 *
 * @throws {StatusError} 401 for an unknown token, and for missing credentials where the caller has no fallback user.
 */
export function authenticate(
  access: Access,
  { headers }: Pick<HttpRequest, "headers">,
  caller: Caller,
): User {
  if (caller.certified !== undefined) {
    return caller.certified;
  }
  const token = bearerToken(headers);
  if (token !== undefined) {
    const user = userOfToken(access, token);
    if (user === undefined) {
      throw unauthorized();
    }
    return user;
  }
  if (caller.otherwise === undefined) {
    throw unauthorized();
  }
  return caller.otherwise;
}

/** User of requests without credentials when anonymous access is enabled. */
export const anonymously: User = anonymousUser;

/** Returns the user of a token whose audiences include the server itself. */
export function userOfToken(access: Access, token: string): User | undefined {
  const known = access.users.byToken(token);
  if (known !== undefined) {
    return known;
  }
  const verified = access.tokens.verify(token);
  return verified?.audiences.includes(issuer) ? verified.user : undefined;
}

/**
 * Returns the bearer token of a request. Browsers can't set headers on a WebSocket; they pass the token as a
 * subprotocol.
 */
function bearerToken(headers: HttpRequest["headers"]): string | undefined {
  const { authorization, "sec-websocket-protocol": protocols } = headers;
  const [, token] = (authorization && /^bearer +(\S+)\s*$/i.exec(authorization)) || [];
  if (token !== undefined || protocols === undefined) {
    return token;
  }
  const offered = protocols.split(",").map((one) => one.trim());
  const found = offered.find((one) => one.startsWith(webSocketToken));
  if (found !== undefined && offered.length === 1) {
    // The server never echoes a token, so the client must offer another subprotocol to select.
    throw unauthorized();
  }
  return found && Buffer.from(found.slice(webSocketToken.length), "base64url").toString("utf8");
}
