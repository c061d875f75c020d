import type { ApiObject } from "../objects/api-object.js";
import type { JsonObject } from "../objects/json-value.js";
import type { DeleteOptions } from "../request/delete-options.js";
import type { ResourceRequest } from "../request/request-info.js";
import type { AdmissionAttributes } from "./attributes.js";
import { kindOf } from "./matching/kind-of.js";

/** The deletion of one object. */
export interface Deletion {
  readonly request: Pick<ResourceRequest, "resource" | "user">;
  readonly options: DeleteOptions;
  /** The object in the version of the request. */
  readonly old: ApiObject;
  /** `true` for an item of a deleted collection: plugins then get no name, as on real servers. */
  readonly isItem: boolean;
}

/** Returns the attributes of a deletion. */
export function deleteAttributes({ request, options, old, isItem }: Deletion): AdmissionAttributes {
  const { resource, user } = request;
  const { name = "", namespace = "" } = old.metadata;
  // A pod's grace period is known before admission.
  const gracePeriodSeconds = isItem
    ? options.gracePeriodSeconds
    : (resource.strategy.gracePeriod?.(old, options) ?? options.gracePeriodSeconds);
  return {
    operation: "DELETE",
    resource,
    subresource: "",
    kind: kindOf(resource, ""),
    name: isItem ? "" : name,
    namespace: resource.groupResource === "namespaces" && !isItem ? name : namespace,
    object: undefined,
    oldObject: old,
    options: shownOptions({ ...options, gracePeriodSeconds }),
    user,
    dryRun: options.dryRun,
  };
}

/** Returns options as an API object. */
function shownOptions(options: DeleteOptions): JsonObject {
  const { gracePeriodSeconds, propagationPolicy, uid, resourceVersion, dryRun } = options;
  const preconditions = defined({ uid, resourceVersion });
  return {
    kind: "DeleteOptions",
    apiVersion: "meta.k8s.io/v1",
    ...defined({
      gracePeriodSeconds,
      preconditions: Object.keys(preconditions).length === 0 ? undefined : preconditions,
      propagationPolicy,
      dryRun: dryRun ? ["All"] : undefined,
    }),
  };
}

function defined(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
