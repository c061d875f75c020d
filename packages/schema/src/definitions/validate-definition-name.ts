import { cause, type FieldErrors } from "@typekube/core/internal/field-errors";
import { type JsonObject, stringsOf } from "@typekube/core/internal/json";

/** Message for a name that is not a DNS label. */
export const dnsLabelText =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

/** Returns whether a name is a DNS-1035 label. */
export function isDnsLabel(name: string): boolean {
  return name.length <= 63 && /^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(name);
}

/** Appends the field errors of a definition's names. Missing names are reported elsewhere. */
export function validateDefinitionNames(
  names: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const text = (key: string) => String(names[key] ?? "");
  const kind = text("kind");
  for (const key of ["plural", "singular"]) {
    if (text(key) !== "" && !isDnsLabel(text(key))) {
      errors.push(cause.invalid(`${path}.${key}`, text(key), dnsLabelText));
    }
  }
  for (const key of ["kind", "listKind"]) {
    if (text(key) !== "" && !isDnsLabel(text(key).toLowerCase())) {
      const why = `may have mixed case, but should otherwise match: ${dnsLabelText}`;
      errors.push(cause.invalid(`${path}.${key}`, text(key), why));
    }
  }
  validateList(names["shortNames"], `${path}.shortNames`, errors);
  if (kind !== "" && kind === text("listKind")) {
    const why = "kind and listKind may not be the same";
    errors.push(cause.invalid(`${path}.listKind`, kind, why));
  }
  validateList(names["categories"], `${path}.categories`, errors);
}

function validateList(names: unknown, path: string, errors: FieldErrors): void {
  for (const [at, name] of stringsOf(names).entries()) {
    if (!isDnsLabel(name)) {
      errors.push(cause.invalid(`${path}[${at}]`, name, dnsLabelText));
    }
  }
}
