import { isJsonObject, type Selection } from "@typekube/core/internal";

/**
 * Returns the paths of an applied object that a selection does not keep completely: the shortest ones, for people. A list
 * counts as one value.
 */
export function unseenFields(applied: unknown, kept: Selection | undefined, path = ""): string[] {
  if (kept?.whole === true) {
    return [];
  }
  if (kept === undefined || !isJsonObject(applied)) {
    return applied === undefined ? [] : [path];
  }
  return Object.entries(applied).flatMap(([name, value]) => {
    // Servers store it as data.
    const stored = path === "" && name === "stringData" ? "data" : name;
    const step = path === "" ? stored : `${path}.${stored}`;
    return unseenFields(value, kept.fields.get(stored), step);
  });
}
