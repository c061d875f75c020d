import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { type JsonObject, jsonEqual } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import { isUnset, validateQualifiedName, validateRequired } from "../../phases/validate/checks.js";

const maxWord = 128;
const maxMessageBytes = 1024;
const fixed = "field is immutable";
const unlike = "does not match event.namespace";

/**
 * Appends the field errors of an Event of the core group. Most checks apply only to Events with an `eventTime`, which
 * the new form has.
 */
export function validateEvent(event: ApiObject, errors: FieldErrors): void {
  const { metadata, involvedObject, eventTime, message } = event;
  const { namespace = "" } = mapOf(involvedObject);
  if (!isUnset(eventTime)) {
    validateNewForm(event, "reportingComponent", namespace, message, errors);
    return;
  }
  const isOfPlace = namespace === "" ? metadata.namespace === "default" : false;
  if (!isOfPlace && namespace !== metadata.namespace) {
    errors.push(cause.invalid("involvedObject.namespace", namespace, unlike));
  }
}

/** Appends the field errors of an Event of events.k8s.io. Errors use the field names of the core group. */
export function validateNewEvent(event: ApiObject, errors: FieldErrors): void {
  const { namespace = "" } = mapOf(event["regarding"]);
  if (!isUnset(event["eventTime"])) {
    validateNewForm(event, "reportingController", namespace, event["note"], errors);
  }
}

function validateNewForm(
  event: ApiObject,
  controller: string,
  namespace: unknown,
  message: unknown,
  errors: FieldErrors,
): void {
  const home = event.metadata.namespace ?? "";
  const isHomeless = namespace === "" && home !== "default" && home !== "kube-system";
  const name = String(event[controller] ?? "");
  if (isHomeless) {
    errors.push(cause.invalid("involvedObject.namespace", namespace, unlike));
  }
  validateRequired(name, controller, errors);
  validateQualifiedName(name, controller, errors);
  for (const field of ["reportingInstance", "action", "reason"]) {
    validateRequired(event[field], field, errors);
    validateAtMost(String(event[field] ?? "").length, field, errors, maxWord);
  }
  validateAtMost(Buffer.byteLength(String(message ?? "")), "message", errors, maxMessageBytes);
}

function validateAtMost(count: number, path: string, errors: FieldErrors, most: number): void {
  if (count > most) {
    errors.push(cause.invalid(path, "", `can have at most ${most} characters`));
  }
}

/** Appends the field errors that apply only when an Event of events.k8s.io is created: required and forbidden fields. */
export function validateNewEventCreation(event: ApiObject, errors: FieldErrors): void {
  const { type, eventTime, series } = event;
  const unset = ["FirstTimestamp", "LastTimestamp", "Count", "Source"].filter((field) => {
    const value = event[`deprecated${field}`];
    return !isUnset(value) && value !== 0 && !jsonEqual(value, {});
  });
  validateSeries(series, errors);
  validateRequired(eventTime, "eventTime", errors);
  if (type !== "Normal" && type !== "Warning") {
    errors.push(cause.invalid("type", "", `has invalid value: ${String(type ?? "")}`));
  }
  for (const field of unset) {
    errors.push(cause.invalid(lowered(field), "", "needs to be unset"));
  }
}

function validateSeries(series: unknown, errors: FieldErrors): void {
  if (series === undefined || series === null) {
    return;
  }
  const { count, lastObservedTime } = mapOf(series);
  if (Number(count ?? 0) < 2) {
    errors.push(cause.invalid("series.count", "", "should be at least 2"));
  }
  validateRequired(lastObservedTime, "series.lastObservedTime", errors);
}

function lowered(field: string): string {
  return `${field.charAt(0).toLowerCase()}${field.slice(1)}`;
}

/** Appends errors for changes of an Event of events.k8s.io: only its series may change. */
export function validateNewEventUpdate(now: ApiObject, then: ApiObject, errors: FieldErrors): void {
  const kept = (
    called: string,
    field = called,
    shown: (value: unknown) => unknown = (one) => one,
  ) =>
    jsonEqual(now[field] ?? null, then[field] ?? null)
      ? []
      : [cause.invalid(called, shown(now[field]) ?? null, fixed)];
  if (!jsonEqual(now["series"] ?? null, then["series"] ?? null)) {
    validateSeries(now["series"], errors);
  }
  errors.push(...kept("involvedObject", "regarding", goReference));
  errors.push(...kept("reason", "reason", orEmpty));
  errors.push(...kept("message", "note", orEmpty));
  errors.push(...kept("source", "deprecatedSource", goSource));
  errors.push(...kept("firstTimestamp", "deprecatedFirstTimestamp"));
  errors.push(...kept("lastTimestamp", "deprecatedLastTimestamp"));
  errors.push(...kept("count", "deprecatedCount", (count) => count ?? 0));
  errors.push(...kept("type", "type", orEmpty));
  errors.push(...kept("eventTime"));
  errors.push(...kept("action", "action", orEmpty));
  errors.push(...kept("related", "related", goReference));
  errors.push(...kept("reportingController", "reportingController", orEmpty));
  errors.push(...kept("reportingInstance", "reportingInstance", orEmpty));
}

function orEmpty(text: unknown): unknown {
  return text ?? "";
}

/** Formats an object reference like Go. */
function goReference(value: unknown): JsonObject | undefined {
  const reference = mapOf(value);
  const text = (key: string) => reference[key] ?? "";
  return value === undefined
    ? undefined
    : {
        Kind: text("kind"),
        Namespace: text("namespace"),
        Name: text("name"),
        UID: text("uid"),
        APIVersion: text("apiVersion"),
        ResourceVersion: text("resourceVersion"),
        FieldPath: text("fieldPath"),
      };
}

function goSource(value: unknown): JsonObject {
  const { component = "", host = "" } = mapOf(value);
  return { Component: component, Host: host };
}
