import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { mapOf } from "../../../objects/parts.js";
import { validateRequired } from "../../../phases/validate/checks.js";

/** Required keys of a Secret by type. */
const keysOfTypes: Readonly<Record<string, readonly string[]>> = {
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
  "kubernetes.io/dockercfg": [".dockercfg"],
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/ssh-auth": ["ssh-privatekey"],
};

const accountAnnotation = "kubernetes.io/service-account.name";

/** Appends errors for missing data of well-known Secret types. */
export function validateSecretType({ type, data, metadata }: ApiObject, errors: FieldErrors): void {
  const given = mapOf(data);
  if (type === "kubernetes.io/service-account-token") {
    const path = `metadata.annotations[${accountAnnotation}]`;
    validateRequired(metadata.annotations?.[accountAnnotation], path, errors);
  }
  if (type === "kubernetes.io/basic-auth") {
    const names = ["username", "password"];
    if (!names.some((name) => Object.hasOwn(given, name))) {
      errors.push(...names.map((name) => cause.required(`data[${name}]`)));
    }
  }
  for (const key of keysOfTypes[String(type)] ?? []) {
    if (!Object.hasOwn(given, key)) {
      errors.push(cause.required(`data[${key}]`));
    } else if (key.startsWith(".docker")) {
      validateDockerConfig(given[key], `data[${key}]`, errors);
    }
  }
}

/**
 * Checks the JSON of a Docker config. The error must not reveal the Secret's content, except for the character at which
 * parsing failed.
 */
function validateDockerConfig(value: unknown, path: string, errors: FieldErrors): void {
  const text = Buffer.from(String(value), "base64").toString("utf8");
  try {
    JSON.parse(text);
  } catch {
    const why = /^\s*[[{"0-9tfn-]/.test(text)
      ? "unexpected end of JSON input"
      : `invalid character '${text.trim()[0] ?? ""}' looking for beginning of value`;
    errors.push(cause.invalid(path, "<secret contents redacted>", why));
  }
}
