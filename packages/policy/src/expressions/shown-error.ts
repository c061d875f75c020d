import { isJsonObject } from "@typekube/core/internal/json";
import type { PolicyInput } from "./policy-input.js";

const withheld = "an error that may contain a secret value";

/** Errors that contain names and types at most. Those of a variable have been through `shownError`. */
const withoutValues = [
  /^(?:no such overload|no such attribute|composited variable)/,
  /^type conversion error from '[\w.]+' to '[\w.]+'$/,
  /^(?:(?:division|modulus) by zero|(?:unsigned )?integer overflow)$/,
];
const missingKey = /^no such key: (.*)$/s;

/** Returns true if expressions can read a Secret: the object, the one before, or the parameter. */
export function readsSecret({ request, object, oldObject, params }: PolicyInput): boolean {
  const { group, kind } = request.kind;
  return (group === "" && kind === "Secret") || [object, oldObject, params].some(isSecretObject);
}

/**
 * Returns the error of an expression that can read a Secret, without values of the Secret: errors of conversions, for example,
 * quote a text or a part of it. A key that is missing is named if the expression itself names it.
 */
export function shownError(message: string, source: string): string {
  const [, key] = missingKey.exec(message) ?? [];
  const isNamed = key !== undefined && source.includes(key);
  return isNamed || withoutValues.some((form) => form.test(message)) ? message : withheld;
}

/** Returns true for an object, or a reference to a kind, that says it is a Secret. */
export function isSecretObject(value: unknown): boolean {
  return isJsonObject(value) && value["apiVersion"] === "v1" && value["kind"] === "Secret";
}
