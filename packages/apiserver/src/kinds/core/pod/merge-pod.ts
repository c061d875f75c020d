import type { ApiObject } from "../../../objects/api-object.js";
import type { JsonObject } from "../../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../../objects/parts.js";

/** Keeps the QoS class of a pod if a status write omits it. */
export function withQosClass(status: unknown, old: ApiObject): JsonObject {
  const { qosClass } = mapOf(old["status"]);
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
const podParts: Readonly<Record<string, (given: JsonObject, old: JsonObject) => JsonObject>> = {
  ephemeralcontainers: (given, old) => ({ ...old, ...only(given, "ephemeralContainers") }),
  resize: (given, old) => ({
    ...old,
    ...resized("containers", given, old),
    ...resized("initContainers", given, old),
  }),
};

/** Sets the resources of containers; if their number differs, returns the given containers for validation to reject. */
function resized(list: string, given: JsonObject, old: JsonObject): JsonObject {
  const [containers, oldContainers] = [objectsOf(given[list]), objectsOf(old[list])];
  if (containers.length !== oldContainers.length) {
    return { [list]: containers };
  }
  return containers.length === 0
    ? {}
    : {
        [list]: oldContainers.map((container, at) => ({
          ...container,
          ...only(containers[at] ?? {}, "resources"),
          ...only(containers[at] ?? {}, "resizePolicy"),
        })),
      };
}

function only(object: JsonObject, key: string): JsonObject {
  return object[key] === undefined ? {} : { [key]: object[key] };
}
