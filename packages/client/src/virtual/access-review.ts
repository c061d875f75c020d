import { SelfSubjectAccessReview } from "@typekube/api/authorization/v1";
import type { CallOptions } from "../options/call-options.js";
import { emitWarning, receivesWarnings } from "../request/warnings.js";
import type { ClientContext } from "../resource/client-context.js";
import { resourceOf } from "../resource/resource-of.js";
import { type PathAccess, type ResourceAccess, specOf } from "./access.js";
import { unservedAccess } from "./unserved-access.js";

/** The server's decision about an access. */
export interface AccessReviewResult {
  /** `true` when the user may do it. */
  readonly allowed: boolean;
  /** `true` when the access is explicitly denied, not merely not allowed. */
  readonly denied: boolean;
  /** Reason of the decision; often empty. */
  readonly reason: string;
  /** An error while evaluating rules, although there is a decision. */
  readonly evaluationError: string | undefined;
}

/**
 * Returns whether this client's user may do something (a SelfSubjectAccessReview). The server does not check whether
 * the resource exists; a warning handler is notified of a missing resource, as `kubectl auth can-i` warns of it.
 *
 * @throws {KubeError} `InvalidArgument` for a request without a verb, or with neither or both of a resource and a path.
 */
export async function can(
  context: ClientContext,
  access: PathAccess | ResourceAccess,
  options: CallOptions = {},
): Promise<AccessReviewResult> {
  const reviews = resourceOf(context, SelfSubjectAccessReview);
  const spec = specOf(access);
  const [{ status }] = await Promise.all([
    reviews.create({ spec }, options),
    warnOfUnserved(context, access, options),
  ]);
  return {
    allowed: status?.allowed === true,
    denied: status?.denied === true,
    reason: status?.reason ?? "",
    evaluationError: status?.evaluationError || undefined,
  };
}

/** Warns of a resource that the server does not have. Uses discovery only if there is a warning handler. */
async function warnOfUnserved(
  context: ClientContext,
  access: PathAccess | ResourceAccess,
  options: CallOptions,
): Promise<void> {
  if (access.resource === undefined || !receivesWarnings(context, options)) {
    return;
  }
  const warning = await unservedAccess(context, access, options);
  if (warning !== undefined) {
    emitWarning(context, options, warning);
  }
}
