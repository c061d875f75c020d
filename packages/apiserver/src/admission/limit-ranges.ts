import type { ServerContext } from "../context/server-context.js";
import type { Write } from "../context/write.js";
import { forbidden } from "../errors/status-errors.js";
import type { ApiObject } from "../objects/api-object.js";
import { claimLimitProblems, podLimitProblems, withLimitDefaults } from "./limit-ranger.js";

/** Adds the namespace's LimitRange defaults to a pod. */
export function withNamespaceDefaults(
  write: Write,
  object: ApiObject,
  old: ApiObject | undefined,
): ApiObject {
  return write.request.resource.storage === "pods"
    ? withLimitDefaults(object, limitRanges(write, old))
    : object;
}

/** @throws {StatusError} 403 for a pod or claim that a LimitRange forbids. */
export function assertWithinLimits(
  write: Write,
  object: ApiObject,
  old: ApiObject | undefined,
): void {
  const { resource } = write.request;
  for (const range of limitRanges(write, old)) {
    const problems =
      resource.storage === "pods"
        ? podLimitProblems(object, range)
        : claimLimitProblems(object, range);
    const all = [...new Set(problems)];
    if (all.length > 0) {
      const why = all.length === 1 ? `${all[0]}` : `[${all.join(", ")}]`;
      throw forbidden(resource, object.metadata.name ?? "", why);
    }
  }
}

/** Returns the LimitRanges that apply to a write. */
function limitRanges({ server, request }: Write, before: ApiObject | undefined): ApiObject[] {
  const { resource, subresource, namespace } = request;
  const { storage } = resource;
  const isLimited =
    storage === "pods"
      ? before === undefined || subresource === "resize"
      : storage === "persistentvolumeclaims" && subresource === "";
  return isLimited && before?.metadata.deletionTimestamp === undefined
    ? rangesIn(server, namespace)
    : [];
}

function rangesIn({ store }: ServerContext, namespace: string): ApiObject[] {
  const ranges = store.collection("limitranges");
  return ranges.size === 0 ? [] : ranges.entries(`${namespace}/`).map(([, range]) => range);
}
