import { readFileSync } from "node:fs";
import type { KubeObject } from "@typekube/api";
import { codecs } from "@typekube/core/internal";

/** An object with one changed field. */
export interface Mutation {
  /** Kind, path and new value: `Pod spec.hostname = ".."`. */
  readonly name: string;
  readonly object: KubeObject;
}

type Step = number | string;
type Tree = Record<Step, unknown>;

/** Strings that replace each string. In addition, each field is removed and each list item is duplicated. */
const texts = ["", "Bad_Name!", "..", "a".repeat(300), "1.2.3.4", "x/y"];
const numbers = [-1, 0, 70_000, 99_999_999_999];

/** Reads the valid objects. */
export async function readRichObjects(): Promise<readonly KubeObject[]> {
  const text = readFileSync(new URL("rich-objects.yaml", import.meta.url));
  const objects = (await codecs.yaml.decode(text)) as unknown as readonly KubeObject[];
  return objects.map((object) => ({ metadata: { name: "x" }, ...object }));
}

/** Yields an object with each of its fields set to wrong values in turn. */
export function* mutationsOf(object: KubeObject): Generator<Mutation> {
  for (const path of placesIn(object)) {
    const what = `${object.kind} ${path.join(".")}`;
    const old = at(object, path);
    for (const value of valuesFor(old)) {
      yield { name: `${what} = ${shown(value)}`, object: withValue(object, path, value) };
    }
    if (Array.isArray(at(object, path.slice(0, -1)))) {
      yield { name: `${what} twice`, object: withItem(object, path.slice(0, -1), old) };
    } else {
      yield { name: `${what} left out`, object: withValue(object, path, undefined) };
    }
  }
}

const notMutated: readonly Step[] = ["apiVersion", "kind", "metadata"];

function* placesIn(value: unknown, path: readonly Step[] = []): Generator<readonly Step[]> {
  if (path.length > 0) {
    yield path;
  }
  if (typeof value === "object" && value !== null) {
    const steps: Step[] = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
    for (const step of steps) {
      if (path.length > 0 || !notMutated.includes(step)) {
        yield* placesIn((value as Tree)[step], [...path, step]);
      }
    }
  }
}

function valuesFor(old: unknown): readonly unknown[] {
  switch (typeof old) {
    case "string":
      return texts;
    case "number":
      return [...numbers, "x/y"];
    case "object":
      return Array.isArray(old) ? [[]] : [{}];
    default:
      return [];
  }
}

function at(tree: unknown, path: readonly Step[]): unknown {
  return path.reduce((inner, step) => (inner as Tree)[step], tree);
}

function withValue(object: KubeObject, path: readonly Step[], value: unknown): KubeObject {
  const copy = structuredClone(object);
  const parent = at(copy, path.slice(0, -1)) as Tree;
  const last = path.at(-1) ?? "";
  if (value === undefined) {
    delete parent[last];
  } else {
    parent[last] = value;
  }
  return copy;
}

function withItem(object: KubeObject, path: readonly Step[], item: unknown): KubeObject {
  const copy = structuredClone(object);
  (at(copy, path) as unknown[]).push(structuredClone(item));
  return copy;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 20 ? `${text.slice(0, 5)}…" of ${String(value).length}` : text;
}
