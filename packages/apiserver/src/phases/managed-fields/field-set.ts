import {
  subtractFieldSets as difference,
  emptyFieldSet,
  type FieldSet,
  intersectFieldSets as intersection,
  isEmptyFieldSet,
  unionFieldSets as union,
  writeFieldsV1,
} from "@typekube/core";
import { readFieldSet, stringifyJson } from "@typekube/core/internal";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { maxNesting } from "../../request/body-nesting.js";

export {
  difference,
  emptyFieldSet,
  type FieldSet,
  intersection,
  isEmptyFieldSet,
  union,
  writeFieldsV1,
};

/** Parses `fieldsV1` of an object, which may nest as deep as the object. */
export function readFieldsV1(fieldsV1: unknown): FieldSet {
  return readFieldSet(fieldsV1, maxNesting);
}

/** Returns whether a value has the form of `fieldsV1`: objects whose keys are `.` or path elements, such as `f:spec`. */
export function isFieldSet(fieldsV1: unknown): boolean {
  return (
    isJsonObject(fieldsV1) &&
    Object.keys(fieldsV1).every(
      (key) => (key === "." || key[1] === ":") && isFieldSet(fieldsV1[key]),
    )
  );
}

/** Builds a field set. Empty sets, the most common ones in a write, allocate nothing. */
export class FieldSetBuilder {
  #members: Set<string> | undefined;
  #children: Map<string, FieldSet> | undefined;

  /** Adds an element of this level. */
  add(element: string): void {
    this.#members ??= new Set();
    this.#members.add(element);
  }

  /** Adds the set below an element; an empty set is skipped. */
  addBelow(element: string, set: FieldSet): void {
    if (!isEmptyFieldSet(set)) {
      this.#children ??= new Map();
      this.#children.set(element, set);
    }
  }

  build(): FieldSet {
    const { members, children } = emptyFieldSet;
    return this.#members === undefined && this.#children === undefined
      ? emptyFieldSet
      : { members: this.#members ?? members, children: this.#children ?? children };
  }
}

/** Returns the set below an element. */
export function below(set: FieldSet, element: string): FieldSet {
  return set.children.get(element) ?? emptyFieldSet;
}

/** Returns every path in the set, in order. */
export function pathsOf(set: FieldSet, prefix: readonly string[] = []): string[][] {
  return [
    ...[...set.members].sort().map((member) => [...prefix, member]),
    ...[...set.children.keys()].sort().flatMap((key) => pathsOf(below(set, key), [...prefix, key])),
  ];
}

/** Formats a path for error messages: `.spec.containers[name="c"].image`. */
export function printPath(path: readonly string[]): string {
  return path
    .map((element) => {
      const rest = element.slice(2);
      switch (element[0]) {
        case "f":
          return `.${rest}`;
        case "k": {
          const keys = Object.entries(JSON.parse(rest) as JsonObject);
          return `[${keys.map(([key, value]) => `${key}=${stringifyJson(value)}`).join(",")}]`;
        }
        case "v":
          return `[=${rest}]`;
        default:
          return `[${rest}]`;
      }
    })
    .join("");
}
