import { isDeepStrictEqual } from "node:util";
import type { Live } from "@typekube/api";
import type { InformerIndex, Transform } from "@typekube/informer";
import type { Setting } from "./model-plan.js";
import type { Thing } from "./model-server.js";
import { show } from "./rebuilding-handler.js";

/** Index functions: one with a single value, one with several values and duplicates, and one that sometimes throws. */
export const indexes: readonly ((object: Live<Thing>) => string[])[] = [
  ({ metadata }: Live<Thing>) => [metadata.labels?.["tier"] ?? ""],
  ({ data }: Live<Thing>) =>
    Array.from({ length: (data?.value ?? 0) % 4 }, (_, i) => `v${((data?.value ?? 0) + i) % 3}`),
  ({ data }: Live<Thing>) => {
    if (data?.value === 5) {
      throw new Error("no index of five");
    }
    return [String((data?.value ?? 0) > 11)];
  },
];

/** All values that they return. */
const indexValues = ["t0", "t1", "t2", "v0", "v1", "v2", "true", "false"];

/** Returns the transform of a setting. */
export function transformOf({ transform }: Setting): Transform<Thing> | undefined {
  if (transform === "none") {
    return undefined;
  }
  return (object) => {
    const value = object.data?.value ?? 0;
    if (transform === "picky" && value % 3 === 0) {
      return undefined;
    }
    if (transform === "throws" && value % 4 === 0) {
      throw new Error("the transform fails");
    }
    delete object.data?.large;
    return object;
  };
}

/** Returns the cache content for these objects, by name. */
export function contentOf(
  objects: readonly Live<Thing>[],
  setting: Setting,
): Map<string, Live<Thing>> {
  const transform = transformOf(setting) ?? ((object: Live<Thing>) => object);
  const content = new Map<string, Live<Thing>>();
  for (const object of objects) {
    try {
      const taken = transform(structuredClone(object));
      if (taken !== undefined) {
        content.set(object.metadata.name, taken);
      }
    } catch {
      // Left out.
    }
  }
  return content;
}

/** Returns the differences between the indexes and the listed objects. */
export function indexProblems(
  added: ReadonlyMap<number, InformerIndex<Thing>>,
  listed: readonly Live<Thing>[],
): string[] {
  return [...added].flatMap(([of, index]) =>
    indexValues.flatMap((value) => {
      const due = listed.filter((object) => hasValue(of, object, value)).map(show);
      const has = index.get(value).map(show);
      return isDeepStrictEqual(has.sort(), due.sort())
        ? []
        : [`index ${of} has [${has}] under ${value}, not [${due}]`];
    }),
  );
}

function hasValue(of: number, object: Live<Thing>, value: string): boolean {
  try {
    return indexes[of]?.(object).includes(value) === true;
  } catch {
    return false;
  }
}
