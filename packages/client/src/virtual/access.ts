import type { SelfSubjectAccessReviewSpec } from "@typekube/api/authorization/v1";
import { KubeError } from "@typekube/core";
import { assertKnownOptions, type OptionTable } from "@typekube/core/internal";

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

const accessFields: OptionTable<PathAccess | ResourceAccess> = {
  group: true,
  name: true,
  namespace: true,
  path: true,
  resource: true,
  subresource: true,
  verb: true,
  version: true,
};

/**
 * Returns the spec of a review of an access.
 *
 * @throws {KubeError} `InvalidArgument` for an unknown field, and for an access without a verb, or with neither or both of a
 * resource and a path.
 */
export function specOf(access: PathAccess | ResourceAccess): SelfSubjectAccessReviewSpec {
  if (typeof access?.verb !== "string" || access.verb === "") {
    throw new KubeError("InvalidArgument", "verb: is missing", { hint: 'such as "list"' });
  }
  // A misspelled namespace would mean all namespaces.
  assertKnownOptions("an access check", access, accessFields);
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
