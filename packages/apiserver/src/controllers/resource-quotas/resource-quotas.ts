import { quotaKindOf } from "../../admission/quota-usage.js";
import { quotaStorage } from "../../admission/resource-quota.js";
import type { ApiObject } from "../../objects/api-object.js";
import { mapOf, specOf } from "../../objects/parts.js";
import {
  only,
  readResourceList,
  sameAmounts,
  writeResourceList,
} from "../../objects/resource-list.js";
import type { StoreEvent } from "../../store/history.js";
import { splitKey } from "../pods/owned-pods.js";
import type { Controller } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { mayFreeUsage } from "./may-free-usage.js";
import { usedOf } from "./used-of.js";

/**
 * Maintains the status of ResourceQuotas: copies `hard` and counts `used`. Writes increase `used` themselves; this
 * controller sets it initially and decreases it.
 */
export function createQuotaController(context: ControllerParts): Controller {
  const prepared = context.writer.prepare([quotaStorage]);
  return {
    name: "resource-quotas",
    keysOf: (event, storage) => keysOf(context, event, storage),
    async reconcile(key) {
      await prepared;
      recount(context, key);
      return undefined;
    },
  };
}

function* keysOf(
  { server }: ControllerParts,
  event: StoreEvent,
  storage: string,
): Iterable<string> {
  const { key, namespace, object, previous, type } = event;
  if (storage === quotaStorage && type !== "DELETED" && changesLimits(object, previous)) {
    yield key;
  }
  const quotas = server.store.collection(quotaStorage);
  if (quotas.size > 0 && namespace !== "" && mayFreeUsage(event, storage, server.clock)) {
    const kind = quotaKindOf(storage);
    for (const [one, quota] of quotas.entries(`${namespace}/`)) {
      if (Object.keys(mapOf(specOf(quota)["hard"])).some((name) => kind?.counts(name))) {
        yield one;
      }
    }
  }
}

/** Counts the usage of a quota and writes its status if the amounts changed. */
function recount({ server, writer }: ControllerParts, key: string): void {
  const quota = writer.get(quotaStorage, ...splitKey(key));
  if (quota === undefined) {
    return;
  }
  const status = mapOf(quota["status"]);
  const hard = readResourceList(specOf(quota)["hard"]);
  // Keep the reported usage of resources that can't be counted.
  const used = new Map([
    ...only(readResourceList(status["used"]), hard.keys()),
    ...usedOf(writer, quota, [...hard.keys()], server.clock.now()),
  ]);
  const now = { hard: writeResourceList(hard), used: writeResourceList(used) };
  if (!sameAmounts(now.hard, status["hard"]) || !sameAmounts(now.used, status["used"])) {
    writer.update(quotaStorage, { ...quota, status: now }, "status");
  }
}

/** Returns whether a quota is new or has other limits, so that its status is outdated. */
function changesLimits({ spec, status }: ApiObject, previous: ApiObject | undefined): boolean {
  return previous === undefined
    ? !sameAmounts(mapOf(spec)["hard"] ?? {}, mapOf(status)["hard"])
    : !sameAmounts(mapOf(spec)["hard"], mapOf(previous["spec"])["hard"]);
}
