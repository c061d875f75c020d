import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { type JsonObject, jsonEqual, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { appendInvalid, validateItems } from "../../phases/validate/checks.js";
import { subdomainTexts } from "../../phases/validate/name-texts.js";
import type { StrategyWrite } from "../../resources/kind-strategy.js";
import { fieldValidator } from "../fields/validate-fields.js";
import { conditionsOf } from "./match-conditions.js";
import { policyPackage } from "./policy-package.js";
import { validateClient } from "./webhook-client.js";
import { validateRule } from "./webhook-rules.js";

/** Appends the field errors of admission webhooks, with those of their match conditions. */
export function validateWebhooks(
  { webhooks }: ApiObject,
  old: ApiObject | undefined,
  errors: FieldErrors,
  { server }: StrategyWrite,
): void {
  const given = objectsOf(webhooks);
  const before = objectsOf(old?.["webhooks"]);
  const isSame = jsonEqual(
    given.map(({ matchConditions }) => matchConditions ?? null),
    before.map(({ matchConditions }) => matchConditions ?? null),
  );
  const known = new Set(before.flatMap(expressionsOf));
  validateItems(
    given,
    (webhook, path, found) => {
      validateWebhook(webhook, path, found);
      const conditions = isSame ? [] : conditionsOf(webhook["matchConditions"]);
      if (conditions.length > 0) {
        const { checkWebhookConditions } = policyPackage();
        const { version } = server;
        const place = `${path}.matchConditions`;
        found.push(...checkWebhookConditions(conditions, place, known, { version }));
      }
    },
    "webhooks",
    errors,
  );
}

function expressionsOf({ matchConditions }: JsonObject): readonly string[] {
  return conditionsOf(matchConditions).map(({ expression }) => expression);
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
