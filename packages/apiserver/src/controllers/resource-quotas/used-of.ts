import { isInScopes } from "../../admission/quota-scopes.js";
import { quotaKindOf, storageOfName } from "../../admission/quota-usage.js";
import type { ApiObject } from "../../objects/api-object.js";
import { only, type ResourceList, sum } from "../../objects/resource-list.js";
import type { ObjectWriter } from "../runtime/object-writer.js";

const nothing = { nanos: 0n, family: "decimal" } as const;

/** Counts what the objects of a quota's namespace use of the named resources, omitting those that can't be counted. */
export function usedOf(
  writer: Pick<ObjectWriter, "list" | "resourceOf">,
  quota: ApiObject,
  names: readonly string[],
  now: number,
): ResourceList {
  const { namespace = "" } = quota.metadata;
  let used: ResourceList = new Map();
  for (const storage of new Set(names.map(storageOfName))) {
    const kind = storage === undefined ? undefined : quotaKindOf(storage);
    if (storage === undefined || kind === undefined || writer.resourceOf(storage) === undefined) {
      continue;
    }
    const counted = names.filter((name) => kind.counts(name));
    used = sum(used, new Map(counted.map((name) => [name, nothing] as const)));
    for (const object of writer.list(storage, namespace)) {
      if (isInScopes(quota, object, kind.scope)) {
        used = sum(used, only(kind.usage(object, now), counted));
      }
    }
  }
  return used;
}
