import { KubeError } from "@typekube/core";
import type { CallOptions } from "../options/call-options.js";
import type { ClientContext } from "../resource/client-context.js";
import type { ResourceAccess } from "./access.js";

/** Names that authorizers know, but that no server serves as resources. */
const virtual: ReadonlySet<string> = new Set(["groups", "signers", "uids", "userextras", "users"]);

/**
 * Checks whether the resource of an access exists, which the server does not report: authorization compares names and
 * does not look them up, so listing a missing resource may be allowed or not. kubectl warns of the same (`auth can-i`).
 *
 * @returns a warning; `undefined` when the resource exists, or discovery cannot tell.
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
    // A name that is ambiguous between several other groups is not in the core group either.
    const isMissing =
      error instanceof KubeError && ["InvalidArgument", "NotFound"].includes(error.code);
    return isMissing && !(await isUnknown(discovery, group)) ? missing : undefined;
  }
}

/** Returns true when a group's resources are unknown because its server does not respond. */
async function isUnknown(discovery: ClientContext["discovery"], group: string): Promise<boolean> {
  const { failed } = await discovery.served();
  return failed.some(({ apiVersion }) => group !== "" && apiVersion.startsWith(`${group}/`));
}
