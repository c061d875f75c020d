import { formatQuantity, parseQuantity, type Quantity } from "@typekube/core/quantity";
import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import type { JsonObject } from "../../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../../objects/parts.js";
import {
  validateItems,
  validateQualifiedName,
  validateUniqueKeys,
} from "../../../phases/validate/checks.js";
import { qualifiedNameTexts } from "../../../phases/validate/name-texts.js";
import {
  nanosPerUnit,
  validateContainerResource,
  validateResourceName,
} from "../../fields/resource-amounts.js";

const types = ["Pod", "Container", "PersistentVolumeClaim"];

/** Appends the field errors of a LimitRange. */
export function validateLimitRange(range: ApiObject, errors: FieldErrors): void {
  const limits = objectsOf(specOf(range)["limits"]);
  validateUniqueKeys(limits, "type", "spec.limits", errors);
  validateItems(limits, validateLimit, "spec.limits", errors);
}

function validateLimit(limit: JsonObject, path: string, errors: FieldErrors): void {
  const type = String(limit["type"] ?? "");
  const isPod = type === "Pod";
  const named = isPod ? ["max", "min"] : ["max", "min", "default", "defaultRequest"];
  const lists = [...named, "maxLimitRequestRatio"];
  const namesIn = (list: string) => Object.keys(mapOf(limit[list]));
  validateQualifiedName(type, `${path}.type`, errors);
  if (!types.includes(type) && !type.includes("/") && qualifiedNameTexts(type).length === 0) {
    const why = "must be a standard limit type or fully qualified";
    errors.push(cause.invalid(`${path}.type`, type, why));
  }
  for (const list of lists) {
    for (const name of namesIn(list)) {
      validateName(type, name, `${path}.${list}[${name}]`, errors);
    }
  }
  for (const list of isPod ? ["default", "defaultRequest"] : []) {
    if (namesIn(list).length > 0) {
      errors.push(cause.forbidden(`${path}.${list}`, "may not be specified when `type` is 'Pod'"));
    }
  }
  if (
    type === "PersistentVolumeClaim" &&
    ![...namesIn("max"), ...namesIn("min")].includes("storage")
  ) {
    const why = "either minimum or maximum storage value is required, but neither was provided";
    errors.push(cause.required(`${path}.limits`, why));
  }
  for (const name of new Set(lists.flatMap(namesIn))) {
    const amountOf = (list: string) =>
      isPod && list.startsWith("default") ? undefined : parseQuantity(mapOf(limit[list])[name]);
    validateOrder(name, amountOf, path, errors);
    validateRatio(amountOf, `${path}.maxLimitRequestRatio[${name}]`, errors);
  }
}

function validateName(type: string, name: string, path: string, errors: FieldErrors): void {
  if (type === "Pod" || type === "Container") {
    validateContainerResource(name, path, errors);
  } else {
    const isKnown = /^(cpu|memory|storage|ephemeral-storage)$|\//.test(name);
    validateResourceName(name, path, errors, isKnown);
  }
}

/** Pairs of amounts of which the first must not exceed the second. */
interface Order {
  readonly lists: readonly [less: string, more: string];
  /** Names of the lists in errors. */
  readonly called: readonly [less: string, more: string];
  /** List at which errors are reported. */
  readonly at: string;
  /** List whose amount errors show. Default: the same. */
  readonly shown?: string;
}

/** Checks of the amounts of one resource, in the order of a real server. */
const orders: readonly Order[] = [
  { lists: ["min", "max"], called: ["min", "max"], at: "min" },
  { lists: ["min", "defaultRequest"], called: ["min", "default request"], at: "defaultRequest" },
  { lists: ["defaultRequest", "max"], called: ["default request", "max"], at: "defaultRequest" },
  {
    lists: ["defaultRequest", "default"],
    called: ["default request", "default limit"],
    at: "defaultRequest",
  },
  { lists: ["min", "default"], called: ["min", "default"], at: "default", shown: "min" },
  { lists: ["default", "max"], called: ["default", "max"], at: "default", shown: "max" },
];

type AmountOf = (list: string) => Quantity | undefined;

function validateOrder(name: string, amountOf: AmountOf, path: string, errors: FieldErrors): void {
  for (const { lists, called, at, shown = at } of orders) {
    const [less, more] = [amountOf(lists[0]), amountOf(lists[1])];
    const value = amountOf(shown);
    if (
      less !== undefined &&
      more !== undefined &&
      value !== undefined &&
      less.nanos > more.nanos
    ) {
      const why = `${called[0]} value ${formatQuantity(less)} is greater than ${called[1]} value ${formatQuantity(more)}`;
      errors.push(cause.invalid(`${path}.${at}[${name}]`, formatQuantity(value), why));
    }
  }
}

/** Checks that the limit/request ratio is at least one and does not exceed max/min. */
function validateRatio(amountOf: AmountOf, path: string, errors: FieldErrors): void {
  const ratio = amountOf("maxLimitRequestRatio");
  const [min, max] = [amountOf("min")?.nanos, amountOf("max")?.nanos];
  if (ratio === undefined) {
    return;
  }
  const shown = formatQuantity(ratio);
  if (ratio.nanos < nanosPerUnit) {
    errors.push(cause.invalid(path, shown, `ratio ${shown} is less than 1`));
  }
  const most = Number(max) / Number(min);
  if (min !== 0n && Number(ratio.nanos) / Number(nanosPerUnit) > most) {
    const why = `ratio ${shown} is greater than max/min = ${most.toFixed(6)}`;
    errors.push(cause.invalid(path, shown, why));
  }
}
