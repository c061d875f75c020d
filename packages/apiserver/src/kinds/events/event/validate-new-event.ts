import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { type JsonObject, jsonEqual } from "../../../objects/json-value.js";
import { mapOf } from "../../../objects/parts.js";
import { isUnset, validateRequired } from "../../../phases/validate/checks.js";
import { validateNewForm } from "../../core/event/validate-event.js";
import { validateFields } from "../../fields/validate-fields.js";

/** Appends the field errors of an Event of events.k8s.io. Errors use the field names of the core group. */
export function validateNewEvent(event: ApiObject, errors: FieldErrors): void {
  const { regarding, eventTime, note: message } = event;
  const { namespace = "" } = mapOf(regarding);
  if (!isUnset(eventTime)) {
    validateNewForm(event, { controller: "reportingController", namespace, message }, errors);
  }
}

/** Appends the field errors that apply only when an Event of events.k8s.io is created: required and forbidden fields. */
export function validateNewEventCreation(event: ApiObject, errors: FieldErrors): void {
  const { type, eventTime, series } = event;
  validateSeries(series, errors);
  validateRequired(eventTime, "eventTime", errors);
  if (type !== "Normal" && type !== "Warning") {
    errors.push(cause.invalid("type", "", `has invalid value: ${String(type ?? "")}`));
  }
  for (const key of ["firstTimestamp", "lastTimestamp", "count", "source"]) {
    const value = event[deprecated(key)];
    if (!isUnset(value) && value !== 0 && !jsonEqual(value, {})) {
      errors.push(cause.invalid(key, "", "needs to be unset"));
    }
  }
}

/** Returns the name in events.k8s.io of a deprecated field of the core group. */
function deprecated(key: string): string {
  return `deprecated${key.charAt(0).toUpperCase()}${key.slice(1)}`;
}

function validateSeries(series: unknown, errors: FieldErrors): void {
  if (series === undefined || series === null) {
    return;
  }
  const { count } = mapOf(series);
  if (Number(count ?? 0) < 2) {
    errors.push(cause.invalid("series.count", "", "should be at least 2"));
  }
  validateFields("events/v1.EventSeries", mapOf(series), "series", errors);
}

/** An immutable field. */
interface FixedField {
  readonly key: string;
  /** Name in errors. Default: the key. */
  readonly called?: string;
  /** Formats the value like Go. Default: as null if unset. */
  readonly shown?: (value: unknown) => unknown;
}

const fixedFields: readonly FixedField[] = [
  { key: "regarding", called: "involvedObject", shown: goReference },
  { key: "reason", shown: orEmpty },
  { key: "note", called: "message", shown: orEmpty },
  { key: "deprecatedSource", called: "source", shown: goSource },
  { key: "deprecatedFirstTimestamp", called: "firstTimestamp" },
  { key: "deprecatedLastTimestamp", called: "lastTimestamp" },
  { key: "deprecatedCount", called: "count", shown: (count) => count ?? 0 },
  { key: "type", shown: orEmpty },
  { key: "eventTime" },
  { key: "action", shown: orEmpty },
  { key: "related", shown: goReference },
  { key: "reportingController", shown: orEmpty },
  { key: "reportingInstance", shown: orEmpty },
];

/** Appends errors for changes of an Event of events.k8s.io: only its series may change. */
export function validateNewEventUpdate(
  event: ApiObject,
  old: ApiObject,
  errors: FieldErrors,
): void {
  const isKept = (key: string) => jsonEqual(event[key] ?? null, old[key] ?? null);
  if (!isKept("series")) {
    validateSeries(event["series"], errors);
  }
  for (const { key, called = key, shown = (value: unknown) => value } of fixedFields) {
    if (!isKept(key)) {
      errors.push(cause.invalid(called, shown(event[key]) ?? null, "field is immutable"));
    }
  }
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
