import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { JsonObject } from "../../objects/json-value.js";
import {
  isUnset,
  validateDnsLabel,
  validateItems,
  validateOptional,
  validateRequiredWith,
  validateSubdomain,
  validateUniqueKeys,
} from "../../phases/validate/checks.js";

const kinds = ["resourceClaimName", "resourceClaimTemplateName"] as const;
const words = kinds.map((kind) => `\`${kind}\``).join(", ");

/** Appends the field errors of a pod's resource claims. */
export function validateResourceClaim(
  claims: readonly JsonObject[],
  path: string,
  errors: FieldErrors,
): void {
  validateItems(claims, validateClaim, path, errors);
  validateUniqueKeys(claims, "name", path, errors);
}

function validateClaim(claim: JsonObject, path: string, errors: FieldErrors): void {
  const { name } = claim;
  const given = kinds.filter((kind) => claim[kind] !== undefined && claim[kind] !== null);
  const shown = {
    Name: name ?? "",
    ResourceClaimName: claim["resourceClaimName"] ?? null,
    ResourceClaimTemplateName: claim["resourceClaimTemplateName"] ?? null,
  };
  validateRequiredWith(name, validateDnsLabel, `${path}.name`, errors);
  if (given.length !== 1) {
    errors.push(
      cause.invalid(
        path,
        shown,
        given.length === 0
          ? `must specify one of: ${words}`
          : `at most one of ${words} may be specified`,
      ),
    );
  }
  for (const kind of given) {
    validateSubdomain(claim[kind], `${path}.${kind}`, errors);
  }
}

/**
 * Appends the field errors of the resource claims that a container uses.
 *
 * @param names - names of its pod's claims.
 */
export function validateUsedClaim(
  claims: readonly JsonObject[],
  names: readonly unknown[],
  field: string,
  errors: FieldErrors,
): void {
  const seen = new Set<string>();
  const known =
    names.length === 0
      ? " which is empty"
      : `: ${names.map((name) => String(name ?? "")).join(", ")}`;
  for (const [at, { name, request }] of claims.entries()) {
    const path = `${field}[${at}]`;
    if (isUnset(name)) {
      errors.push(cause.required(path));
      continue;
    }
    const key = isUnset(request) ? String(name) : `${String(name)}/${String(request)}`;
    const isTwice = seen.has(key);
    seen.add(key);
    validateOptional(request, validateDnsLabel, `${path}.request`, errors);
    if (isTwice) {
      errors.push(cause.duplicate(path, key));
    }
    if (!names.includes(name)) {
      errors.push(
        cause.notFound(path, name, `must be one of the names in pod.spec.resourceClaims${known}`),
      );
    }
  }
}
