import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import {
  isUnset,
  validateGivenOneOf,
  validateItems,
  validateOneOf,
  validateQualifiedName,
} from "../../phases/validate/checks.js";
import { labelValueTexts } from "../../phases/validate/name-texts.js";
import { validateSelector } from "./selectors.js";

const policies = ["Honor", "Ignore"];

/** Appends the field errors of topology spread constraints. */
export function validateSpread(
  constraints: readonly JsonObject[],
  field: string,
  errors: FieldErrors,
): void {
  for (const [at, one] of constraints.entries()) {
    const path = `${field}[${at}]`;
    const { topologyKey, whenUnsatisfiable } = one;
    const isRepeated = constraints
      .slice(at + 1)
      .some(
        (other) =>
          other["topologyKey"] === topologyKey && other["whenUnsatisfiable"] === whenUnsatisfiable,
      );
    validateConstraint(one, path, errors);
    if (isRepeated) {
      errors.push(
        cause.duplicate(
          `${path}.{topologyKey, whenUnsatisfiable}`,
          `{${String(topologyKey)}, ${String(whenUnsatisfiable)}}`,
        ),
      );
    }
  }
}

function validateConstraint(one: JsonObject, path: string, errors: FieldErrors): void {
  const { maxSkew, topologyKey, whenUnsatisfiable, labelSelector } = one;
  if (typeof maxSkew !== "number" || !(maxSkew > 0)) {
    errors.push(cause.invalid(`${path}.maxSkew`, maxSkew ?? 0, "must be greater than zero"));
  }
  if (isUnset(topologyKey)) {
    errors.push(cause.required(`${path}.topologyKey`, "can not be empty"));
  }
  validateGivenOneOf(
    whenUnsatisfiable ?? "",
    ["DoNotSchedule", "ScheduleAnyway"],
    `${path}.whenUnsatisfiable`,
    errors,
  );
  validateDomain(one, `${path}.minDomains`, errors);
  validateGivenOneOf(one["nodeAffinityPolicy"], policies, `${path}.nodeAffinityPolicy`, errors);
  validateGivenOneOf(one["nodeTaintsPolicy"], policies, `${path}.nodeTaintsPolicy`, errors);
  if (stringsOf(one["matchLabelKeys"]).length > 0 && !isJsonObject(labelSelector)) {
    errors.push(
      cause.forbidden(
        `${path}.matchLabelKeys`,
        "must not be specified when labelSelector is not set",
      ),
    );
  } else {
    validateLabelKey(one, "matchLabelKeys", path, errors);
  }
  validateSelector(labelSelector, `${path}.labelSelector`, errors);
}

/** Checks keys of labels that are matched against the pod's own labels. */
export function validateLabelKey(
  one: JsonObject,
  list: string,
  path: string,
  errors: FieldErrors,
): void {
  validateItems(stringsOf(one[list]), validateQualifiedName, `${path}.${list}`, errors);
}

function validateDomain(
  { minDomains, whenUnsatisfiable }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  if (typeof minDomains !== "number") {
    return;
  }
  if (!(minDomains > 0)) {
    errors.push(cause.invalid(path, minDomains, "must be greater than zero"));
  }
  if (whenUnsatisfiable !== "DoNotSchedule") {
    errors.push(
      cause.invalid(
        path,
        minDomains,
        `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${String(whenUnsatisfiable ?? "")}`,
      ),
    );
  }
}

/** Appends the field errors of a toleration. */
export function validateToleration(one: JsonObject, path: string, errors: FieldErrors): void {
  const { key, operator = "", value, effect, tolerationSeconds } = one;
  const isAll = isUnset(key);
  if (!isAll) {
    validateQualifiedName(key, `${path}.key`, errors);
  }
  if (isAll && operator !== "Exists") {
    errors.push(
      cause.invalid(
        `${path}.operator`,
        operator,
        'operator must be Exists when `key` is empty, which means "match all values and all keys"',
      ),
    );
  }
  if (tolerationSeconds !== undefined && effect !== "NoExecute") {
    errors.push(
      cause.invalid(
        `${path}.effect`,
        effect ?? "",
        "effect must be 'NoExecute' when `tolerationSeconds` is set",
      ),
    );
  }
  validateToleratedValue(operator, value, `${path}.operator`, errors);
  validateOneOf(operator, ["Equal", "Exists"], `${path}.operator`, errors);
  validateOneOf(effect, ["NoSchedule", "PreferNoSchedule", "NoExecute"], `${path}.effect`, errors);
}

function validateToleratedValue(
  operator: unknown,
  value: unknown,
  path: string,
  errors: FieldErrors,
): void {
  if (operator === "Exists") {
    if (!isUnset(value)) {
      errors.push(cause.invalid(path, value, "value must be empty when `operator` is 'Exists'"));
    }
    return;
  }
  const texts = operator === "" || operator === "Equal" ? labelValueTexts(String(value ?? "")) : [];
  if (texts.length !== 0) {
    errors.push(cause.invalid(path, value, texts.join(";")));
  }
}
