import { formatQuantity, parseQuantity, type Quantity } from "@typekube/core/quantity";
import { isJsonObject, type JsonObject, setOwn } from "./json-value.js";
import { mapOf } from "./parts.js";

/** Quantities by resource name: `cpu`, `requests.storage`, `count/configmaps`. */
export type ResourceList = ReadonlyMap<string, Quantity>;

const zero: Quantity = { nanos: 0n, family: "decimal" };

/** The quantity 1. */
export const one: Quantity = { nanos: 1_000_000_000n, family: "decimal" };

/** Returns a count as a quantity. */
export function count(things: number): Quantity {
  return { nanos: BigInt(things) * one.nanos, family: "decimal" };
}

/** Reads a map of quantities. Invalid quantities are ignored. */
export function readResourceList(value: unknown): Map<string, Quantity> {
  const list = new Map<string, Quantity>();
  for (const [name, amount] of Object.entries(mapOf(value))) {
    const quantity = parseQuantity(amount);
    if (quantity !== undefined) {
      list.set(name, quantity);
    }
  }
  return list;
}

/** Writes a resource list as stored in objects, sorted by name. */
export function writeResourceList(list: ResourceList): JsonObject {
  const written: JsonObject = {};
  for (const name of [...list.keys()].sort()) {
    setOwn(written, name, formatQuantity(list.get(name) ?? zero));
  }
  return written;
}

/** Formats a resource list for error messages: `cpu=2,pods=1`. */
export function showResourceList(list: ResourceList): string {
  return Object.entries(writeResourceList(list))
    .map(([name, amount]) => `${name}=${amount}`)
    .join(",");
}

/** Adds two lists name by name. */
export function sum(first: ResourceList, second: ResourceList): Map<string, Quantity> {
  const result = new Map(first);
  for (const [name, amount] of second) {
    const before = result.get(name);
    result.set(name, before === undefined ? amount : plus(before, amount));
  }
  return result;
}

/** Subtracts the second list from the first; results below zero become zero. */
export function difference(first: ResourceList, second: ResourceList): Map<string, Quantity> {
  const result = new Map<string, Quantity>();
  for (const [name, { nanos, family }] of first) {
    const rest = nanos - (second.get(name)?.nanos ?? 0n);
    result.set(name, rest > 0n ? { nanos: rest, family } : zero);
  }
  return result;
}

/** Returns the larger quantity of each name. */
export function larger(first: ResourceList, second: ResourceList): Map<string, Quantity> {
  const result = new Map(first);
  for (const [name, amount] of second) {
    const before = result.get(name);
    if (before === undefined || amount.nanos > before.nanos) {
      result.set(name, amount);
    }
  }
  return result;
}

/** Returns the quantities of the given names only. */
export function only(list: ResourceList, names: Iterable<string>): Map<string, Quantity> {
  const wanted = new Set(names);
  return new Map([...list].filter(([name]) => wanted.has(name)));
}

/** Removes quantities that are zero. */
export function withoutZeros(list: ResourceList): Map<string, Quantity> {
  return new Map([...list].filter(([, { nanos }]) => nanos !== 0n));
}

/** Returns whether two maps hold equal quantities, regardless of notation. */
export function sameAmounts(first: unknown, second: unknown): boolean {
  const [a, b] = [readResourceList(first), readResourceList(second)];
  return (
    isJsonObject(first) === isJsonObject(second) &&
    a.size === b.size &&
    [...a].every(([name, { nanos }]) => b.get(name)?.nanos === nanos)
  );
}

/** Adds two quantities. The sum has the notation of the first, or of the second when the first is zero. */
function plus(first: Quantity, second: Quantity): Quantity {
  const { family } = first.nanos === 0n ? second : first;
  return { nanos: first.nanos + second.nanos, family };
}
