import type { JsonPatchOperation } from "../../../apiserver/src/phases/patch/json-patch.js";

type Random = () => number;

const keys = ["a", "b", "~", "/", "", "a b", "0", "-"];
const scalars = [null, true, false, 0, 1, -1.5, "", "a", "1"];

/** Returns a random JSON value that nests at most `depth` levels. */
export function randomValue(random: Random, depth: number): unknown {
  const kind = depth === 0 ? 1 : random();
  if (kind < 0.35) {
    return randomObject(random, depth);
  }
  return kind < 0.65
    ? Array.from({ length: below(random, 4) }, () => randomValue(random, depth - 1))
    : pick(random, scalars);
}

/** Returns a random JSON object. */
export function randomObject(random: Random, depth: number): Record<string, unknown> {
  const names = Array.from({ length: below(random, 5) }, () => pick(random, keys));
  return Object.fromEntries(names.map((name) => [name, randomValue(random, depth - 1)]));
}

/** Returns a random operation, mostly on places that exist in the document. */
export function randomOperation(random: Random, document: unknown): JsonPatchOperation {
  const op = pick(random, ["add", "copy", "move", "remove", "replace", "test"]);
  const path = randomPath(random, document);
  if (op === "copy" || op === "move") {
    return { op, path, from: randomPath(random, document) };
  }
  if (op === "remove") {
    return { op, path };
  }
  const { found } = lookUp(document, path);
  return {
    op,
    path,
    value: random() < 0.5 && found !== undefined ? found : randomValue(random, 2),
  };
}

function randomPath(random: Random, document: unknown): string {
  let path = "";
  let value = document;
  while (typeof value === "object" && value !== null && random() < 0.85) {
    const isMade = random() < 0.15;
    const made = Array.isArray(value)
      ? ["-", "-1", "-9", "01", "7", "x", String(value.length)]
      : keys;
    const key = isMade ? pick(random, made) : pick(random, Object.keys(value));
    if (key === undefined) {
      return path;
    }
    path += `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    value = (value as Record<string, unknown>)[key];
  }
  return path;
}

/** Place in a document that a pointer leads to. */
export interface Place {
  /** Object or list that holds the value; `undefined` when it does not exist. */
  readonly parent: unknown;
  readonly key: string | undefined;
  /** The value; `undefined` when it does not exist. */
  readonly found: unknown;
  /** `true` when an index of a list on the way is not a plain number. */
  readonly hasOddIndex: boolean;
}

/** Finds the place of a pointer, by plain keys and indexes only. */
export function lookUp(document: unknown, pointer: string): Place {
  let place: Place = { parent: undefined, key: undefined, found: document, hasOddIndex: false };
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    const parent = place.found;
    const isHolder = typeof parent === "object" && parent !== null;
    const found =
      isHolder && Object.hasOwn(parent, key) ? (parent as Record<string, unknown>)[key] : undefined;
    const isOdd = Array.isArray(parent) && !/^(?:0|[1-9]\d*)$/.test(key);
    place = {
      parent: isHolder ? parent : undefined,
      key,
      found,
      hasOddIndex: place.hasOddIndex || isOdd,
    };
  }
  return place;
}

function pick<T>(random: Random, from: readonly T[]): T {
  return from[below(random, from.length)] as T;
}

function below(random: Random, end: number): number {
  return Math.floor(random() * end);
}
