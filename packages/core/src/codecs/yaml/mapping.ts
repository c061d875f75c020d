import { setOwn } from "../../objects/own-property.js";
import { YamlProblem } from "./yaml-problem.js";

/** Values of a mapping, by name. */
export type Mapping = Record<string, unknown>;

/**
 * Merges the value of `<<` into a mapping: a mapping, or a sequence whose first mapping takes precedence. As in go-yaml
 * 2, and so in kubectl, it also replaces keys that stand before the `<<`; later keys replace the merged ones.
 *
 * @returns the merged names.
 * @throws {YamlProblem} when the value is neither.
 */
export function merge(into: Mapping, source: unknown, offset: number): string[] {
  const sources = Array.isArray(source) ? source.toReversed() : [source];
  const names: string[] = [];
  for (const one of sources) {
    if (typeof one !== "object" || one === null || Array.isArray(one)) {
      throw new YamlProblem("the value of << is not a mapping", offset);
    }
    for (const [name, value] of Object.entries(one)) {
      setOwn(into, name, value);
      names.push(name);
    }
  }
  return names;
}

/** Returns a deep copy of a value. */
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(copyOf);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const copy: Mapping = {};
  for (const [name, field] of Object.entries(value)) {
    setOwn(copy, name, copyOf(field));
  }
  return copy;
}
