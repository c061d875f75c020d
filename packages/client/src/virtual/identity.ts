import type { UserInfo } from "@typekube/api/authentication/v1";
import { SelfSubjectReview, TokenReview } from "@typekube/api/authentication/v1";
import type { ClientContext } from "../client-context.js";
import type { CallOptions } from "../options.js";
import { resourceOf } from "../resource-of.js";

/** Who somebody is to the server. */
export interface Identity {
  readonly username: string;
  readonly uid: string | undefined;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Asks who this client is to the server (a SelfSubjectReview). */
export async function whoAmI(context: ClientContext, options: CallOptions = {}): Promise<Identity> {
  const { status } = await resourceOf(context, SelfSubjectReview).create({}, options);
  return identityOf(status?.userInfo);
}

/** What a server says about a token. */
export interface TokenReviewResult {
  /** Whose it is; `undefined` when the server does not accept it. */
  readonly user: Identity | undefined;
  /** Those of the audiences asked for that it is meant for. */
  readonly audiences: readonly string[];
  /** Why it was not accepted. */
  readonly error: string | undefined;
}

/** How a token is asked about. */
export interface ReviewTokenOptions extends CallOptions {
  /** What the token should be meant for. Default: the server itself. */
  readonly audiences?: readonly string[] | undefined;
}

/** Asks whose token it is (a TokenReview). That it is nobody's is an answer, not an error. */
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
