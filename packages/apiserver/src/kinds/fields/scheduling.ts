import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { isUnset } from "../../phases/validate/checks.js";
import { labelValueTexts } from "../../phases/validate/name-texts.js";
import { givenOneOf, oneOf, qualifiedName } from "../../phases/validate/old-checks.js";
import { validateSelector } from "./selectors.js";

const policies = ["Honor", "Ignore"];

/** Returns the field errors of topology spread constraints. */
export function validateSpread(constraints: readonly JsonObject[], field: string): FieldErrors {
  return constraints.flatMap((one, at) => {
    const path = `${field}[${at}]`;
    const { topologyKey, whenUnsatisfiable } = one;
    const isRepeated = constraints
      .slice(at + 1)
      .some(
        (other) =>
          other["topologyKey"] === topologyKey && other["whenUnsatisfiable"] === whenUnsatisfiable,
      );
    return [
      ...validateConstraint(one, path),
      ...(isRepeated
        ? [
            cause.duplicate(
              `${path}.{topologyKey, whenUnsatisfiable}`,
              `{${String(topologyKey)}, ${String(whenUnsatisfiable)}}`,
            ),
          ]
        : []),
    ];
  });
}

function validateConstraint(one: JsonObject, field: string): FieldErrors {
  const { maxSkew, topologyKey, whenUnsatisfiable, labelSelector } = one;
  return [
    ...(typeof maxSkew === "number" && maxSkew > 0
      ? []
      : [cause.invalid(`${field}.maxSkew`, maxSkew ?? 0, "must be greater than zero")]),
    ...(isUnset(topologyKey) ? [cause.required(`${field}.topologyKey`, "can not be empty")] : []),
    ...givenOneOf(`${field}.whenUnsatisfiable`, whenUnsatisfiable ?? "", [
      "DoNotSchedule",
      "ScheduleAnyway",
    ]),
    ...validateDomain(one, `${field}.minDomains`),
    ...givenOneOf(`${field}.nodeAffinityPolicy`, one["nodeAffinityPolicy"], policies),
    ...givenOneOf(`${field}.nodeTaintsPolicy`, one["nodeTaintsPolicy"], policies),
    ...(stringsOf(one["matchLabelKeys"]).length > 0 && !isJsonObject(labelSelector)
      ? [
          cause.forbidden(
            `${field}.matchLabelKeys`,
            "must not be specified when labelSelector is not set",
          ),
        ]
      : validateLabelKey(one, "matchLabelKeys", field)),
    ...validateSelector(labelSelector, `${field}.labelSelector`),
  ];
}

/** Checks keys of labels that are matched against the pod's own labels. */
export function validateLabelKey(one: JsonObject, list: string, field: string): FieldErrors {
  return stringsOf(one[list]).flatMap((key, at) => qualifiedName(`${field}.${list}[${at}]`, key));
}

function validateDomain({ minDomains, whenUnsatisfiable }: JsonObject, field: string): FieldErrors {
  if (typeof minDomains !== "number") {
    return [];
  }
  return [
    ...(minDomains > 0 ? [] : [cause.invalid(field, minDomains, "must be greater than zero")]),
    ...(whenUnsatisfiable === "DoNotSchedule"
      ? []
      : [
          cause.invalid(
            field,
            minDomains,
            `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${String(whenUnsatisfiable ?? "")}`,
          ),
        ]),
  ];
}

/** Returns the field errors of a toleration. */
export function validateToleration(one: JsonObject, field: string): FieldErrors {
  const { key, operator = "", value, effect, tolerationSeconds } = one;
  const isAll = isUnset(key);
  return [
    ...(isAll ? [] : qualifiedName(`${field}.key`, String(key))),
    ...(isAll && operator !== "Exists"
      ? [
          cause.invalid(
            `${field}.operator`,
            operator,
            'operator must be Exists when `key` is empty, which means "match all values and all keys"',
          ),
        ]
      : []),
    ...(tolerationSeconds !== undefined && effect !== "NoExecute"
      ? [
          cause.invalid(
            `${field}.effect`,
            effect ?? "",
            "effect must be 'NoExecute' when `tolerationSeconds` is set",
          ),
        ]
      : []),
    ...validateToleratedValue(operator, value, `${field}.operator`),
    ...oneOf(`${field}.operator`, operator, ["Equal", "Exists"]),
    ...oneOf(`${field}.effect`, effect, ["NoSchedule", "PreferNoSchedule", "NoExecute"]),
  ];
}

function validateToleratedValue(operator: unknown, value: unknown, field: string): FieldErrors {
  if (operator === "Exists") {
    return isUnset(value)
      ? []
      : [cause.invalid(field, value, "value must be empty when `operator` is 'Exists'")];
  }
  const texts = operator === "" || operator === "Equal" ? labelValueTexts(String(value ?? "")) : [];
  return texts.length === 0 ? [] : [cause.invalid(field, value, texts.join(";"))];
}
