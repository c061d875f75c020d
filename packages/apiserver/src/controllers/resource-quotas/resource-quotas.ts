import { hasDeadline, isInScopes } from "../../admission/quota-scopes.js";
import { isOver, quotaKindOf, storageOfName } from "../../admission/quota-usage.js";
import { quotaStorage } from "../../admission/resource-quota.js";
import type { ApiObject } from "../../objects/api-object.js";
import { getPath, jsonEqual } from "../../objects/json-value.js";
import { mapOf, specOf } from "../../objects/parts.js";
import {
  only,
  type ResourceList,
  readResourceList,
  sameAmounts,
  sum,
  writeResourceList,
} from "../../objects/resource-list.js";
import { splitKey } from "../pods/owned-pods.js";
import type { Controller } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";

/**
 * Maintains the status of ResourceQuotas: copies `hard` and counts `used`. Writes increase `used` themselves; this
 * controller sets it initially and decreases it.
 */
export function createQuotaController({ server, writer }: ControllerParts): Controller {
  const { store, clock } = server;
  const quotas = store.collection(quotaStorage);
  const prepared = writer.prepare([quotaStorage]);

  const usedOf = (quota: ApiObject, names: readonly string[]): ResourceList => {
    const { namespace = "" } = quota.metadata;
    const now = clock.now();
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
  };

  return {
    name: "resource-quotas",
    *keysOf({ key, namespace, object, previous, type }, storage) {
      if (storage === quotaStorage && type !== "DELETED" && requestsMore(object, previous)) {
        yield key;
      }
      if (quotas.size > 0 && namespace !== "" && setsFree(storage, object, previous, type)) {
        for (const [one, quota] of quotas.entries(`${namespace}/`)) {
          const kind = quotaKindOf(storage);
          if (Object.keys(mapOf(specOf(quota)["hard"])).some((name) => kind?.counts(name))) {
            yield one;
          }
        }
      }
    },
    async reconcile(key) {
      await prepared;
      const quota = writer.get(quotaStorage, ...splitKey(key));
      if (quota === undefined) {
        return undefined;
      }
      const status = mapOf(quota["status"]);
      const hard = readResourceList(specOf(quota)["hard"]);
      // Keep the reported usage of resources that can't be counted.
      const used = new Map([
        ...only(readResourceList(status["used"]), hard.keys()),
        ...usedOf(quota, [...hard.keys()]),
      ]);
      const now = { hard: writeResourceList(hard), used: writeResourceList(used) };
      if (!sameAmounts(now.hard, status["hard"]) || !sameAmounts(now.used, status["used"])) {
        writer.update(quotaStorage, { ...quota, status: now }, "status");
      }
      return undefined;
    },
  };

  /** Returns whether a change of an object may reduce the usage of a quota. */
  function setsFree(
    storage: string,
    object: ApiObject,
    previous: ApiObject | undefined,
    type: string,
  ): boolean {
    if (type === "DELETED") {
      return true;
    }
    if (type === "ADDED" || previous === undefined) {
      return false;
    }
    switch (storage) {
      case "pods":
        return (
          hasDeadline(object) !== hasDeadline(previous) ||
          (isOver(object, clock.now()) && !isOver(previous, clock.now())) ||
          !jsonEqual(resourcesOf(object), resourcesOf(previous))
        );
      case "services":
        return specOf(object)["type"] !== specOf(previous)["type"];
      case "persistentvolumeclaims":
        return !jsonEqual(
          getPath(object["status"], "allocatedResources"),
          getPath(previous["status"], "allocatedResources"),
        );
      default:
        return false;
    }
  }
}

const nothing = { nanos: 0n, family: "decimal" } as const;

function requestsMore({ spec, status }: ApiObject, previous: ApiObject | undefined): boolean {
  return previous === undefined
    ? !sameAmounts(mapOf(spec)["hard"] ?? {}, mapOf(status)["hard"])
    : !sameAmounts(mapOf(spec)["hard"], mapOf(previous["spec"])["hard"]);
}

/** Returns the resources in a pod's container statuses. */
function resourcesOf(pod: ApiObject): unknown[] {
  const statuses = getPath(pod["status"], "containerStatuses");
  return Array.isArray(statuses) ? statuses.map((one) => getPath(one, "resources")) : [];
}
