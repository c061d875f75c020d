import type { ApiObject } from "../../../objects/api-object.js";
import type { JsonObject } from "../../../objects/json-value.js";
import { mapOf, objectsOf, specOf, withSpec } from "../../../objects/parts.js";

/** Sets apiVersion and kind of volume claim templates, whatever they contain. */
export function withClaimKinds(set: ApiObject): ApiObject {
  const templates = objectsOf(specOf(set)["volumeClaimTemplates"]);
  if (templates.length === 0) {
    return set;
  }
  const volumeClaimTemplates = templates.map((one) => ({
    ...one,
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    status: { phase: "Pending", ...mapOf(one["status"]) },
  }));
  return withSpec(set, { volumeClaimTemplates });
}

/** Adds the volumes of a StatefulSet's claims to its template; they replace template volumes of the same name. */
export function withClaimedVolumes(spec: JsonObject, template: JsonObject): JsonObject {
  const names = new Set(
    objectsOf(spec["volumeClaimTemplates"]).map(({ metadata }) => mapOf(metadata)["name"]),
  );
  const claimed = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const podSpec = mapOf(template["spec"]);
  const own = objectsOf(podSpec["volumes"]).filter(({ name }) => !names.has(name));
  return claimed.length === 0
    ? template
    : { ...template, spec: { ...podSpec, volumes: [...claimed, ...own] } };
}
