import type { JsonObject } from "@typekube/core/internal/json";
import type { Random } from "./random.js";

/** Distance from the bounds, or from 0, of most numbers. */
const usualRange = 1_000;

/** Returns a number that a schema allows; often one of its bounds. */
export function randomNumber(source: JsonObject, isInteger: boolean, random: Random): number {
  const { minimum, maximum, multipleOf, exclusiveMinimum, exclusiveMaximum } = source;
  const step = Number(multipleOf ?? (isInteger ? 1 : 0.25));
  const [least, most] = boundsOf(minimum, maximum);
  let first = Math.ceil(least / step);
  let last = Math.floor(most / step);
  if (exclusiveMinimum === true && first * step === Number(minimum)) {
    first += 1;
  }
  if (exclusiveMaximum === true && last * step === Number(maximum)) {
    last -= 1;
  }
  const bounds = [minimum === undefined ? 0 : first, maximum === undefined ? 0 : last] as const;
  const at = random.chance(0.2)
    ? random.pick(bounds as [number, number])
    : random.integer(first, last);
  // Adding 0 turns -0 into 0.
  return at * step + 0;
}

function boundsOf(minimum: unknown, maximum: unknown): readonly [number, number] {
  if (minimum === undefined && maximum === undefined) {
    return [-usualRange, usualRange];
  }
  const least = minimum === undefined ? Number(maximum) - usualRange : Number(minimum);
  const most = maximum === undefined ? Number(minimum) + usualRange : Number(maximum);
  return [least, most];
}
