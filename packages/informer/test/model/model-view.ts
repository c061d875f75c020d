import { isDeepStrictEqual } from "node:util";
import type { Live } from "@typekube/api";
import type { InformerIndex, Transform } from "@typekube/informer";
import type { Setting } from "./model-plan.js";
import type { Thing } from "./model-server.js";
import { show } from "./rebuilding-handler.js";

/** Index functions: of one value, of many of which some are the same, and one that fails now and then. */
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

/** Every value that they give. */
const indexValues = ["t0", "t1", "t2", "v0", "v1", "v2", "true", "false"];

/** What a setting makes of objects on their way into the cache. */
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

/** What a cache has of these objects, by name. */
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

/** Where indexes do not have what is listed. */
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
