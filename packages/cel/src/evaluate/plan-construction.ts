import { CelFailure } from "../values/cel-failure.js";
import { ArrayList } from "../values/cel-list.js";
import { EntryMap } from "../values/cel-map.js";
import { CelOptional } from "../values/cel-optional.js";
import type { CelType } from "../values/cel-type.js";
import type { CelResult, CelValue } from "../values/cel-value.js";
import { describeValue } from "../values/describe-value.js";
import { constantOf, type Planned, planned } from "./frame.js";

/** Units of creating a list, a map and an object, without their parts. */
export const listCost = 10;
export const mapCost = 30;
export const structCost = 40;

/** Creates an object of a declared type; fields that are not set are absent. */
export type StructCreator = (type: CelType, fields: ReadonlyMap<string, CelValue>) => CelResult;

/** Plans `[a, ?b]`. A list of constants is a constant. */
export function planList(elements: readonly Planned[], optionals: ReadonlySet<number>): Planned {
  const constants = elements.map(({ constant }) => constant).filter((value) => value !== undefined);
  if (optionals.size === 0 && constants.length === elements.length) {
    return constantOf(new ArrayList(constants));
  }
  return planned((frame) => {
    const values: CelValue[] = [];
    let failure: CelFailure | undefined;
    for (const [index, { run }] of elements.entries()) {
      const value = run(frame);
      const kept = optionals.has(index) ? unwrap(value, elementProblem) : value;
      if (kept instanceof CelFailure) {
        failure = kept;
        break;
      }
      if (kept !== undefined) {
        values.push(kept);
      }
    }
    frame.spend(listCost);
    return failure ?? new ArrayList(values);
  });
}

interface PlannedEntry {
  readonly key: Planned;
  readonly value: Planned;
  readonly optional: boolean;
}

/** Plans `{key: value, ?key: optional}`. A map of constants is a constant. */
export function planMap(entries: readonly PlannedEntry[]): Planned {
  const constants = entries.flatMap(({ key, value, optional }): [CelValue, CelValue][] =>
    key.constant === undefined || value.constant === undefined || optional
      ? []
      : [[key.constant, value.constant]],
  );
  if (constants.length === entries.length) {
    return constantOf(new EntryMap(constants));
  }
  return planned((frame) => {
    const pairs: [CelValue, CelValue][] = [];
    let failure: CelFailure | undefined;
    for (const { key, value, optional } of entries) {
      const name = key.run(frame);
      if (name instanceof CelFailure) {
        failure = name;
        break;
      }
      const found = value.run(frame);
      const kept = optional ? unwrap(found, (other) => entryProblem(name, other)) : found;
      if (kept instanceof CelFailure) {
        failure = kept;
        break;
      }
      if (kept !== undefined) {
        pairs.push([name, kept]);
      }
    }
    frame.spend(mapCost);
    return failure ?? new EntryMap(pairs);
  });
}

interface PlannedField {
  readonly name: string;
  readonly value: Planned;
  readonly optional: boolean;
}

/** Plans `Type{field: value}`. */
export function planStruct(
  type: CelType,
  fields: readonly PlannedField[],
  create: StructCreator,
): Planned {
  return planned((frame) => {
    const values = new Map<string, CelValue>();
    let failure: CelFailure | undefined;
    for (const { name, value, optional } of fields) {
      const found = value.run(frame);
      const kept = optional ? unwrap(found, (other) => entryProblem(name, other)) : found;
      if (kept instanceof CelFailure) {
        failure = kept;
        break;
      }
      if (kept !== undefined) {
        values.set(name, kept);
      }
    }
    frame.spend(structCost);
    return failure ?? create(type, values);
  });
}

/** Returns the value of an optional, `undefined` if it has none, a failure for any other value. */
function unwrap(
  value: CelResult,
  problem: (value: CelValue) => string,
): CelValue | CelFailure | undefined {
  if (value instanceof CelFailure) {
    return value;
  }
  return value instanceof CelOptional ? value.value : new CelFailure(problem(value));
}

function elementProblem(value: CelValue): string {
  return `cannot initialize optional list element from non-optional value ${describeValue(value)}`;
}

function entryProblem(name: CelValue, value: CelValue): string {
  return `cannot initialize optional entry '${describeValue(name)}' from non-optional value ${describeValue(value)}`;
}
