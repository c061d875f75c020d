import {
  SelfSubjectAccessReview,
  type SelfSubjectAccessReviewSpec,
  SelfSubjectRulesReview,
} from "@typekube/api/authorization/v1";
import { KubeError } from "@typekube/core";
import { assertAccess } from "../options/known-options.js";
import type { CallOptions } from "../options/options.js";
import { emitWarning, receivesWarnings } from "../request/warnings.js";
import type { ClientContext } from "../resource/client-context.js";
import { resourceOf } from "../resource/resource-of.js";
import { unservedAccess } from "./unserved-access.js";

/** An action on a resource. */
export interface ResourceAccess {
  /**
   * A verb of the API, or `*`: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`,
   * `impersonate` ...
   */
  readonly verb: string;
  /** Plural name: `pods`; `*` for all. */
  readonly resource: string;
  /** Default: the core group. */
  readonly group?: string | undefined;
  /** API version within the group. RBAC ignores it. */
  readonly version?: string | undefined;
  /** Default: all namespaces, or a cluster-scoped resource. */
  readonly namespace?: string | undefined;
  /** Name of one object. Default: all objects. */
  readonly name?: string | undefined;
  /** Name of a subresource, such as `log` or `status`; `*` for all. Default: the resource itself. */
  readonly subresource?: string | undefined;
  readonly path?: undefined;
}

/** An action on a path that is not a resource: `/metrics`, `/healthz`. */
export interface PathAccess {
  /** `get`, `post`, `put`, `delete` ... */
  readonly verb: string;
  /** Path of the request, without the query; begins with `/`. */
  readonly path: string;
  readonly resource?: undefined;
  readonly group?: undefined;
  readonly version?: undefined;
  readonly namespace?: undefined;
  readonly name?: undefined;
  readonly subresource?: undefined;
}

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

/** The resources and paths that a user may access. */
export interface AccessRules {
  /**
   * Allowed actions on resources. Each rule allows every combination of its verbs, groups and resources; an empty
   * `resourceNames` means all objects.
   */
  readonly resourceRules: readonly {
    readonly verbs: readonly string[];
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly resourceNames: readonly string[];
  }[];
  /** Allowed actions on paths that are not resources, such as `/metrics`. */
  readonly nonResourceRules: readonly {
    readonly verbs: readonly string[];
    readonly nonResourceURLs: readonly string[];
  }[];
  /** `true` when more may be allowed than is listed, because an authorizer cannot list its rules. Use `can` to be sure. */
  readonly incomplete: boolean;
  /** An error while the server collected the rules, which may then be incomplete. */
  readonly evaluationError: string | undefined;
}

/**
 * Returns everything that this client's user may do in a namespace (a SelfSubjectRulesReview). Meant for people;
 * programs use `can`.
 */
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
