import type { ServerContext } from "../context/server-context.js";
import type { Write } from "../context/write.js";
import { forbidden } from "../errors/status-errors.js";
import { type ApiObject, normalized } from "../objects/api-object.js";
import { jsonEqual } from "../objects/json-value.js";
import { mapOf } from "../objects/parts.js";
import {
  difference,
  only,
  readResourceList,
  showResourceList,
  sum,
  withoutZeros,
  writeResourceList,
} from "../objects/resource-list.js";
import { timestamp } from "../objects/timestamp.js";
import { updateManagers } from "../phases/managed-fields/managed-fields.js";
import type { ServedResource } from "../resources/served-resource.js";
import { untyped } from "../schema/schema-node.js";
import { hasDeadline, isInScopes } from "./quota-scopes.js";
import { type QuotaKind, quotaKindOf } from "./quota-usage.js";

/** Storage name of resource quotas. */
export const quotaStorage = "resourcequotas";

/** A quota with its usage after a write. */
interface Charge {
  readonly key: string;
  readonly quota: ApiObject;
}

/**
 * Checks a write against the quotas of its namespace, based on `hard` and `used` in their status.
 *
 * @returns the charges to apply when the object is written.
 * @throws {StatusError} 403 when a quota forbids the write.
 */
export function checkQuotas(
  write: Write,
  object: ApiObject,
  before: ApiObject | undefined,
): readonly Charge[] {
  const { server, request } = write;
  const { resource, namespace } = request;
  const quotas = server.store.collection(quotaStorage);
  if (namespace === "" || quotas.size === 0) {
    return [];
  }
  const kind = quotaKindOf(resource.storage);
  if (kind === undefined || !isCounted(request.subresource, resource, object, before)) {
    return [];
  }
  return quotas.entries(`${namespace}/`).flatMap(([key, quota]) => {
    const charged = charge(write, kind, quota, object, before);
    return charged === undefined ? [] : [{ key, quota: charged }];
  });
}

/** Writes the new usage to the quotas. */
export function chargeQuotas(server: ServerContext, charges: readonly Charge[]): void {
  for (const { key, quota } of charges) {
    const before = server.store.collection(quotaStorage).get(key);
    const resource = server.registry.find("", "v1", quotaStorage);
    if (before === undefined || resource === undefined) {
      continue;
    }
    const managed = updateManagers({
      object: quota,
      before,
      // Quantity maps are owned per name, with or without a schema.
      schema: untyped,
      resource,
      manager: "kube-apiserver",
      subresource: "status",
      time: timestamp(server.clock),
    });
    server.store.put(quotaStorage, key, normalized(managed));
  }
}

/** Returns whether a write may change the usage. */
function isCounted(
  subresource: string,
  { storage }: ServedResource,
  object: ApiObject,
  before: ApiObject | undefined,
): boolean {
  if (before === undefined) {
    return true;
  }
  switch (storage) {
    case "pods":
      return (
        subresource === "resize" ||
        (subresource === "" && hasDeadline(object) !== hasDeadline(before))
      );
    case "services":
      return subresource === "";
    case "persistentvolumeclaims":
      return subresource === "" || subresource === "status";
    default:
      return false;
  }
}

/** Returns the quota after the write; `undefined` when it does not change. */
function charge(
  { server, request }: Write,
  kind: QuotaKind,
  quota: ApiObject,
  object: ApiObject,
  before: ApiObject | undefined,
): ApiObject | undefined {
  const status = mapOf(quota["status"]);
  const hard = readResourceList(status["hard"]);
  const used = readResourceList(status["used"]);
  const names = [...hard.keys()].filter((name) => kind.counts(name)).sort();
  if (names.length === 0 || !isInScopes(quota, object, kind.scope)) {
    return undefined;
  }
  const { name = "" } = quota.metadata;
  const refuse = (why: string) => forbidden(request.resource, object.metadata.name ?? "", why);
  const missing = kind.missing?.(object, names) ?? new Map();
  if (missing.size > 0) {
    const parts = [...missing].map(([one, lacking]) => `${one} for: ${lacking.join(",")}`);
    throw refuse(`failed quota: ${name}: must specify ${parts.join("; ")}`);
  }
  if (names.some((one) => !used.has(one))) {
    throw refuse(`status unknown for quota: ${name}, resources: ${names.join(",")}`);
  }
  const now = server.clock.now();
  const usage = kind.usage(object, now);
  // Charge only the increase. Decreases are left to the quota controller's recount.
  const more =
    before !== undefined && isInScopes(quota, before, kind.scope)
      ? difference(usage, kind.usage(before, now))
      : usage;
  const requested = only(withoutZeros(more), hard.keys());
  const after = sum(used, requested);
  const exceeded = [...requested.keys()].filter(
    (one) => (after.get(one)?.nanos ?? 0n) > (hard.get(one)?.nanos ?? 0n),
  );
  if (exceeded.length > 0 && request.subresource !== "status") {
    const show = (list: typeof used) => showResourceList(only(list, exceeded));
    throw refuse(
      `exceeded quota: ${name}, requested: ${show(requested)}, used: ${show(used)}, limited: ${show(hard)}`,
    );
  }
  const written = writeResourceList(after);
  return jsonEqual(written, status["used"])
    ? undefined
    : { ...quota, status: { ...status, used: written } };
}
