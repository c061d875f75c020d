import type { StatusCause } from "@typekube/core";
import { getPath, jsonEqual } from "./json-value.js";
import type { ServedResource } from "./served-resource.js";
import { cause } from "./status-errors.js";
import type { ApiObject } from "./stored-object.js";

/** Fields that keep their first value, by kind. */
const immutableFields: Readonly<Record<string, readonly string[]>> = {
  secrets: ["type"],
  "daemonsets.apps": ["spec.selector"],
  "deployments.apps": ["spec.selector"],
  "replicasets.apps": ["spec.selector"],
  "jobs.batch": ["spec.selector"],
  "clusterrolebindings.rbac.authorization.k8s.io": ["roleRef"],
  "rolebindings.rbac.authorization.k8s.io": ["roleRef"],
};

/** What an update changes that may not change any more. */
export function immutableFieldCauses(
  { storage }: ServedResource,
  object: ApiObject,
  before: ApiObject,
): StatusCause[] {
  const changed = (immutableFields[storage] ?? []).flatMap((field) => {
    const [now, then] = [object, before].map((of) => getPath(of, ...field.split(".")));
    return jsonEqual(now ?? null, then ?? null)
      ? []
      : [cause.invalid(field, now ?? null, "field is immutable")];
  });
  return [...changed, ...frozenCauses(storage, object, before)];
}

/** A ConfigMap or a Secret can be frozen for good. */
function frozenCauses(storage: string, object: ApiObject, before: ApiObject): StatusCause[] {
  if ((storage !== "configmaps" && storage !== "secrets") || before["immutable"] !== true) {
    return [];
  }
  return ["immutable", "data", "binaryData"]
    .filter((field) => !jsonEqual(object[field] ?? null, before[field] ?? null))
    .map((field) => cause.forbidden(field, "field is immutable when `immutable` is set"));
}
