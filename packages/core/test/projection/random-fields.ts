/**
 * Returns random paths into a decoded object: to fields, through lists and into maps, some of them twice, some of fields
 * that the object lacks.
 */
export function randomFields(object: unknown, random: () => number): string[] {
  const all = [...pathsInto(object, "")];
  const fields = ["spec.noSuchField", 'metadata.annotations["no.such/key"]'];
  for (let i = Math.floor(random() * 8); i >= 0; i--) {
    fields.push(all[Math.floor(random() * all.length)] ?? "spec");
  }
  return fields;
}

/** Paths to all fields of a value, each once per place. */
function* pathsInto(value: unknown, path: string): Iterable<string> {
  if (path !== "") {
    yield path;
  }
  if (Array.isArray(value)) {
    for (const item of value) {
      for (const inner of pathsInto(item, path)) {
        if (inner !== path) {
          yield inner;
        }
      }
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [name, field] of Object.entries(value)) {
      const step = /^[^.[\]"]+$/.test(name)
        ? `${path === "" ? "" : "."}${name}`
        : `[${JSON.stringify(name)}]`;
      yield* pathsInto(field, path + step);
    }
  }
}

/** Returns a copy with fields, entries and items left out at random, and with objects and lists emptied. */
export function randomlyPruned<T>(value: T, random: () => number): T {
  if (random() < 0.03) {
    return (Array.isArray(value) ? [] : isObject(value) ? {} : value) as T;
  }
  if (Array.isArray(value)) {
    return value.filter(() => random() < 0.9).map((item) => randomlyPruned(item, random)) as T;
  }
  return isObject(value)
    ? (Object.fromEntries(
        Object.entries(value)
          .filter(([name]) => name === "kind" || name === "apiVersion" || random() < 0.7)
          .map(([name, field]) => [name, randomlyPruned(field, random)]),
      ) as T)
    : value;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
