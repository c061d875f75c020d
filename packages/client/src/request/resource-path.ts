import type { ResourceDescriptor } from "@typekube/api";
import { type GroupVersion, KubeError } from "@typekube/core";
import { scopeProblem } from "./scope-problem.js";

/** Location of an object or a collection on the server. */
export interface ResourceLocation {
  /** Absent for a cluster-scoped resource, or for all namespaces. */
  readonly namespace?: string | undefined;
  /** Absent for the collection. */
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/**
 * Returns the path of a resource below the server's base path: `/api/v1/namespaces/prod/pods/web-0/status`.
 *
 * @throws {KubeError} `InvalidArgument` for a part that would lead elsewhere, including parts of the descriptor:
 * discovery of a hostile server may name a resource `../../api/v1/secrets`.
 */
export function resourcePath(descriptor: ResourceDescriptor, location: ResourceLocation): string {
  const { namespace, name, subresource } = location;
  const { group, version, plural } = descriptor;
  let path = groupVersionPath({ group, version });
  if (namespace !== undefined && descriptor.scope === "Cluster") {
    throw scopeProblem(
      `${descriptor.plural} are not namespaced`,
      `omit the namespace "${namespace}"`,
    );
  }
  if (namespace !== undefined) {
    path += `/namespaces/${pathSegment("namespace", namespace)}`;
  }
  path += `/${pathSegment("resource", plural)}`;
  if (name !== undefined) {
    path += `/${pathSegment("name", name)}`;
  }
  if (subresource !== undefined) {
    path += `/${pathSegment("subresource", subresource)}`;
  }
  return path;
}

/**
 * Returns the path of a group-version below the server's base path: `/api/v1`, `/apis/apps/v1`.
 *
 * @throws {KubeError} `InvalidArgument` for a group or version that would lead elsewhere.
 */
export function groupVersionPath({ group, version }: GroupVersion): string {
  const root = group === "" ? "/api" : `/apis/${pathSegment("group", group)}`;
  return `${root}/${pathSegment("version", version)}`;
}

/** Returns whether a text can be used unchanged as a group, version or resource in a path. */
export function isPathName(text: unknown): text is string {
  return typeof text === "string" && plainName.test(text);
}

/** Matches nearly all names: they have no special characters and do not begin with a dot. */
const plainName = /^[\w-][\w.-]*$/;

/**
 * Rejects a name that no path can contain, before an object is created with it.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertName(name: string): void {
  pathSegment("name", name);
}

// The rules of apimachinery's path/validation. Case is preserved; all other special characters are escaped.
function pathSegment(what: string, value: string): string {
  if (typeof value !== "string") {
    throw new KubeError("InvalidArgument", `the ${what} must be a string, not ${value}`);
  }
  if (plainName.test(value)) {
    return value;
  }
  const reason =
    value === ""
      ? "must not be empty"
      : value === "." || value === ".."
        ? 'must not be "." or ".."'
        : /[/%]/.test(value)
          ? 'must not contain "/" or "%"'
          : /\p{Surrogate}/u.test(value)
            ? "must be well-formed Unicode"
            : undefined;
  if (reason !== undefined) {
    throw new KubeError("InvalidArgument", `${what} "${value}" ${reason}`);
  }
  return encodeURIComponent(value).replaceAll("%3A", ":");
}
