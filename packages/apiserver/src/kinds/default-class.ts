import type { Collection } from "../store/collection.js";

/**
 * Returns the name of the newest class marked as default by an annotation; of several from the same second, the first
 * by name.
 */
export function defaultClass(classes: Collection, annotation: string): string | undefined {
  if (classes.size === 0) {
    return undefined;
  }
  const [newest] = classes
    .entries("")
    .map(([, one]) => one)
    .filter(({ metadata }) => metadata.annotations?.[annotation] === "true")
    .sort(
      (a, b) =>
        (b.metadata.creationTimestamp ?? "").localeCompare(a.metadata.creationTimestamp ?? "") ||
        (a.metadata.name ?? "").localeCompare(b.metadata.name ?? ""),
    );
  return newest?.metadata.name;
}
