import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import {
  appendInvalid,
  isUnset,
  validateItems,
  validateOneOf,
  validateQualifiedName,
  validateRequired,
} from "../../phases/validate/checks.js";
import { subdomainTexts } from "../../phases/validate/name-texts.js";
import { validateSelector } from "../fields/selectors.js";
import { validateClient } from "./webhook-client.js";
import { validateRule } from "./webhook-rules.js";

/** Appends the field errors of admission webhooks. */
export function validateWebhooks({ webhooks }: ApiObject, errors: FieldErrors): void {
  validateItems(objectsOf(webhooks), validateWebhook, "webhooks", errors);
}

function validateWebhook(webhook: JsonObject, path: string, errors: FieldErrors): void {
  const { sideEffects, timeoutSeconds: seconds } = webhook;
  const validateWord = (key: string, words: readonly string[]) =>
    validateOneOf(webhook[key], words, `${path}.${key}`, errors);
  validateName(String(webhook["name"] ?? ""), `${path}.name`, errors);
  validateReviewVersions(
    stringsOf(webhook["admissionReviewVersions"]),
    `${path}.admissionReviewVersions`,
    errors,
  );
  validateItems(objectsOf(webhook["rules"]), validateRule, `${path}.rules`, errors);
  validateWord("failurePolicy", ["Fail", "Ignore"]);
  validateWord("matchPolicy", ["Equivalent", "Exact"]);
  if (isUnset(sideEffects)) {
    errors.push(cause.required(`${path}.sideEffects`, "must specify one of None, NoneOnDryRun"));
  }
  validateWord("sideEffects", ["None", "NoneOnDryRun"]);
  if (typeof seconds === "number" && (seconds < 1 || seconds > 30)) {
    const why = "the timeout value must be between 1 and 30 seconds";
    errors.push(cause.invalid(`${path}.timeoutSeconds`, seconds, why));
  }
  validateWord("reinvocationPolicy", ["IfNeeded", "Never"]);
  validateSelector(webhook["namespaceSelector"], `${path}.namespaceSelector`, errors);
  validateSelector(webhook["objectSelector"], `${path}.objectSelector`, errors);
  validateClient(mapOf(webhook["clientConfig"]), `${path}.clientConfig`, errors);
  for (const [at, { name, expression }] of objectsOf(webhook["matchConditions"]).entries()) {
    validateRequired(expression, `${path}.matchConditions[${at}].expression`, errors);
    validateQualifiedName(name, `${path}.matchConditions[${at}].name`, errors);
  }
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
