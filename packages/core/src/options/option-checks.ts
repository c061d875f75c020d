import type { OptionCheck } from "./option-table.js";

/** Accepts numbers of at least 0, Infinity included. NaN, as from an unset environment variable, would limit nothing. */
export const amount: OptionCheck = {
  mustBe: "a number of at least 0",
  isValid: (value) => typeof value === "number" && value >= 0,
};

/** {@link amount} for a duration. */
export const milliseconds: OptionCheck = {
  ...amount,
  hint: "in milliseconds; Infinity means no limit",
};

/** Accepts booleans. */
export const flag: OptionCheck = {
  mustBe: "true or false",
  isValid: (value) => typeof value === "boolean",
};

/** Accepts functions. */
export const callback: OptionCheck = {
  mustBe: "a function",
  isValid: (value) => typeof value === "function",
};

/** Accepts strings. */
export const text: OptionCheck = {
  mustBe: "a string",
  isValid: (value) => typeof value === "string",
};

/** Accepts objects that are not arrays. */
export const object: OptionCheck = {
  mustBe: "an object",
  isValid: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

/** Returns the check that accepts integers from a minimum on. */
export function integerFrom(least: number): OptionCheck {
  return {
    mustBe: `an integer of at least ${least}`,
    isValid: (value) => Number.isInteger(value) && (value as number) >= least,
  };
}

/** Returns the check that accepts these strings only. */
export function oneOf(...words: readonly string[]): OptionCheck {
  return {
    mustBe: [words.slice(0, -1).join(", "), ...words.slice(-1)].filter(Boolean).join(" or "),
    isValid: (value) => words.some((word) => word === value),
  };
}
