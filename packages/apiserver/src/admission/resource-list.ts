import { formatQuantity, parseQuantity, type Quantity } from "@typekube/core/quantity";
import { mapOf } from "../kinds/parts.js";
import { isJsonObject, type JsonObject, setOwn } from "../store/json-value.js";

/** Amounts by the names of what they are of: `cpu`, `requests.storage`, `count/configmaps`. */
export type ResourceList = ReadonlyMap<string, Quantity>;

const zero: Quantity = { nanos: 0n, family: "decimal" };

/** One thing. */
export const one: Quantity = { nanos: 1_000_000_000n, family: "decimal" };

/** So many things. */
export function count(things: number): Quantity {
  return { nanos: BigInt(things) * one.nanos, family: "decimal" };
}

/** Reads a map of quantities; what is no quantity is left out. */
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

/** The same as it is written in objects, by name. */
export function writeResourceList(list: ResourceList): JsonObject {
  const written: JsonObject = {};
  for (const name of [...list.keys()].sort()) {
    setOwn(written, name, formatQuantity(list.get(name) ?? zero));
  }
  return written;
}

/** The same as error texts have it: `cpu=2,pods=1`. */
export function showResourceList(list: ResourceList): string {
  return Object.entries(writeResourceList(list))
    .map(([name, amount]) => `${name}=${amount}`)
    .join(",");
}

/** The sum of both, name by name. */
export function sum(first: ResourceList, second: ResourceList): Map<string, Quantity> {
  const result = new Map(first);
  for (const [name, amount] of second) {
    const before = result.get(name);
    result.set(name, before === undefined ? amount : plus(before, amount));
  }
  return result;
}

/** What of the first list is left without the second, and never less than nothing. */
export function difference(first: ResourceList, second: ResourceList): Map<string, Quantity> {
  const result = new Map<string, Quantity>();
  for (const [name, { nanos, family }] of first) {
    const rest = nanos - (second.get(name)?.nanos ?? 0n);
    result.set(name, rest > 0n ? { nanos: rest, family } : zero);
  }
  return result;
}

/** The larger of both, name by name. */
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

/** The amounts of some names alone. */
export function only(list: ResourceList, names: Iterable<string>): Map<string, Quantity> {
  const wanted = new Set(names);
  return new Map([...list].filter(([name]) => wanted.has(name)));
}

/** What is more than nothing. */
export function withoutZeros(list: ResourceList): Map<string, Quantity> {
  return new Map([...list].filter(([, { nanos }]) => nanos !== 0n));
}

/** Whether two maps of quantities say the same, however they are written. */
export function sameAmounts(first: unknown, second: unknown): boolean {
  const [a, b] = [readResourceList(first), readResourceList(second)];
  return (
    isJsonObject(first) === isJsonObject(second) &&
    a.size === b.size &&
    [...a].every(([name, { nanos }]) => b.get(name)?.nanos === nanos)
  );
}

/** A sum is written as its first part is, unless that is nothing. */
function plus(first: Quantity, second: Quantity): Quantity {
  const { family } = first.nanos === 0n ? second : first;
  return { nanos: first.nanos + second.nanos, family };
}
