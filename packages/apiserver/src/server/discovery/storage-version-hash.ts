import { createHash } from "node:crypto";
import { storageVersions } from "../../generated/storage-versions.js";
import { isVirtual, type ServedResource } from "../../resources/served-resource.js";

/** Returns the hash of a kind's storage version for discovery; empty for kinds that are not stored. */
export function storageVersionHash(resource: ServedResource): {
  readonly storageVersionHash?: string;
} {
  const { descriptor, group, version, kind, groupResource, defined } = resource;
  if (!descriptor.verbs.includes("create") || isVirtual({ resource })) {
    return {};
  }
  const builtIn = storageVersions[groupResource];
  const stored =
    builtIn === undefined || defined !== undefined
      ? `${group}/${defined?.definition.storageVersion ?? version}`
      : `${builtIn.includes("/") ? "" : "/"}${builtIn}`;
  const hash = createHash("sha256").update(`${stored}/${kind}`).digest();
  return { storageVersionHash: hash.subarray(0, 8).toString("base64") };
}
