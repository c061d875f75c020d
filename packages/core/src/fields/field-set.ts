import { tooDeep } from "../bytes/bytes.js";
import { isJsonObject, type JsonObject } from "../objects/json-value.js";
import { setOwn } from "../objects/own-property.js";
import { defaultLimits } from "../options/limits.js";
import { elementFromText, elementToText, type FieldPath } from "./field-path.js";

/**
 * A set of field paths in an object, such as the fields that one entry of managedFields owns. It is a tree with one
 * level per step of a path. Steps are in the notation of `fieldsV1`: `f:spec`, `k:{"name":"web"}`, `v:"x"`.
 */
export interface FieldSet {
  /** Steps at this level whose paths are in the set themselves. */
  readonly members: ReadonlySet<string>;
  /** Sets of the paths below a step. Never contains an empty set. */
  readonly children: ReadonlyMap<string, FieldSet>;
}

/** The empty set. */
export const emptyFieldSet: FieldSet = { members: new Set(), children: new Map() };

/** Returns whether a set is empty. */
export function isEmptyFieldSet({ members, children }: FieldSet): boolean {
  return members.size === 0 && children.size === 0;
}

/**
 * Parses `fieldsV1`. Returns the empty set for a value that is not a field set. Keeps steps of unknown form unchanged.
 *
 * @throws {KubeError} `TooLarge` for sets that nest deeper than the default `maxDepth`, which no object does.
 */
export function readFieldsV1(fieldsV1: unknown): FieldSet {
  return readFieldSet(fieldsV1, defaultLimits.maxDepth);
}

/** {@link readFieldsV1} with another limit than the default `maxDepth`. */
export function readFieldSet(fieldsV1: unknown, maxDepth: number, depth = 0): FieldSet {
  if (!isJsonObject(fieldsV1)) {
    return emptyFieldSet;
  }
  if (depth > maxDepth) {
    throw tooDeep("fieldsV1", maxDepth);
  }
  const members = new Set<string>();
  const children = new Map<string, FieldSet>();
  for (const key of Object.keys(fieldsV1)) {
    const value = fieldsV1[key];
    if (key === "." || !isJsonObject(value)) {
      continue;
    }
    const step = normalized(key);
    if (Object.keys(value).length === 0 || Object.hasOwn(value, ".")) {
      members.add(step);
    }
    const child = readFieldSet(value, maxDepth, depth + 1);
    if (!isEmptyFieldSet(child)) {
      children.set(step, child);
    }
  }
  return { members, children };
}

/** Returns the same spelling for an item, whatever the order of its keys. */
function normalized(step: string): string {
  const element = step.startsWith("f:") ? undefined : elementFromText(step);
  return element === undefined ? step : elementToText(element);
}

/** Formats a set as `fieldsV1`, with its keys in the same order as servers write them. */
export function writeFieldsV1(set: FieldSet): JsonObject {
  return withFieldsV1({}, set);
}

function withFieldsV1(fields: JsonObject, { members, children }: FieldSet): JsonObject {
  const below = [...children.keys()].filter((step) => !members.has(step));
  for (const step of [...members, ...below].sort()) {
    const child = children.get(step);
    const own: JsonObject = child !== undefined && members.has(step) ? { ".": {} } : {};
    setOwn(fields, step, child === undefined ? own : withFieldsV1(own, child));
  }
  return fields;
}

/** Returns the paths in either set. */
export function unionFieldSets(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptyFieldSet(a)) {
    return b;
  }
  if (isEmptyFieldSet(b)) {
    return a;
  }
  return combine(a, b, [...a.members, ...b.members], unionFieldSets);
}

/** Returns the paths in both sets. */
export function intersectFieldSets(a: FieldSet, b: FieldSet): FieldSet {
  const members = [...a.members].filter((step) => b.members.has(step));
  return combine(a, b, members, intersectFieldSets);
}

/** Returns the paths of the first set that are not in the second. */
export function subtractFieldSets(a: FieldSet, b: FieldSet): FieldSet {
  const members = [...a.members].filter((step) => !b.members.has(step));
  return combine(a, b, members, subtractFieldSets);
}

function combine(
  a: FieldSet,
  b: FieldSet,
  members: Iterable<string>,
  inner: (a: FieldSet, b: FieldSet) => FieldSet,
): FieldSet {
  const children = new Map<string, FieldSet>();
  for (const step of new Set([...a.children.keys(), ...b.children.keys()])) {
    const child = inner(
      a.children.get(step) ?? emptyFieldSet,
      b.children.get(step) ?? emptyFieldSet,
    );
    if (!isEmptyFieldSet(child)) {
      children.set(step, child);
    }
  }
  return { members: new Set(members), children };
}

/** Returns every path in the set, in order. Omits paths with a step of unknown form. */
export function pathsOfFieldSet(set: FieldSet): FieldPath[] {
  const paths: FieldPath[] = [];
  const walk = ({ members, children }: FieldSet, above: FieldPath) => {
    for (const step of [...new Set([...members, ...children.keys()])].sort()) {
      const element = elementFromText(step);
      if (element !== undefined) {
        const path = [...above, element];
        if (members.has(step)) {
          paths.push(path);
        }
        walk(children.get(step) ?? emptyFieldSet, path);
      }
    }
  };
  walk(set, []);
  return paths;
}

/** Returns the set of these paths. */
export function fieldSetOf(paths: Iterable<FieldPath>): FieldSet {
  let set = emptyFieldSet;
  for (const path of paths) {
    set = unionFieldSets(set, only(path.map(elementToText)));
  }
  return set;
}

function only([first, ...rest]: readonly string[]): FieldSet {
  if (first === undefined) {
    return emptyFieldSet;
  }
  return rest.length === 0
    ? { members: new Set([first]), children: new Map() }
    : { members: new Set(), children: new Map([[first, only(rest)]]) };
}

/** Returns whether the path itself is in the set. */
export function hasFieldPath(set: FieldSet, path: FieldPath): boolean {
  return !isEmptyFieldSet(intersectFieldSets(set, fieldSetOf([path])));
}
