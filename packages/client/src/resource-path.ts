import type { ResourceDescriptor } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { scopeProblem } from "./scope-problem.js";

/** Where an object or a collection lives on the server. */
export interface ResourceLocation {
  /** Absent: a cluster-wide resource, or all namespaces. */
  readonly namespace?: string | undefined;
  /** Absent: the collection. */
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/**
 * The path of a resource below the server's base path: `/api/v1/namespaces/prod/pods/web-0/status`.
 *
 * @throws {KubeError} `InvalidArgument` for a namespace or name that would lead elsewhere.
 */
export function resourcePath(descriptor: ResourceDescriptor, location: ResourceLocation): string {
  const { namespace, name, subresource } = location;
  const root = descriptor.group === "" ? "/api" : `/apis/${descriptor.group}`;
  let path = `${root}/${descriptor.version}`;
  if (namespace !== undefined && descriptor.scope === "Cluster") {
    throw scopeProblem(
      `${descriptor.plural} live in no namespace`,
      `leave the namespace "${namespace}" out`,
    );
  }
  if (namespace !== undefined) {
    path += `/namespaces/${segment("namespace", namespace)}`;
  }
  path += `/${descriptor.plural}`;
  if (name !== undefined) {
    path += `/${segment("name", name)}`;
  }
  if (subresource !== undefined) {
    path += `/${segment("subresource", subresource)}`;
  }
  return path;
}

/** Nearly all names: nothing in them is special, and they do not begin with a dot. */
const plainName = /^[\w-][\w.-]*$/;

/**
 * Refuses a name that no path can have, before an object is made under it.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertName(name: string): void {
  segment("name", name);
}

// The rules of apimachinery's path/validation. Case is kept, everything else that is special is escaped.
function segment(what: string, value: string): string {
  if (typeof value !== "string") {
    throw new KubeError("InvalidArgument", `the ${what} must be text, not ${value}`);
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
