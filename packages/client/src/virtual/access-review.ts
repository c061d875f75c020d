import type { SelfSubjectAccessReviewSpec } from "@typekube/api/authorization/v1";
import { SelfSubjectAccessReview, SelfSubjectRulesReview } from "@typekube/api/authorization/v1";
import { KubeError } from "@typekube/core";
import type { ClientContext } from "../client-context.js";
import { assertAccess } from "../known-options.js";
import type { CallOptions } from "../options.js";
import { resourceOf } from "../resource-of.js";
import { receivesWarnings, tellWarning } from "../warnings.js";
import { unservedAccess } from "./unserved-access.js";

/** What somebody may want to do with a resource. What is left out means all of them. */
export interface ResourceAccess {
  /** In the API's words, or `*`: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`, `impersonate` ... */
  readonly verb: string;
  /** The plural: `pods`; `*` for all. */
  readonly resource: string;
  /** Default: the core group. */
  readonly group?: string | undefined;
  readonly version?: string | undefined;
  /** Default: all namespaces, or a cluster-wide resource. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
  readonly path?: undefined;
}

/** What somebody may want to do with a path that is no resource: `/metrics`, `/healthz`. */
export interface PathAccess {
  /** `get`, `post`, `put`, `delete` ... */
  readonly verb: string;
  readonly path: string;
  readonly resource?: undefined;
  readonly group?: undefined;
  readonly version?: undefined;
  readonly namespace?: undefined;
  readonly name?: undefined;
  readonly subresource?: undefined;
}

/** What a server says about an access. */
export interface AccessReviewResult {
  readonly allowed: boolean;
  /** Explicitly denied, not only allowed by nobody. */
  readonly denied: boolean;
  /** Why; servers often say nothing. Empty then. */
  readonly reason: string;
  /** What went wrong while rules were looked at, though there is an answer. */
  readonly evaluationError: string | undefined;
}

/**
 * Asks whether this client's user may do something (a SelfSubjectAccessReview). The server does not say whether what it is asked of
 * exists; who listens to warnings hears of a resource that is not there, as from `kubectl auth can-i`.
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

/** Discovery is only asked for those who would hear of it. */
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
    tellWarning(context, options, warning);
  }
}

/** Resources or paths that one may do something with. */
export interface AccessRules {
  readonly resourceRules: readonly {
    readonly verbs: readonly string[];
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly resourceNames: readonly string[];
  }[];
  readonly nonResourceRules: readonly {
    readonly verbs: readonly string[];
    readonly nonResourceURLs: readonly string[];
  }[];
  /** More may be allowed than is listed: an authorizer cannot list its rules. Ask `can` to be sure. */
  readonly incomplete: boolean;
  readonly evaluationError: string | undefined;
}

/** Asks for all that this client's user may do in a namespace (a SelfSubjectRulesReview). For people: programs ask `can`. */
export async function rulesIn(
  context: ClientContext,
  namespace: string,
  options: CallOptions = {},
): Promise<AccessRules> {
  const reviews = resourceOf(context, SelfSubjectRulesReview);
  const { status } = await reviews.create({ spec: { namespace } }, options);
  return {
    resourceRules: (status?.resourceRules ?? []).map(
      ({ verbs, apiGroups = [], resources = [], resourceNames = [] }) => ({
        verbs,
        apiGroups,
        resources,
        resourceNames,
      }),
    ),
    nonResourceRules: (status?.nonResourceRules ?? []).map(({ verbs, nonResourceURLs = [] }) => ({
      verbs,
      nonResourceURLs,
    })),
    incomplete: status?.incomplete === true,
    evaluationError: status?.evaluationError || undefined,
  };
}

function specOf(access: PathAccess | ResourceAccess): SelfSubjectAccessReviewSpec {
  if (typeof access?.verb !== "string" || access.verb === "") {
    throw new KubeError("InvalidArgument", "verb: is missing", { hint: 'such as "list"' });
  }
  assertAccess(access);
  const { verb } = access;
  if (access.path !== undefined && access.path !== "*" && !access.path.startsWith("/")) {
    throw new KubeError("InvalidArgument", 'path: must begin with "/"', { hint: '"*" for all' });
  }
  if (access.resource === "") {
    throw new KubeError("InvalidArgument", "resource: is empty", { hint: '"*" for all' });
  }
  if (access.path !== undefined && access.resource === undefined) {
    return { nonResourceAttributes: { path: access.path, verb } };
  }
  if (access.resource === undefined || access.path !== undefined) {
    throw new KubeError("InvalidArgument", "set either resource or path");
  }
  const { resource, group, version, namespace, name, subresource } = access;
  if (resource.includes("/")) {
    throw new KubeError("InvalidArgument", `resource: "${resource}" must not contain "/"`, {
      hint: "use the option subresource",
    });
  }
  return {
    resourceAttributes: { verb, resource, group, version, namespace, name, subresource },
  };
}
