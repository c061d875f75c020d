import { isJsonObject, type JsonObject, setOwn } from "../json-value.js";

/**
 * A set of places in an object, as `fieldsV1` writes it. A place is a path of elements: `f:name` a field or a key, `k:{…}`
 * the item of a list with these keys, `v:…` the item of a list with this value.
 */
export interface FieldSet {
  /** The elements at this level that belong to the set themselves. */
  readonly members: ReadonlySet<string>;
  /** What belongs to the set below an element. Never holds an empty set. */
  readonly children: ReadonlyMap<string, FieldSet>;
}

/** The set that holds nothing. */
export const emptyFieldSet: FieldSet = { members: new Set(), children: new Map() };

/** Whether nothing is in the set. */
export function isEmptyFieldSet({ members, children }: FieldSet): boolean {
  return members.size === 0 && children.size === 0;
}

/** Builds a set, without the children that hold nothing. */
export function fieldSet(
  members: Iterable<string>,
  children: Iterable<readonly [string, FieldSet]>,
): FieldSet {
  const kept = [...children].filter(([, child]) => !isEmptyFieldSet(child));
  return { members: new Set(members), children: new Map(kept) };
}

/** What is below an element. */
export function below(set: FieldSet, element: string): FieldSet {
  return set.children.get(element) ?? emptyFieldSet;
}

/** What is in either set. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  return combine(a, b, new Set([...a.members, ...b.members]), union);
}

/** What is in both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const members = [...a.members].filter((member) => b.members.has(member));
  return combine(a, b, members, intersection);
}

/** What is in the first set and not in the second. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  const members = [...a.members].filter((member) => !b.members.has(member));
  return combine(a, b, members, difference);
}

function combine(
  a: FieldSet,
  b: FieldSet,
  members: Iterable<string>,
  inner: (a: FieldSet, b: FieldSet) => FieldSet,
): FieldSet {
  const keys = new Set([...a.children.keys(), ...b.children.keys()]);
  return fieldSet(
    members,
    [...keys].map((key) => [key, inner(below(a, key), below(b, key))] as const),
  );
}

/** Every place in the set as a path, in order. */
export function pathsOf(set: FieldSet, prefix: readonly string[] = []): string[][] {
  return [
    ...[...set.members].sort().map((member) => [...prefix, member]),
    ...[...set.children.keys()].sort().flatMap((key) => pathsOf(below(set, key), [...prefix, key])),
  ];
}

/** A path as error messages write it: `.spec.containers[name="c"].image`. */
export function printPath(path: readonly string[]): string {
  return path
    .map((element) => {
      const rest = element.slice(2);
      switch (element[0]) {
        case "f":
          return `.${rest}`;
        case "k": {
          const keys = Object.entries(JSON.parse(rest) as JsonObject);
          return `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(",")}]`;
        }
        case "v":
          return `[=${rest}]`;
        default:
          return `[${rest}]`;
      }
    })
    .join("");
}

/** Reads the `fieldsV1` of an entry. */
export function readFieldsV1(fields: unknown): FieldSet {
  if (!isJsonObject(fields)) {
    return emptyFieldSet;
  }
  const members: string[] = [];
  const children: [string, FieldSet][] = [];
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    if (key === "." || !isJsonObject(value)) {
      continue;
    }
    if (Object.keys(value).length === 0 || Object.hasOwn(value, ".")) {
      members.push(key);
    }
    children.push([key, readFieldsV1(value)]);
  }
  return fieldSet(members, children);
}

/** Writes `fieldsV1`. */
export function writeFieldsV1(set: FieldSet): JsonObject {
  const fields: JsonObject = {};
  for (const key of [...new Set([...set.members, ...set.children.keys()])].sort()) {
    const child = set.children.get(key);
    const self: JsonObject = child !== undefined && set.members.has(key) ? { ".": {} } : {};
    setOwn(fields, key, child === undefined ? {} : { ...self, ...writeFieldsV1(child) });
  }
  return fields;
}
