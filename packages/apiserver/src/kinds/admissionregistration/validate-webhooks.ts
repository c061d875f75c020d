import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { type JsonObject, jsonEqual, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { appendInvalid, type Check, validateItems } from "../../phases/validate/checks.js";
import { subdomainTexts } from "../../phases/validate/name-texts.js";
import type { StrategyWrite } from "../../resources/kind-strategy.js";
import { fieldValidator } from "../fields/validate-fields.js";
import { conditionsOf } from "./match-conditions.js";
import { policyPackage } from "./policy-package.js";
import { validateClient } from "./webhook-client.js";
import { validateRule } from "./webhook-rules.js";

/** Appends the field errors of admission webhooks. An old object may keep names that are not unique. */
export function validateWebhooks(
  { webhooks }: ApiObject,
  old: ApiObject | undefined,
  errors: FieldErrors,
  { server }: StrategyWrite,
): void {
  const names = new Set<unknown>();
  const mustBeUnique = old === undefined || hasUniqueNames(old);
  const validateConditions = conditionsCheck(objectsOf(webhooks), old, server.version);
  validateItems(
    objectsOf(webhooks),
    (webhook, path, found) => {
      const { name } = webhook;
      validateWebhook(webhook, path, found);
      validateConditions(webhook, `${path}.matchConditions`, found);
      if (mustBeUnique && names.has(name)) {
        found.push(cause.duplicate(`${path}.name`, name));
      }
      names.add(name);
    },
    "webhooks",
    errors,
  );
}

/** Returns the check of match conditions. Those of an update that leaves all of them alone are not checked again. */
function conditionsCheck(
  given: readonly JsonObject[],
  old: ApiObject | undefined,
  version: string,
): Check<JsonObject> {
  const before = objectsOf(old?.["webhooks"]);
  const listsOf = (webhooks: readonly JsonObject[]) =>
    webhooks.map(({ matchConditions }) => matchConditions ?? null);
  const isSame = jsonEqual(listsOf(given), listsOf(before));
  const known = new Set(before.flatMap(expressionsOf));
  return ({ matchConditions }, path, errors) => {
    const conditions = isSame ? [] : conditionsOf(matchConditions);
    if (conditions.length > 0) {
      const { checkWebhookConditions } = policyPackage();
      errors.push(...checkWebhookConditions(conditions, path, known, { version }));
    }
  };
}

function expressionsOf({ matchConditions }: JsonObject): readonly string[] {
  return conditionsOf(matchConditions).map(({ expression }) => expression);
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
