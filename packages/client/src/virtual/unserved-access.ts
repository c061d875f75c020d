import { KubeError } from "@typekube/core";
import type { ClientContext } from "../client-context.js";
import type { CallOptions } from "../options.js";
import type { ResourceAccess } from "./access-review.js";

/** What authorizers know by these names is no resource that a server serves. */
const virtual: ReadonlySet<string> = new Set(["groups", "signers", "uids", "userextras", "users"]);

/**
 * What a server does not say about an access: rights are words, which it compares and does not look up, so one may be allowed, or
 * not, to list what does not exist. kubectl warns of the same (`auth can-i`).
 *
 * @returns a warning; `undefined` when the resource is there, or discovery cannot tell.
 */
export async function unservedAccess(
  { discovery }: ClientContext,
  { resource, group = "", namespace }: ResourceAccess,
  options: CallOptions,
): Promise<string | undefined> {
  const isVirtual = virtual.has(resource) || resource === "*" || group === "*";
  if (isVirtual) {
    return undefined;
  }
  const missing = `the server has no resource "${resource}" in ${group === "" ? "the core group" : group}`;
  try {
    const found = await discovery.find(group === "" ? resource : `${resource}.${group}`, options);
    if (found.plural !== resource || found.group !== group) {
      const { plural, kind, apiVersion } = found;
      return `${missing}; did you mean resource "${plural}"${found.group === "" ? "" : `, group "${found.group}"`} (${kind} in ${apiVersion})?`;
    }
    return found.scope === "Cluster" && namespace
      ? `"${resource}" is not namespaced: permissions in "${namespace}" do not apply to it`
      : undefined;
  } catch (error) {
    options.signal?.throwIfAborted();
    // A name that several other groups have is not one of the core group either.
    const isMissing =
      error instanceof KubeError && ["InvalidArgument", "NotFound"].includes(error.code);
    return isMissing && !(await isUnknown(discovery, group)) ? missing : undefined;
  }
}

/** Whether nobody can tell what is in a group: its server does not answer. */
async function isUnknown(discovery: ClientContext["discovery"], group: string): Promise<boolean> {
  const { failed } = await discovery.served();
  return failed.some(({ apiVersion }) => group !== "" && apiVersion.startsWith(`${group}/`));
}
