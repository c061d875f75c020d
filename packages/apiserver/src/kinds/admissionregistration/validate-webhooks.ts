import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { appendInvalid, validateItems } from "../../phases/validate/checks.js";
import { subdomainTexts } from "../../phases/validate/name-texts.js";
import { fieldValidator } from "../fields/validate-fields.js";
import { validateClient } from "./webhook-client.js";
import { validateRule } from "./webhook-rules.js";

/** Appends the field errors of admission webhooks. An old object may keep names that are not unique. */
export function validateWebhooks(
  { webhooks }: ApiObject,
  errors: FieldErrors,
  old?: ApiObject,
): void {
  const names = new Set<unknown>();
  const mustBeUnique = old === undefined || hasUniqueNames(old);
  validateItems(
    objectsOf(webhooks),
    (webhook, path, found) => {
      const { name } = webhook;
      validateWebhook(webhook, path, found);
      if (mustBeUnique && names.has(name)) {
        found.push(cause.duplicate(`${path}.name`, name));
      }
      names.add(name);
    },
    "webhooks",
    errors,
  );
}

function hasUniqueNames({ webhooks }: ApiObject): boolean {
  const names = objectsOf(webhooks).map(({ name }) => name);
  return new Set(names).size === names.length;
}

function validateWebhook(webhook: JsonObject, path: string, errors: FieldErrors): void {
  const { timeoutSeconds: seconds } = webhook;
  const validate = fieldValidator(
    "admissionregistration/v1.MutatingWebhook",
    webhook,
    path,
    errors,
  );
  validateName(String(webhook["name"] ?? ""), `${path}.name`, errors);
  validateReviewVersions(
    stringsOf(webhook["admissionReviewVersions"]),
    `${path}.admissionReviewVersions`,
    errors,
  );
  validateItems(objectsOf(webhook["rules"]), validateRule, `${path}.rules`, errors);
  validate("failurePolicy", "matchPolicy", "sideEffects");
  if (typeof seconds === "number" && (seconds < 1 || seconds > 30)) {
    const why = "the timeout value must be between 1 and 30 seconds";
    errors.push(cause.invalid(`${path}.timeoutSeconds`, seconds, why));
  }
  validate("reinvocationPolicy", "namespaceSelector", "objectSelector");
  validateClient(mapOf(webhook["clientConfig"]), `${path}.clientConfig`, errors);
  validate("matchConditions");
}

function validateName(name: string, path: string, errors: FieldErrors): void {
  const texts = name === "" ? [] : subdomainTexts(name);
  appendInvalid(texts, name, path, errors);
  if (texts.length === 0 && name.split(".").length < 3) {
    const why = "should be a domain with at least three segments separated by dots";
    errors.push(cause.invalid(path, name, why));
  }
}

const reviewVersions = ["v1", "v1beta1"];

function validateReviewVersions(
  versions: readonly string[],
  path: string,
  errors: FieldErrors,
): void {
  const known = reviewVersions.join(", ");
  if (versions.length === 0) {
    errors.push(cause.required(path, `must specify one of ${known}`));
  } else if (!versions.some((version) => reviewVersions.includes(version))) {
    errors.push(cause.invalid(path, versions, `must include at least one of ${known}`));
  }
}
