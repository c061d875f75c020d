import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import { dataKeyTexts } from "../../phases/validate/name-texts.js";
import { subdomain } from "../../phases/validate/old-checks.js";
import { validateAmountField, validateVariableField } from "../volumes/field-references.js";

const sources = [
  "fieldRef",
  "resourceFieldRef",
  "configMapKeyRef",
  "secretKeyRef",
  "fileKeyRef",
] as const;
const nameText =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";

/** Returns the field errors of a container's environment variables. */
export function validateEnv(env: readonly JsonObject[], field: string): FieldErrors {
  return env.flatMap((one, at) => {
    const { name, value, valueFrom } = one;
    const path = `${field}[${at}]`;
    return [
      ...(isUnset(name)
        ? [cause.required(`${path}.name`)]
        : /^[ -<>-~]+$/.test(String(name))
          ? []
          : [cause.invalid(`${path}.name`, name, nameText)]),
      ...(isJsonObject(valueFrom) ? validateSource(valueFrom, value, `${path}.valueFrom`) : []),
    ];
  });
}

function validateSource(from: JsonObject, value: unknown, field: string): FieldErrors {
  const given = sources.filter((key) => isJsonObject(from[key]));
  const causes = given.flatMap((key) => {
    const source = mapOf(from[key]);
    if (key === "configMapKeyRef" || key === "secretKeyRef") {
      return [
        ...subdomain(`${field}.${key}.name`, source["name"] ?? ""),
        ...(isUnset(source["key"])
          ? [cause.required(`${field}.${key}.key`)]
          : dataKeyTexts(String(source["key"])).map((why) =>
              cause.invalid(`${field}.${key}.key`, source["key"], why),
            )),
      ];
    }
    switch (key) {
      case "fieldRef":
        return validateVariableField(source, `${field}.fieldRef`);
      case "resourceFieldRef":
        return validateAmountField(source, `${field}.resourceFieldRef`, false);
      default:
        return [];
    }
  });
  if (given.length === 0) {
    const [last, ...others] = [...sources].reverse();
    const list = `${others.reverse().map(quoted).join(", ")} or ${quoted(last ?? "")}`;
    causes.push(cause.invalid(field, "", `must specify one of: ${list}`));
  } else if (!isUnset(value)) {
    causes.push(cause.invalid(field, "", "may not be specified when `value` is not empty"));
  } else if (given.length > 1) {
    causes.push(cause.invalid(field, "", "may not have more than one field specified at a time"));
  }
  return causes;
}

/** Returns the field errors of `envFrom`: whole ConfigMaps and Secrets as environment variables. */
export function validateEnvFrom(from: readonly JsonObject[], field: string): FieldErrors {
  return from.flatMap((one, at) => {
    const given = ["configMapRef", "secretRef"].filter((key) => isJsonObject(one[key]));
    const causes = given.flatMap((key) => {
      const { name } = mapOf(one[key]);
      const path = `${field}[${at}].${key}.name`;
      return isUnset(name) ? [cause.required(path)] : subdomain(path, name);
    });
    if (given.length === 0) {
      causes.push(cause.invalid(field, "", "must specify one of: `configMapRef` or `secretRef`"));
    } else if (given.length > 1) {
      causes.push(cause.invalid(field, "", "may not have more than one field specified at a time"));
    }
    return causes;
  });
}

function quoted(word: string): string {
  return `\`${word}\``;
}
