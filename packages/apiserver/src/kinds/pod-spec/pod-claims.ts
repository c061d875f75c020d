import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { JsonObject } from "../../objects/json-value.js";
import { isUnset, validateItems, validateUniqueKeys } from "../../phases/validate/checks.js";
import { fieldValidator, validateFields } from "../fields/validate-fields.js";
import type { PodSurroundings } from "./pod-surroundings.js";

const kinds = ["resourceClaimName", "resourceClaimTemplateName"] as const;
const words = kinds.map((kind) => `\`${kind}\``).join(", ");

/** Appends the field errors of a pod's resource claims. */
export function validateResourceClaims(
  claims: readonly JsonObject[],
  path: string,
  errors: FieldErrors,
): void {
  validateItems(claims, validateClaim, path, errors);
  validateUniqueKeys(claims, "name", path, errors);
}

function validateClaim(claim: JsonObject, path: string, errors: FieldErrors): void {
  const { name, resourceClaimName = null, resourceClaimTemplateName = null } = claim;
  const validate = fieldValidator("core/v1.PodResourceClaim", claim, path, errors);
  const given = kinds.filter((kind) => claim[kind] !== undefined && claim[kind] !== null);
  validate("name");
  if (given.length !== 1) {
    const shown = {
      Name: name ?? "",
      ResourceClaimName: resourceClaimName,
      ResourceClaimTemplateName: resourceClaimTemplateName,
    };
    const isMissing = given.length === 0;
    const why = isMissing
      ? `must specify one of: ${words}`
      : `at most one of ${words} may be specified`;
    errors.push(cause.invalid(path, shown, why));
  }
  validate(...given);
}

/** Appends the field errors of the resource claims that a container uses. */
export function validateUsedClaims(
  claims: readonly JsonObject[],
  path: string,
  errors: FieldErrors,
  { resourceClaims: names }: PodSurroundings,
): void {
  const seen = new Set<string>();
  for (const [at, claim] of claims.entries()) {
    const { name, request } = claim;
    const place = `${path}[${at}]`;
    if (isUnset(name)) {
      errors.push(cause.required(place));
      continue;
    }
    const key = isUnset(request) ? String(name) : `${String(name)}/${String(request)}`;
    validateFields("core/v1.ResourceClaim", claim, place, errors);
    if (seen.has(key)) {
      errors.push(cause.duplicate(place, key));
    }
    seen.add(key);
    if (!names.includes(name)) {
      const list = names.length === 0 ? " which is empty" : `: ${names.map(String).join(", ")}`;
      const why = `must be one of the names in pod.spec.resourceClaims${list}`;
      errors.push(cause.notFound(place, name, why));
    }
  }
}
