import { SelfSubjectReview, TokenReview, type UserInfo } from "@typekube/api/authentication/v1";
import type { CallOptions } from "../options/call-options.js";
import type { ClientContext } from "../resource/client-context.js";
import { resourceOf } from "../resource/resource-of.js";

/** A user as the server sees it. */
export interface Identity {
  /** Name of the user, such as `system:admin`. */
  readonly username: string;
  /** UID of the user; `undefined` when the server knows none. */
  readonly uid: string | undefined;
  /** Groups of the user, such as `system:authenticated`. */
  readonly groups: readonly string[];
  /** Extra attributes from the authenticator, by key. Each has any number of values. */
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Requests this client's identity (a SelfSubjectReview). */
export async function whoAmI(context: ClientContext, options: CallOptions = {}): Promise<Identity> {
  const { status } = await resourceOf(context, SelfSubjectReview).create({}, options);
  return identityOf(status?.userInfo);
}

/** The server's review of a token. */
export interface TokenReviewResult {
  /** The user of the token; `undefined` when the server does not accept it. */
  readonly user: Identity | undefined;
  /** The requested audiences that the token is valid for. */
  readonly audiences: readonly string[];
  /** Reason why the token was not accepted. */
  readonly error: string | undefined;
}

/** Options of a token review. */
export interface ReviewTokenOptions extends CallOptions {
  /** The audiences that the token should be valid for. Default: the server itself. */
  readonly audiences?: readonly string[] | undefined;
}

/** Requests the user of a token (a TokenReview). A token that the server does not accept is a result, not an error. */
export async function reviewToken(
  context: ClientContext,
  token: string,
  { audiences, ...options }: ReviewTokenOptions = {},
): Promise<TokenReviewResult> {
  const spec = { token, audiences: audiences && [...audiences] };
  const { status } = await resourceOf(context, TokenReview).create({ spec }, options);
  return {
    user: status?.authenticated ? identityOf(status.user) : undefined,
    audiences: status?.audiences ?? [],
    error: status?.error || undefined,
  };
}

function identityOf(user: UserInfo = {}): Identity {
  const { username = "", uid, groups = [], extra = {} } = user;
  return { username, uid: uid || undefined, groups, extra: extra as Identity["extra"] };
}
