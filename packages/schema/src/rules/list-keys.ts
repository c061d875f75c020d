import {
  CelDouble,
  CelDuration,
  CelFailure,
  CelList,
  CelMap,
  CelTimestamp,
  type CelValue,
} from "@typekube/cel";
import { getOwn } from "@typekube/core/internal/json";
import { RuleObject } from "./rule-object.js";

/**
 * Returns a value by which a `Map` finds a scalar: equal scalars of one type give the same one. As in Kubernetes, the
 * int 1 and the double 1.0 differ here.
 */
export function setKey(element: CelValue): unknown {
  if (typeof element === "number" || typeof element === "bigint") {
    return `int ${element}`;
  }
  if (element instanceof CelDouble) {
    // NaN equals nothing: it stands for itself.
    return Number.isNaN(element.value) ? element : `double ${element.value}`;
  }
  if (element instanceof CelTimestamp) {
    return `timestamp ${element.nanoseconds}`;
  }
  if (element instanceof CelDuration) {
    return `duration ${element.nanoseconds}`;
  }
  if (element instanceof Uint8Array) {
    return `bytes ${element.join()}`;
  }
  return typeof element === "string" ? `string ${element}` : element;
}

/** Returns true for an element that a set cannot have: Kubernetes compares sets of scalars only. */
export function isCompound(element: CelValue): boolean {
  return element instanceof CelList || element instanceof CelMap;
}

/**
 * Returns the key of an element in a list of type `map`.
 *
 * @param names - The key fields by the names that rules use.
 */
export function elementKey(element: CelValue, names: readonly string[]): unknown {
  const parts = names.map((name) => {
    const value = element instanceof CelMap ? element.find(name) : undefined;
    return value === undefined || value instanceof CelFailure ? null : setKey(value);
  });
  return JSON.stringify(parts);
}

/**
 * Returns the key of an element as Kubernetes compares lists of type `map`: it looks for the names that rules use in the
 * object itself, so a key whose name has an escape, such as "a-b", is found nowhere.
 */
export function rawElementKey(element: CelValue, names: readonly string[]): unknown {
  if (!(element instanceof RuleObject)) {
    // Equal to no other key.
    return Symbol("no key");
  }
  const parts = names.map((name) => getOwn(element.value, name) ?? null);
  return JSON.stringify(parts, (_, part: unknown) =>
    typeof part === "bigint" ? `${part}n` : part,
  );
}
