import { setOwn } from "../own-property.js";
import { YamlProblem } from "./yaml-problem.js";

/** The values of a mapping, by name. */
export type Mapping = Record<string, unknown>;

/**
 * Merges what stands behind `<<` into a mapping: a mapping, or a sequence of which the first counts most. As go-yaml 2
 * has it, and so kubectl, it also replaces keys that stand before it; those behind it replace what it brought.
 *
 * @returns the names that it brought.
 * @throws {YamlProblem} when it is something else.
 */
export function merge(into: Mapping, source: unknown, offset: number): string[] {
  const sources = Array.isArray(source) ? source.toReversed() : [source];
  const names: string[] = [];
  for (const one of sources) {
    if (typeof one !== "object" || one === null || Array.isArray(one)) {
      throw new YamlProblem("what << merges is no mapping", offset);
    }
    for (const [name, value] of Object.entries(one)) {
      setOwn(into, name, value);
      names.push(name);
    }
  }
  return names;
}

/** A copy of a value that shares nothing with it. */
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
