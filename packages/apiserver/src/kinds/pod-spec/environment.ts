import { collectErrors, type FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import { isUnset, validateSubdomain } from "../../phases/validate/checks.js";
import { dataKeyTexts } from "../../phases/validate/name-texts.js";
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

/** Appends the field errors of a container's environment variables. */
export function validateEnv(env: readonly JsonObject[], field: string, errors: FieldErrors): void {
  for (const [at, one] of env.entries()) {
    const { name, value, valueFrom } = one;
    const path = `${field}[${at}]`;
    if (isUnset(name)) {
      errors.push(cause.required(`${path}.name`));
    } else if (!/^[ -<>-~]+$/.test(String(name))) {
      errors.push(cause.invalid(`${path}.name`, name, nameText));
    }
    if (isJsonObject(valueFrom)) {
      validateSource(valueFrom, value, `${path}.valueFrom`, errors);
    }
  }
}

function validateSource(from: JsonObject, value: unknown, path: string, errors: FieldErrors): void {
  const given = sources.filter((key) => isJsonObject(from[key]));
  const causes = given.flatMap((key) => {
    const source = mapOf(from[key]);
    if (key === "configMapKeyRef" || key === "secretKeyRef") {
      return [
        ...collectErrors((found) =>
          validateSubdomain(source["name"] ?? "", `${path}.${key}.name`, found),
        ),
        ...(isUnset(source["key"])
          ? [cause.required(`${path}.${key}.key`)]
          : dataKeyTexts(String(source["key"])).map((why) =>
              cause.invalid(`${path}.${key}.key`, source["key"], why),
            )),
      ];
    }
    switch (key) {
      case "fieldRef":
        return collectErrors((found) => validateVariableField(source, `${path}.fieldRef`, found));
      case "resourceFieldRef":
        return collectErrors((found) =>
          validateAmountField(source, `${path}.resourceFieldRef`, found, false),
        );
      default:
        return [];
    }
  });
  if (given.length === 0) {
    const [last, ...others] = [...sources].reverse();
    const list = `${others.reverse().map(quoted).join(", ")} or ${quoted(last ?? "")}`;
    causes.push(cause.invalid(path, "", `must specify one of: ${list}`));
  } else if (!isUnset(value)) {
    causes.push(cause.invalid(path, "", "may not be specified when `value` is not empty"));
  } else if (given.length > 1) {
    causes.push(cause.invalid(path, "", "may not have more than one path specified at a time"));
  }
  errors.push(...causes);
}

/** Appends the field errors of `envFrom`: whole ConfigMaps and Secrets as environment variables. */
export function validateEnvFrom(
  from: readonly JsonObject[],
  field: string,
  errors: FieldErrors,
): void {
  for (const [at, one] of from.entries()) {
    const given = ["configMapRef", "secretRef"].filter((key) => isJsonObject(one[key]));
    const causes = given.flatMap((key) => {
      const { name } = mapOf(one[key]);
      const path = `${field}[${at}].${key}.name`;
      return isUnset(name)
        ? [cause.required(path)]
        : collectErrors((found) => validateSubdomain(name, path, found));
    });
    if (given.length === 0) {
      causes.push(cause.invalid(field, "", "must specify one of: `configMapRef` or `secretRef`"));
    } else if (given.length > 1) {
      causes.push(cause.invalid(field, "", "may not have more than one field specified at a time"));
    }
    errors.push(...causes);
  }
}

function quoted(word: string): string {
  return `\`${word}\``;
}
