import {
  subtractFieldSets as difference,
  emptyFieldSet,
  type FieldSet,
  intersectFieldSets as intersection,
  isEmptyFieldSet,
  unionFieldSets as union,
} from "@typekube/core";
import { isJsonObject, type JsonObject, setOwn } from "../store/json-value.js";

export { difference, emptyFieldSet, type FieldSet, intersection, isEmptyFieldSet, union };

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
