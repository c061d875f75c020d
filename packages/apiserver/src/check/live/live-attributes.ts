import type { ResourceDescriptor } from "@typekube/api";
import type { AdmissionAttributes, AdmissionOperation } from "../../admission/attributes.js";
import { findMatch } from "../../admission/matching/find-match.js";
import { isExempt, isReview } from "../../admission/matching/is-exempt.js";
import { kindOf } from "../../admission/matching/kind-of.js";
import { type JsonObject, omitKeys } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { administrator } from "../../objects/user.js";
import type { ServedResource } from "../../resources/served-resource.js";
import type { CheckServer } from "../engine/check-server.js";

/** A resource whose objects a policy may match, and the write that is tried. */
export interface LiveResource {
  readonly descriptor: ResourceDescriptor;
  readonly resource: ServedResource;
  readonly operation: "CREATE" | "UPDATE";
}

/**
 * Returns the resources of a cluster whose objects a policy may match: as an update if it matches updates, otherwise as a
 * create. Objects that are served in several versions or groups are taken once.
 *
 * @param constraints - `matchConstraints` of the policy.
 */
export function liveResources(
  { context: { registry } }: CheckServer,
  served: readonly ResourceDescriptor[],
  constraints: unknown,
): LiveResource[] {
  const { matchPolicy, ...lists } = mapOf(constraints);
  // Names and scopes are matched object by object.
  const rules = objectsOf(lists["resourceRules"]).map((rule) =>
    omitKeys(rule, "resourceNames", "scope"),
  );
  const match = { rules, matchPolicy: matchPolicy === "Exact" ? "Exact" : "Equivalent" } as const;
  const found = new Map<string, LiveResource>();
  for (const descriptor of served.filter(({ verbs }) => verbs.includes("list"))) {
    const resource = registry.find(descriptor.group, descriptor.version, descriptor.plural);
    if (resource === undefined || found.has(resource.storage)) {
      continue;
    }
    const operation = (["UPDATE", "CREATE"] as const).find((one) => {
      const attributes = liveAttributes(resource, one, {});
      return (
        !isExempt(attributes) &&
        !isReview(attributes) &&
        findMatch(match, attributes, registry) !== undefined
      );
    });
    if (operation !== undefined) {
      found.set(resource.storage, { descriptor, resource, operation });
    }
  }
  return [...found.values()];
}

/** Returns the attributes of a write that changes nothing of an object of a cluster, by an administrator. */
export function liveAttributes(
  resource: ServedResource,
  operation: Extract<AdmissionOperation, "CREATE" | "UPDATE">,
  object: JsonObject,
): AdmissionAttributes {
  const metadata = mapOf(object["metadata"]);
  const name = String(metadata["name"] ?? "");
  return {
    operation,
    resource,
    subresource: "",
    kind: kindOf(resource, ""),
    name,
    namespace: resource.groupResource === "namespaces" ? name : String(metadata["namespace"] ?? ""),
    object,
    oldObject: operation === "UPDATE" ? object : undefined,
    options: {
      kind: operation === "UPDATE" ? "UpdateOptions" : "CreateOptions",
      apiVersion: "meta.k8s.io/v1",
    },
    user: administrator,
    dryRun: true,
  };
}
