import type { ApiObject } from "../../../objects/api-object.js";
import type { JsonObject } from "../../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../../objects/parts.js";

/** Keeps the QoS class of a pod if a status write omits it. */
export function withQosClass(status: unknown, before: ApiObject): JsonObject {
  const { qosClass } = mapOf(before["status"]);
  const given = mapOf(status);
  return qosClass !== undefined && (given["qosClass"] ?? "") === ""
    ? { ...given, qosClass }
    : given;
}

/** Returns the spec to store for a write through `ephemeralcontainers` or `resize`. */
export function mergePodSpec(
  subresource: string,
  given: ApiObject,
  old: ApiObject,
): JsonObject | undefined {
  return podParts[subresource]?.(specOf(given), specOf(old));
}

/** Parts of a pod spec that are written through their own subresource. */
const podParts: Readonly<Record<string, (given: JsonObject, before: JsonObject) => JsonObject>> = {
  ephemeralcontainers: (given, before) => ({ ...before, ...only(given, "ephemeralContainers") }),
  resize: (given, before) => ({
    ...before,
    ...resized("containers", given, before),
    ...resized("initContainers", given, before),
  }),
};

/** Sets the resources of containers; if their number differs, returns the given containers for validation to reject. */
function resized(list: string, given: JsonObject, before: JsonObject): JsonObject {
  const [now, then] = [objectsOf(given[list]), objectsOf(before[list])];
  if (now.length !== then.length) {
    return { [list]: now };
  }
  return now.length === 0
    ? {}
    : {
        [list]: then.map((container, at) => ({
          ...container,
          ...only(now[at] ?? {}, "resources"),
          ...only(now[at] ?? {}, "resizePolicy"),
        })),
      };
}

function only(object: JsonObject, key: string): JsonObject {
  return object[key] === undefined ? {} : { [key]: object[key] };
}
