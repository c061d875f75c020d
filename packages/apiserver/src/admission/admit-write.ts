import type { ServerContext } from "../context/server-context.js";
import { forbidden } from "../errors/status-errors.js";
import { assertOneDefault } from "../kinds/priority-class.js";
import { assertOverhead } from "../kinds/runtime-class.js";
import type { ApiObject } from "../objects/api-object.js";
import type { Write } from "../phases/write/write.js";
import { claimLimitProblems, podLimitProblems, withLimitDefaults } from "./limit-ranger.js";
import { admitPodSecurity } from "./pod-security/admit-pods.js";
import { chargeQuotas, checkQuotas } from "./resource-quota.js";

/** Adds the namespace's LimitRange defaults to a pod. No field manager owns them. */
export function withNamespaceDefaults(
  write: Write,
  object: ApiObject,
  before: ApiObject | undefined,
): ApiObject {
  return write.request.resource.storage === "pods"
    ? withLimitDefaults(object, limitRanges(write, before))
    : object;
}

/**
 * Runs the admission checks on a valid object.
 *
 * @returns a function that charges the quotas, to be called when the object is written.
 * @throws {StatusError} 403 when a LimitRange, a ResourceQuota, a Pod Security label or another default PriorityClass
 * forbids the write.
 */
export function admitWrite(
  write: Write,
  object: ApiObject,
  before: ApiObject | undefined,
): () => void {
  const { resource } = write.request;
  for (const range of limitRanges(write, before)) {
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
  assertOneDefault(write, object);
  admitPodSecurity(write, object, before);
  if (resource.storage === "pods" && before === undefined) {
    assertOverhead(object, write.server);
  }
  const charges = checkQuotas(write, object, before);
  return () => chargeQuotas(write.server, charges);
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
