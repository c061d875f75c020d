import { parseApiVersion } from "@typekube/core";
import { label1035Texts, subdomainTexts } from "@typekube/core/internal/texts";
import { cause, type FieldErrors } from "../../errors/field-errors.js";
import { mapOf } from "../../objects/parts.js";
import { validatePathSegment } from "../../phases/validate/checks.js";
import { validateSelector } from "../fields/selectors.js";

/** Appends the field errors of `paramKind` of a policy. */
export function validateParamKind(given: unknown, path: string, errors: FieldErrors): void {
  if (given === undefined) {
    return;
  }
  const { apiVersion, kind } = mapOf(given);
  validateApiVersion(String(apiVersion ?? ""), `${path}.apiVersion`, errors);
  const name = String(kind ?? "");
  if (name === "") {
    errors.push(cause.required(`${path}.kind`));
    return;
  }
  const texts = label1035Texts(name.toLowerCase());
  if (texts.length > 0) {
    const why = `may have mixed case, but should otherwise match: ${texts.join(",")}`;
    errors.push(cause.invalid(`${path}.kind`, name, why));
  }
}

function validateApiVersion(apiVersion: string, path: string, errors: FieldErrors): void {
  if (apiVersion === "") {
    errors.push(cause.required(path));
    return;
  }
  if (apiVersion.split("/").length > 2) {
    const why = `unexpected GroupVersion string: ${apiVersion}`;
    errors.push(cause.invalid(path, apiVersion, why));
    return;
  }
  const { group, version } = parseApiVersion(apiVersion);
  const groupTexts = group === "" ? [] : subdomainTexts(group);
  if (groupTexts.length > 0) {
    errors.push(cause.invalid(path, group, groupTexts.join(",")));
  }
  const versionTexts = version === "" ? [] : label1035Texts(version);
  if (version === "") {
    errors.push(cause.invalid(path, apiVersion, "version must be specified"));
  } else if (versionTexts.length > 0) {
    errors.push(cause.invalid(path, version, versionTexts.join(",")));
  }
}

const notFoundActions: readonly string[] = ["Deny", "Allow"];
const exclusive = "name and selector are mutually exclusive";

/** Appends the field errors of `paramRef` of a binding. */
export function validateParamRef(given: unknown, path: string, errors: FieldErrors): void {
  if (given === undefined) {
    return;
  }
  const { name = "", selector, parameterNotFoundAction: action = "" } = mapOf(given);
  const isNamed = name !== "";
  if (isNamed) {
    validatePathSegment(name, `${path}.name`, errors);
    if (selector !== undefined) {
      errors.push(cause.forbidden(`${path}.name`, exclusive));
    }
  }
  if (selector !== undefined) {
    validateSelector(selector, `${path}.selector`, errors);
    if (isNamed) {
      errors.push(cause.forbidden(`${path}.selector`, exclusive));
    }
  } else if (!isNamed) {
    errors.push(cause.required(path, "one of name or selector must be specified"));
  }
  const place = `${path}.parameterNotFoundAction`;
  if (action === "") {
    errors.push(cause.required(place));
  } else if (!notFoundActions.includes(String(action))) {
    errors.push(cause.notSupported(place, action, notFoundActions));
  }
}
