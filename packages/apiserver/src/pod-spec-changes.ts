import type { StatusCause } from "@typekube/core";
import { isJsonObject, type JsonObject, jsonEqual, omitKeys } from "./json-value.js";
import { cause } from "./status-errors.js";
import type { ApiObject } from "./stored-object.js";

/** Fields of a pod's spec that stay open for change. */
const open = ["activeDeadlineSeconds", "terminationGracePeriodSeconds"];

/** What may be changed of each container, by the subresource that the change comes through. */
const openOfContainers: Readonly<Record<string, readonly string[]>> = {
  "": ["image"],
  resize: ["resources"],
};

const allowed =
  "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";
const allowedByResize = "only cpu and memory resources are mutable";

/** What a write changes of a pod that runs by what it was made with. */
export function podSpecCauses(
  subresource: string,
  object: ApiObject,
  before: ApiObject,
): StatusCause[] {
  const openFields = openOfContainers[subresource];
  if (openFields === undefined) {
    return [];
  }
  const now = specOf(object);
  const then = specOf(before);
  const isSame =
    jsonEqual(fixed(now, subresource, openFields), fixed(then, subresource, openFields)) &&
    (subresource !== "" || keepsTolerations(now, then));
  return isSame ? [] : [cause.forbidden("spec", subresource === "" ? allowed : allowedByResize)];
}

function specOf(object: ApiObject): JsonObject {
  return isJsonObject(object["spec"]) ? object["spec"] : {};
}

/** A spec without what may change. */
function fixed(spec: JsonObject, subresource: string, openFields: readonly string[]): JsonObject {
  const rest = subresource === "" ? omitKeys(spec, "tolerations", ...open) : spec;
  return {
    ...rest,
    containers: withoutFields(rest["containers"], openFields),
    initContainers: withoutFields(rest["initContainers"], openFields),
  };
}

function withoutFields(containers: unknown, fields: readonly string[]): unknown {
  return Array.isArray(containers)
    ? containers.map((container) =>
        isJsonObject(container) ? omitKeys(container, ...fields) : container,
      )
    : [];
}

function keepsTolerations(now: JsonObject, then: JsonObject): boolean {
  const all = listOf(now["tolerations"]);
  return listOf(then["tolerations"]).every((kept) => all.some((one) => jsonEqual(one, kept)));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
