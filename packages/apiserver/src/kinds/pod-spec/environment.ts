import { cause, type FieldErrors } from "../../errors/field-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { type Check, isUnset } from "../../phases/validate/checks.js";
import { fieldsCheck, validateFields } from "../fields/validate-fields.js";
import { validateResourceField, validateVariableField } from "../volumes/field-references.js";

/** Checks of the sources of a variable, by field. */
const sourceChecks: Readonly<Record<string, Check<JsonObject>>> = {
  fieldRef: validateVariableField,
  resourceFieldRef: validateResourceField,
  configMapKeyRef: fieldsCheck("core/v1.ConfigMapKeySelector"),
  secretKeyRef: fieldsCheck("core/v1.SecretKeySelector"),
  fileKeyRef: () => undefined,
};

/** Appends the field errors of a container's environment variables. */
export function validateEnv(env: readonly JsonObject[], path: string, errors: FieldErrors): void {
  for (const [at, variable] of env.entries()) {
    const { value, valueFrom } = variable;
    validateFields("core/v1.EnvVar", variable, `${path}[${at}]`, errors);
    if (isJsonObject(valueFrom)) {
      validateSource(valueFrom, value, `${path}[${at}].valueFrom`, errors);
    }
  }
}

function validateSource(from: JsonObject, value: unknown, path: string, errors: FieldErrors): void {
  let count = 0;
  for (const [key, validate] of Object.entries(sourceChecks)) {
    const source = from[key];
    if (isJsonObject(source)) {
      count++;
      validate(source, `${path}.${key}`, errors);
    }
  }
  if (count === 0) {
    const [last, ...others] = Object.keys(sourceChecks).map(quoted).reverse();
    const why = `must specify one of: ${others.reverse().join(", ")} or ${last}`;
    errors.push(cause.invalid(path, "", why));
  } else if (!isUnset(value)) {
    errors.push(cause.invalid(path, "", "may not be specified when `value` is not empty"));
  } else if (count > 1) {
    errors.push(cause.invalid(path, "", "may not have more than one field specified at a time"));
  }
}

/** Appends the field errors of `envFrom`: whole ConfigMaps and Secrets as environment variables. */
export function validateEnvFrom(
  from: readonly JsonObject[],
  path: string,
  errors: FieldErrors,
): void {
  for (const [at, source] of from.entries()) {
    const given = ["configMapRef", "secretRef"].filter((key) => isJsonObject(source[key]));
    validateFields("core/v1.EnvFromSource", source, `${path}[${at}]`, errors);
    if (given.length === 0) {
      const why = "must specify one of: `configMapRef` or `secretRef`";
      errors.push(cause.invalid(path, "", why));
    } else if (given.length > 1) {
      const why = "may not have more than one field specified at a time";
      errors.push(cause.invalid(path, "", why));
    }
  }
}

function quoted(word: string): string {
  return `\`${word}\``;
}
