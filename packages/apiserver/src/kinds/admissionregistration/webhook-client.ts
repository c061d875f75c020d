import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { JsonObject } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import { isUnset, validateRequired } from "../../phases/validate/checks.js";

/** Appends the field errors of how a webhook is called. */
export function validateClient(
  { url, service }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  if ((url === undefined) === (service === undefined)) {
    errors.push(cause.required(path, "exactly one of url or service is required"));
  } else if (url === undefined) {
    validateService(mapOf(service), `${path}.service`, errors);
  } else {
    validateUrl(String(url), `${path}.url`, errors);
  }
}

const form = "desired format: https://host[/path]";

function validateUrl(url: string, path: string, errors: FieldErrors): void {
  const [, scheme = "", rest = ""] = /^(?:([a-z]+):)?(.*)$/s.exec(url) ?? [];
  const [, authority = "", query, fragment] =
    /^\/\/([^/?#]*)[^?#]*(?:\?([^#]*))?(?:#(.*))?$/.exec(rest) ?? [];
  const [host = "", user] = authority.split("@").reverse();
  if (scheme !== "https") {
    errors.push(cause.invalid(path, scheme, `'https' is the only allowed URL scheme; ${form}`));
  }
  if (host === "") {
    errors.push(cause.invalid(path, host, `host must be specified; ${form}`));
  }
  if (user !== undefined) {
    errors.push(cause.invalid(path, user, "user information is not permitted in the URL"));
  }
  if (!isUnset(fragment)) {
    errors.push(cause.invalid(path, fragment, "fragments are not permitted in the URL"));
  }
  if (!isUnset(query)) {
    errors.push(cause.invalid(path, query, "query parameters are not permitted in the URL"));
  }
}

function validateService(
  { name, namespace, port, path: url }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  // Real servers exchange the names of these two fields.
  validateRequired(name, `${path}.namespace`, errors);
  validateRequired(namespace, `${path}.name`, errors);
  const number = port === null ? 0 : port;
  if (typeof number === "number" && (number < 1 || number > 65_535)) {
    const why = "port is not valid: must be between 1 and 65535, inclusive";
    errors.push(cause.invalid(`${path}.port`, port, why));
  }
  if (url !== undefined && !String(url).startsWith("/")) {
    errors.push(cause.invalid(`${path}.path`, url, "must start with a '/'"));
  }
}
