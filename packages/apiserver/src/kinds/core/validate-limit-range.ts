import { formatQuantity, parseQuantity, type Quantity } from "@typekube/core/quantity";
import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { duplicates, qualifiedName } from "../../phases/validate/old-checks.js";
import { validateContainerResource, validateResourceName } from "../fields/resource-amounts.js";

const types = ["Pod", "Container", "PersistentVolumeClaim"];
const nano = 1_000_000_000n;

/** Returns the field errors of a LimitRange. */
export function validateLimitRange(range: ApiObject): FieldErrors {
  const limits = objectsOf(specOf(range)["limits"]);
  const path = (at: number) => `spec.limits[${at}]`;
  return [
    ...duplicates(
      limits.map(({ type }) => type),
      (at) => `${path(at)}.type`,
    ),
    ...limits.flatMap((limit, at) => validateLimit(limit, path(at))),
  ];
}

function validateLimit(limit: JsonObject, field: string): FieldErrors {
  const type = String(limit["type"] ?? "");
  const isPod = type === "Pod";
  const named = isPod ? ["max", "min"] : ["max", "min", "default", "defaultRequest"];
  const lists = [...named, "maxLimitRequestRatio"];
  const names = new Set(lists.flatMap((list) => Object.keys(mapOf(limit[list]))));
  const wrongType = validateType(type, `${field}.type`);
  return [
    ...wrongType,
    ...lists.flatMap((list) =>
      Object.keys(mapOf(limit[list])).flatMap((name) =>
        validateName(type, name, `${field}.${list}[${name}]`),
      ),
    ),
    ...["default", "defaultRequest"].flatMap((list) =>
      isPod && Object.keys(mapOf(limit[list])).length > 0
        ? [cause.forbidden(`${field}.${list}`, "may not be specified when `type` is 'Pod'")]
        : [],
    ),
    ...(type === "PersistentVolumeClaim" && !hasStorage(limit)
      ? [
          cause.required(
            `${field}.limits`,
            "either minimum or maximum storage value is required, but neither was provided",
          ),
        ]
      : []),
    ...[...names].flatMap((name) => validateAmount(limit, name, isPod, field)),
  ];
}

function validateType(type: string, field: string): FieldErrors {
  const wrong = qualifiedName(field, type);
  return wrong.length > 0 || types.includes(type) || type.includes("/")
    ? wrong
    : [cause.invalid(field, type, "must be a standard limit type or fully qualified")];
}

function validateName(type: string, name: string, field: string): FieldErrors {
  return type === "Pod" || type === "Container"
    ? validateContainerResource(name, field)
    : validateResourceName(name, field, /^(cpu|memory|storage|ephemeral-storage)$|\//.test(name));
}

function hasStorage(limit: JsonObject): boolean {
  return ["max", "min"].some((list) => mapOf(limit[list])["storage"] !== undefined);
}

/** Returns the inconsistencies among the values of one resource, in the order of a real server. */
function validateAmount(
  limit: JsonObject,
  name: string,
  isPod: boolean,
  field: string,
): FieldErrors {
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
            `${field}.${list}[${name}]`,
            formatQuantity(shown),
            `${words[0]} value ${formatQuantity(one)} is greater than ${words[1]} value ${formatQuantity(other)}`,
          ),
        ]
      : [];
  return [
    ...more("min", min, min, max, ["min", "max"]),
    ...more("defaultRequest", wanted, min, wanted, ["min", "default request"]),
    ...more("defaultRequest", wanted, wanted, max, ["default request", "max"]),
    ...more("defaultRequest", wanted, wanted, given, ["default request", "default limit"]),
    ...more("default", min, min, given, ["min", "default"]),
    ...more("default", max, given, max, ["default", "max"]),
    ...(ratio !== undefined && ratio.nanos < nano
      ? [
          cause.invalid(
            `${field}.maxLimitRequestRatio[${name}]`,
            formatQuantity(ratio),
            `ratio ${formatQuantity(ratio)} is less than 1`,
          ),
        ]
      : []),
    ...(ratio !== undefined && min !== undefined && max !== undefined
      ? validateRatio(ratio, min, max, `${field}.maxLimitRequestRatio[${name}]`)
      : []),
  ];
}

/** Checks that the limit/request ratio does not exceed max/min. */
function validateRatio(ratio: Quantity, min: Quantity, max: Quantity, field: string): FieldErrors {
  const most = Number(max.nanos) / Number(min.nanos);
  const shown = formatQuantity(ratio);
  return min.nanos !== 0n && Number(ratio.nanos) / Number(nano) > most
    ? [cause.invalid(field, shown, `ratio ${shown} is greater than max/min = ${most.toFixed(6)}`)]
    : [];
}
