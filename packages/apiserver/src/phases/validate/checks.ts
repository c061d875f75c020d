import {
  type Check,
  cause,
  type FieldErrors,
  isUnset,
  validateGivenOneOf,
  validateItems,
  validateOneOf,
  validateRequired,
} from "@typekube/core/internal/field-errors";
import type { JsonObject } from "../../objects/json-value.js";
import { ipTexts } from "./addresses.js";
import {
  labelTexts,
  labelValueTexts,
  pathSegmentTexts,
  portNameTexts,
  qualifiedNameTexts,
  subdomainTexts,
} from "./name-texts.js";

export { type Check, isUnset, validateGivenOneOf, validateItems, validateOneOf, validateRequired };

const maxInt32 = 2_147_483_647;
const percentText =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** Appends an error if a value is not set, otherwise the errors of a check. */
export function validateRequiredWith(
  value: unknown,
  validate: Check<unknown>,
  path: string,
  errors: FieldErrors,
): void {
  if (isUnset(value)) {
    errors.push(cause.required(path));
  } else {
    validate(value, path, errors);
  }
}

/** Appends the errors of a check, unless the value is not set. */
export function validateOptional(
  value: unknown,
  validate: Check<unknown>,
  path: string,
  errors: FieldErrors,
): void {
  if (!isUnset(value)) {
    validate(value, path, errors);
  }
}

/** Appends an error if a number is negative; it may be unset. */
export function validateNotNegative(value: unknown, path: string, errors: FieldErrors): void {
  if (typeof value === "number" && value < 0) {
    errors.push(cause.invalid(path, value, "must be greater than or equal to 0"));
  }
}

/** Appends an error if a number is out of a range; it may be unset. */
export function validateRange(
  value: unknown,
  [least, most = maxInt32]: readonly [least: number, most?: number | undefined],
  path: string,
  errors: FieldErrors,
): void {
  if (typeof value === "number" && (value < least || value > most)) {
    errors.push(cause.invalid(path, value, `must be between ${least} and ${most}, inclusive`));
  }
}

/** Appends an error if a value is not a port number. */
export function validatePort(value: unknown, path: string, errors: FieldErrors): void {
  validateRange(value ?? 0, [1, 65_535], path, errors);
}

/** Appends errors for an invalid port number or name. */
export function validatePortOrName(value: unknown, path: string, errors: FieldErrors): void {
  if (typeof value === "string") {
    appendInvalid(portNameTexts(value), value, path, errors);
  } else {
    validatePort(value, path, errors);
  }
}

/** Appends errors for an invalid DNS label. */
export function validateDnsLabel(value: unknown, path: string, errors: FieldErrors): void {
  appendInvalid(labelTexts(String(value)), value, path, errors);
}

/** Appends errors for an invalid DNS subdomain. */
export function validateSubdomain(value: unknown, path: string, errors: FieldErrors): void {
  appendInvalid(subdomainTexts(String(value)), value, path, errors);
}

/** Appends errors for an invalid name with an optional prefix, such as a label key. */
export function validateQualifiedName(value: unknown, path: string, errors: FieldErrors): void {
  const name = String(value ?? "");
  appendInvalid(qualifiedNameTexts(name), name, path, errors);
}

/** Appends errors for an invalid label value. */
export function validateLabelValue(value: unknown, path: string, errors: FieldErrors): void {
  const text = String(value ?? "");
  appendInvalid(labelValueTexts(text), text, path, errors);
}

/** Appends errors for a name that can't be a path segment. */
export function validatePathSegment(value: unknown, path: string, errors: FieldErrors): void {
  appendInvalid(pathSegmentTexts(String(value)), value, path, errors);
}

/** Appends errors for an invalid IP address. */
export function validateIp(value: unknown, path: string, errors: FieldErrors): void {
  appendInvalid(ipTexts(String(value ?? "")), value, path, errors);
}

/** Appends errors for invalid labels, or for the labels in a selector. */
export function validateLabels(given: unknown, path: string, errors: FieldErrors): void {
  if (typeof given === "object" && given !== null) {
    for (const [key, value] of Object.entries(given)) {
      validateQualifiedName(key, path, errors);
      validateLabelValue(value, path, errors);
    }
  }
}

/**
 * Appends errors for an invalid number or percentage.
 *
 * @param most - limit of the percentage. Default: none.
 */
export function validateCountOrPercent(
  value: unknown,
  path: string,
  errors: FieldErrors,
  most?: number,
): void {
  if (typeof value !== "string") {
    validateNotNegative(value, path, errors);
  } else if (!/^[0-9]+%$/.test(value)) {
    errors.push(cause.invalid(path, value, percentText));
  } else if (most !== undefined && Number.parseInt(value, 10) > most) {
    errors.push(cause.invalid(path, value, `must not be greater than ${most}%`));
  }
}

/** Appends an error for each value that occurs again in a list. */
export function validateUnique(
  values: readonly unknown[],
  pathOf: (at: number) => string,
  errors: FieldErrors,
): void {
  const seen = new Set<unknown>();
  for (const [at, value] of values.entries()) {
    if (isUnset(value)) {
      continue;
    }
    if (seen.has(value)) {
      errors.push(cause.duplicate(pathOf(at), value));
    }
    seen.add(value);
  }
}

/** Appends an error for each object of a list whose value for a key occurs before. */
export function validateUniqueKeys(
  items: readonly JsonObject[],
  key: string,
  path: string,
  errors: FieldErrors,
): void {
  validateUnique(
    items.map((item) => item[key]),
    (at) => `${path}[${at}].${key}`,
    errors,
  );
}

/** Appends an error with each of the texts. */
export function appendInvalid(
  texts: readonly string[],
  value: unknown,
  path: string,
  errors: FieldErrors,
): void {
  for (const text of texts) {
    errors.push(cause.invalid(path, value, text));
  }
}
