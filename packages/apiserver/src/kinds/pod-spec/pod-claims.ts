import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { JsonObject } from "../../objects/json-value.js";
import { isUnset } from "../../phases/validate/checks.js";
import { dnsLabel, duplicates, subdomain } from "../../phases/validate/old-checks.js";

const kinds = ["resourceClaimName", "resourceClaimTemplateName"] as const;
const words = kinds.map((kind) => `\`${kind}\``).join(", ");

/** Returns the field errors of a pod's resource claims. */
export function validateResourceClaim(claims: readonly JsonObject[], field: string): FieldErrors {
  return [
    ...claims.flatMap((claim, at) => validateClaim(claim, `${field}[${at}]`)),
    ...duplicates(
      claims.map(({ name }) => name),
      (at) => `${field}[${at}].name`,
    ),
  ];
}

function validateClaim(claim: JsonObject, field: string): FieldErrors {
  const { name } = claim;
  const given = kinds.filter((kind) => claim[kind] !== undefined && claim[kind] !== null);
  const shown = {
    Name: name ?? "",
    ResourceClaimName: claim["resourceClaimName"] ?? null,
    ResourceClaimTemplateName: claim["resourceClaimTemplateName"] ?? null,
  };
  return [
    ...(isUnset(name) ? [cause.required(`${field}.name`)] : dnsLabel(`${field}.name`, name)),
    ...(given.length === 1
      ? []
      : [
          cause.invalid(
            field,
            shown,
            given.length === 0
              ? `must specify one of: ${words}`
              : `at most one of ${words} may be specified`,
          ),
        ]),
    ...given.flatMap((kind) => subdomain(`${field}.${kind}`, claim[kind])),
  ];
}

/**
 * Returns the field errors of the resource claims that a container uses.
 *
 * @param names - names of its pod's claims.
 */
export function validateUsedClaim(
  claims: readonly JsonObject[],
  names: readonly unknown[],
  field: string,
): FieldErrors {
  const seen = new Set<string>();
  const known =
    names.length === 0
      ? " which is empty"
      : `: ${names.map((name) => String(name ?? "")).join(", ")}`;
  return claims.flatMap(({ name, request }, at) => {
    const path = `${field}[${at}]`;
    if (isUnset(name)) {
      return [cause.required(path)];
    }
    const key = isUnset(request) ? String(name) : `${String(name)}/${String(request)}`;
    const isTwice = seen.has(key);
    seen.add(key);
    return [
      ...(isUnset(request) ? [] : dnsLabel(`${path}.request`, request)),
      ...(isTwice ? [cause.duplicate(path, key)] : []),
      ...(names.includes(name)
        ? []
        : [
            cause.notFound(
              path,
              name,
              `must be one of the names in pod.spec.resourceClaims${known}`,
            ),
          ]),
    ];
  });
}
