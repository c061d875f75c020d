import type { HttpRequest } from "@typekube/core/internal";
import type { Access } from "./access.js";
import { unauthorized } from "./refusals.js";
import { issuer } from "./service-account-tokens.js";
import { anonymousUser, type User } from "./user.js";

/** Where a request came in, and what is known of its sender from that. */
export interface Caller {
  readonly protocol: "HTTP/1.1" | "HTTP/2" | "in-process";
  /** By a client certificate that was verified. Goes before any token. */
  readonly certified?: User | undefined;
  /** Who it is when there are no credentials. Absent: then it is nobody, and refused. */
  readonly otherwise?: User | undefined;
}

const webSocketToken = "base64url.bearer.authorization.k8s.io.";

/**
 * Finds out who sent a request.
 *
 * @throws {StatusError} 401 for a token that the server does not know, and where there are no credentials but must be.
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

/** Who comes without credentials where anonymous access was asked for. */
export const anonymously: User = anonymousUser;

/** The user of a token that is meant for the server itself. */
export function userOfToken(access: Access, token: string): User | undefined {
  const known = access.users.byToken(token);
  if (known !== undefined) {
    return known;
  }
  const verified = access.tokens.verify(token);
  return verified?.audiences.includes(issuer) ? verified.user : undefined;
}

/** The token of a request. Browsers cannot set headers on a WebSocket: they put it among the subprotocols. */
function bearerToken(headers: HttpRequest["headers"]): string | undefined {
  const { authorization, "sec-websocket-protocol": protocols } = headers;
  const [, token] = (authorization && /^bearer +(\S+)\s*$/i.exec(authorization)) || [];
  if (token !== undefined || protocols === undefined) {
    return token;
  }
  const offered = protocols.split(",").map((one) => one.trim());
  const found = offered.find((one) => one.startsWith(webSocketToken));
  if (found !== undefined && offered.length === 1) {
    // The server must have another subprotocol to choose; it never sends a token back.
    throw unauthorized();
  }
  return found && Buffer.from(found.slice(webSocketToken.length), "base64url").toString("utf8");
}
