import type { JsonObject } from "../../objects/json-value.js";
import { objectsOf } from "../../objects/parts.js";

/** A container and its path. */
export interface PlacedContainer {
  readonly container: JsonObject;
  readonly path: string;
}

/** Returns the containers of a pod with their paths, in the order of the lists: by default init and regular ones. */
export function placedContainers(
  spec: JsonObject,
  path: string,
  lists: readonly string[] = ["initContainers", "containers"],
): PlacedContainer[] {
  return lists.flatMap((list) =>
    objectsOf(spec[list]).map((container, at) => ({ container, path: `${path}.${list}[${at}]` })),
  );
}

/** Lists of containers in a pod spec, in the order in which they are checked. */
export const containerLists: readonly string[] = [
  "initContainers",
  "containers",
  "ephemeralContainers",
];
