import { formatQuantity, parseQuantity, type Quantity } from "@typekube/core/quantity";
import type { FieldErrors } from "../../../errors/field-errors.js";
import { cause } from "../../../errors/status-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import type { JsonObject } from "../../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../../objects/parts.js";
import { validateQualifiedName, validateUnique } from "../../../phases/validate/checks.js";
import { validateContainerResource, validateResourceName } from "../../fields/resource-amounts.js";

const types = ["Pod", "Container", "PersistentVolumeClaim"];
const nano = 1_000_000_000n;

/** Appends the field errors of a LimitRange. */
export function validateLimitRange(range: ApiObject, errors: FieldErrors): void {
  const limits = objectsOf(specOf(range)["limits"]);
  const path = (at: number) => `spec.limits[${at}]`;
  validateUnique(
    limits.map(({ type }) => type),
    (at) => `${path(at)}.type`,
    errors,
  );
  for (const [at, limit] of limits.entries()) {
    validateLimit(limit, path(at), errors);
  }
}

function validateLimit(limit: JsonObject, path: string, errors: FieldErrors): void {
  const type = String(limit["type"] ?? "");
  const isPod = type === "Pod";
  const named = isPod ? ["max", "min"] : ["max", "min", "default", "defaultRequest"];
  const lists = [...named, "maxLimitRequestRatio"];
  const names = new Set(lists.flatMap((list) => Object.keys(mapOf(limit[list]))));
  const wrongType: FieldErrors = [];
  validateType(type, `${path}.type`, wrongType);
  errors.push(...wrongType);
  for (const list of lists) {
    for (const name of Object.keys(mapOf(limit[list]))) {
      validateName(type, name, `${path}.${list}[${name}]`, errors);
    }
  }
  for (const list of ["default", "defaultRequest"]) {
    if (isPod && Object.keys(mapOf(limit[list])).length > 0) {
      errors.push(cause.forbidden(`${path}.${list}`, "may not be specified when `type` is 'Pod'"));
    }
  }
  if (type === "PersistentVolumeClaim" && !hasStorage(limit)) {
    errors.push(
      cause.required(
        `${path}.limits`,
        "either minimum or maximum storage value is required, but neither was provided",
      ),
    );
  }
  for (const name of [...names]) {
    validateAmount(limit, name, isPod, path, errors);
  }
}

function validateType(type: string, path: string, errors: FieldErrors): void {
  const wrong: FieldErrors = [];
  validateQualifiedName(type, path, wrong);
  if (wrong.length > 0 || types.includes(type) || type.includes("/")) {
    errors.push(...wrong);
  } else {
    errors.push(cause.invalid(path, type, "must be a standard limit type or fully qualified"));
  }
}

function validateName(type: string, name: string, path: string, errors: FieldErrors): void {
  if (type === "Pod" || type === "Container") {
    validateContainerResource(name, path, errors);
  } else {
    validateResourceName(
      name,
      path,
      errors,
      /^(cpu|memory|storage|ephemeral-storage)$|\//.test(name),
    );
  }
}

function hasStorage(limit: JsonObject): boolean {
  return ["max", "min"].some((list) => mapOf(limit[list])["storage"] !== undefined);
}

/** Returns the inconsistencies among the values of one resource, in the order of a real server. */
function validateAmount(
  limit: JsonObject,
  name: string,
  isPod: boolean,
  path: string,
  errors: FieldErrors,
): void {
  const amount = (list: string) => parseQuantity(mapOf(limit[list])[name]);
  const [min, max] = [amount("min"), amount("max")];
  const [given, wanted] = isPod ? [] : [amount("default"), amount("defaultRequest")];
  const ratio = amount("maxLimitRequestRatio");
  const more = (
    list: string,
    shown: Quantity | undefined,
    one: Quantity | undefined,
    other: Quantity | undefined,
    words: readonly [string, string],
  ): FieldErrors =>
    one !== undefined && other !== undefined && shown !== undefined && one.nanos > other.nanos
      ? [
          cause.invalid(
            `${path}.${list}[${name}]`,
            formatQuantity(shown),
            `${words[0]} value ${formatQuantity(one)} is greater than ${words[1]} value ${formatQuantity(other)}`,
          ),
        ]
      : [];
  errors.push(...more("min", min, min, max, ["min", "max"]));
  errors.push(...more("defaultRequest", wanted, min, wanted, ["min", "default request"]));
  errors.push(...more("defaultRequest", wanted, wanted, max, ["default request", "max"]));
  errors.push(
    ...more("defaultRequest", wanted, wanted, given, ["default request", "default limit"]),
  );
  errors.push(...more("default", min, min, given, ["min", "default"]));
  errors.push(...more("default", max, given, max, ["default", "max"]));
  if (ratio !== undefined && ratio.nanos < nano) {
    errors.push(
      cause.invalid(
        `${path}.maxLimitRequestRatio[${name}]`,
        formatQuantity(ratio),
        `ratio ${formatQuantity(ratio)} is less than 1`,
      ),
    );
  }
  if (ratio !== undefined && min !== undefined && max !== undefined) {
    validateRatio(ratio, min, max, `${path}.maxLimitRequestRatio[${name}]`, errors);
  }
}

/** Checks that the limit/request ratio does not exceed max/min. */
function validateRatio(
  ratio: Quantity,
  min: Quantity,
  max: Quantity,
  path: string,
  errors: FieldErrors,
): void {
  const most = Number(max.nanos) / Number(min.nanos);
  const shown = formatQuantity(ratio);
  if (min.nanos !== 0n && Number(ratio.nanos) / Number(nano) > most) {
    errors.push(
      cause.invalid(path, shown, `ratio ${shown} is greater than max/min = ${most.toFixed(6)}`),
    );
  }
}
