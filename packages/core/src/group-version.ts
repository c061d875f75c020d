import { KubeError } from "./errors/kube-error.js";

/** A parsed apiVersion. The core group is the empty string. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** Parses an apiVersion: `apps/v1` gives group `apps` and version `v1`; `v1` is in the core group. */
export function parseApiVersion(apiVersion: string): GroupVersion {
  const slash = apiVersion.indexOf("/");
  if (
    apiVersion === "" ||
    slash === 0 ||
    apiVersion.indexOf("/", slash + 1) > 0 ||
    apiVersion.endsWith("/")
  ) {
    throw new KubeError("InvalidArgument", `"${apiVersion}" is not an apiVersion`, {
      hint: 'write "version" for the core group or "group/version"',
    });
  }
  return slash < 0
    ? { group: "", version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** Formats an apiVersion: the inverse of {@link parseApiVersion}. */
export function formatApiVersion({ group, version }: GroupVersion): string {
  return group === "" ? version : `${group}/${version}`;
}
