import type { StatusCause } from "@typekube/core";
import { cause } from "../response/status-errors.js";
import {
  getPath,
  isJsonObject,
  type JsonObject,
  jsonEqual,
  omitKeys,
} from "../store/json-value.js";
import type { ApiObject } from "../store/stored-object.js";

/** Fields of a pod's spec that stay open for change. */
const alwaysOpen = ["activeDeadlineSeconds"];
/** What else may be chosen as long as something holds the pod back. */
const openWhileGated = ["affinity", "nodeSelector"];

/** What may be changed of each container, by the subresource that the change comes through. */
const openOfContainers: Readonly<Record<string, readonly string[]>> = {
  "": ["image"],
  resize: ["resources"],
};

const allowed =
  "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";
const fixedToleration = "existing toleration can not be modified except its tolerationSeconds";
const allowedByResize = "only cpu and memory resources are mutable";

/**
 * What a write changes of a pod that runs by what it was made with.
 *
 * @param isValid - what is wrong by itself hides what else may not change. Default true.
 */
export function podSpecCauses(
  subresource: string,
  object: ApiObject,
  before: ApiObject,
  isValid = true,
): StatusCause[] {
  if (subresource === "ephemeralcontainers") {
    return ephemeralCauses(specOf(object), specOf(before));
  }
  const openFields = openOfContainers[subresource];
  if (openFields === undefined) {
    return [];
  }
  const now = specOf(object);
  const then = specOf(before);
  const lists = changedLists(now, then);
  if (subresource === "" && lists.length > 0) {
    return lists.map((key) =>
      cause.forbidden(`spec.${key}`, "pod updates may not add or remove containers"),
    );
  }
  if (!isValid) {
    return [];
  }
  const open = subresource === "" ? openCauses(now, then) : [];
  const isGated = listOf(then["schedulingGates"]).length > 0;
  const kept = (spec: JsonObject) => fixed(spec, subresource, openFields, isGated);
  const isSame = jsonEqual(kept(now), kept(then));
  const refused = cause.forbidden("spec", subresource === "" ? allowed : allowedByResize);
  return isSame ? open : [...open, refused];
}

/** A container that was put into a running pod stays as it is. */
function ephemeralCauses(now: JsonObject, then: JsonObject): StatusCause[] {
  const key = "ephemeralContainers";
  const kept = listOf(now[key]);
  return listOf(then[key]).flatMap((container) => {
    const name = getPath(container, "name");
    const same = kept.find((one) => getPath(one, "name") === name);
    if (jsonEqual(same, container)) {
      return [];
    }
    const what = same === undefined ? "removed" : "changed";
    const why = `existing ephemeral containers ${JSON.stringify(name)} may not be ${what}\n`;
    return [cause.forbidden(`spec.${key}`, why)];
  });
}

function specOf(object: ApiObject): JsonObject {
  return isJsonObject(object["spec"]) ? object["spec"] : {};
}

/** Lists of containers that are longer or shorter than before. */
function changedLists(now: JsonObject, then: JsonObject): string[] {
  return ["containers", "initContainers"].filter(
    (key) => listOf(now[key]).length !== listOf(then[key]).length,
  );
}

/** What is wrong with fields that may change. */
function openCauses(now: JsonObject, then: JsonObject): StatusCause[] {
  return [
    ...deadlineCauses(now["activeDeadlineSeconds"], then["activeDeadlineSeconds"]),
    ...(keepsTolerations(now, then) ? [] : [cause.forbidden("spec.tolerations", fixedToleration)]),
    ...gateCauses(listOf(now["schedulingGates"]), listOf(then["schedulingGates"])),
  ];
}

/** A deadline may come, and may come closer. */
function deadlineCauses(now: unknown, then: unknown): StatusCause[] {
  const field = "spec.activeDeadlineSeconds";
  if (typeof then !== "number") {
    return [];
  }
  if (typeof now !== "number") {
    return [cause.invalid(field, null, "must not update from a positive integer to nil value")];
  }
  return now > then
    ? [cause.invalid(field, now, "must be less than or equal to previous value")]
    : [];
}

function gateCauses(now: readonly unknown[], then: readonly unknown[]): StatusCause[] {
  return now.flatMap((gate, at) => {
    if (then.some((one) => jsonEqual(one, gate))) {
      return [];
    }
    const name = isJsonObject(gate) ? String(gate["name"]) : "";
    const why = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return [cause.forbidden(`spec.schedulingGates[${at}].name`, why)];
  });
}

/** A spec without what may change. */
function fixed(
  spec: JsonObject,
  subresource: string,
  openFields: readonly string[],
  isGated: boolean,
): JsonObject {
  const rest =
    subresource === ""
      ? omitKeys(
          spec,
          "schedulingGates",
          "tolerations",
          ...alwaysOpen,
          ...(isGated ? openWhileGated : []),
        )
      : spec;
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
  const plain = (one: unknown) => (isJsonObject(one) ? omitKeys(one, "tolerationSeconds") : one);
  return listOf(then["tolerations"]).every((kept) =>
    all.some((one) => jsonEqual(plain(one), plain(kept))),
  );
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
