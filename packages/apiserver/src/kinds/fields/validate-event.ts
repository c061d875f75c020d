import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { type JsonObject, jsonEqual } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import { qualifiedName, required } from "../../phases/validate/old-checks.js";

const maxWord = 128;
const maxMessageBytes = 1024;
const fixed = "field is immutable";
const unlike = "does not match event.namespace";

/**
 * Returns the field errors of an Event of the core group. Most checks apply only to Events with an `eventTime`, which
 * the new form has.
 */
export function validateEvent(event: ApiObject): FieldErrors {
  const { metadata, involvedObject, eventTime, message } = event;
  const { namespace = "" } = mapOf(involvedObject);
  if (!isUnset(eventTime)) {
    return validateNewForm(event, "reportingComponent", namespace, message);
  }
  const isOfPlace = namespace === "" ? metadata.namespace === "default" : false;
  return isOfPlace || namespace === metadata.namespace
    ? []
    : [cause.invalid("involvedObject.namespace", namespace, unlike)];
}

/** Returns the field errors of an Event of events.k8s.io. Errors use the field names of the core group. */
export function validateNewEvent(event: ApiObject): FieldErrors {
  const { namespace = "" } = mapOf(event["regarding"]);
  return isUnset(event["eventTime"])
    ? []
    : validateNewForm(event, "reportingController", namespace, event["note"]);
}

function validateNewForm(
  event: ApiObject,
  controller: string,
  namespace: unknown,
  message: unknown,
): FieldErrors {
  const home = event.metadata.namespace ?? "";
  const isHomeless = namespace === "" && home !== "default" && home !== "kube-system";
  const name = String(event[controller] ?? "");
  return [
    ...(isHomeless ? [cause.invalid("involvedObject.namespace", namespace, unlike)] : []),
    ...required(controller, name),
    ...qualifiedName(controller, name),
    ...["reportingInstance", "action", "reason"].flatMap((field) => [
      ...required(field, event[field]),
      ...atMost(field, String(event[field] ?? "").length, maxWord),
    ]),
    ...atMost("message", Buffer.byteLength(String(message ?? "")), maxMessageBytes),
  ];
}

function atMost(field: string, count: number, most: number): FieldErrors {
  return count > most ? [cause.invalid(field, "", `can have at most ${most} characters`)] : [];
}

/** Returns the field errors that apply only when an Event of events.k8s.io is created: required and forbidden fields. */
export function validateNewEventCreation(event: ApiObject): FieldErrors {
  const { type, eventTime, series } = event;
  const unset = ["FirstTimestamp", "LastTimestamp", "Count", "Source"].filter((field) => {
    const value = event[`deprecated${field}`];
    return !isUnset(value) && value !== 0 && !jsonEqual(value, {});
  });
  return [
    ...validateSeries(series),
    ...required("eventTime", eventTime),
    ...(type === "Normal" || type === "Warning"
      ? []
      : [cause.invalid("type", "", `has invalid value: ${String(type ?? "")}`)]),
    ...unset.map((field) => cause.invalid(lowered(field), "", "needs to be unset")),
  ];
}

function validateSeries(series: unknown): FieldErrors {
  if (series === undefined || series === null) {
    return [];
  }
  const { count, lastObservedTime } = mapOf(series);
  return [
    ...(Number(count ?? 0) < 2 ? [cause.invalid("series.count", "", "should be at least 2")] : []),
    ...required("series.lastObservedTime", lastObservedTime),
  ];
}

function lowered(field: string): string {
  return `${field.charAt(0).toLowerCase()}${field.slice(1)}`;
}

/** Returns errors for changes of an Event of events.k8s.io: only its series may change. */
export function validateNewEventUpdate(now: ApiObject, then: ApiObject): FieldErrors {
  const kept = (
    called: string,
    field = called,
    shown: (value: unknown) => unknown = (one) => one,
  ) =>
    jsonEqual(now[field] ?? null, then[field] ?? null)
      ? []
      : [cause.invalid(called, shown(now[field]) ?? null, fixed)];
  return [
    ...(jsonEqual(now["series"] ?? null, then["series"] ?? null)
      ? []
      : validateSeries(now["series"])),
    ...kept("involvedObject", "regarding", goReference),
    ...kept("reason", "reason", orEmpty),
    ...kept("message", "note", orEmpty),
    ...kept("source", "deprecatedSource", goSource),
    ...kept("firstTimestamp", "deprecatedFirstTimestamp"),
    ...kept("lastTimestamp", "deprecatedLastTimestamp"),
    ...kept("count", "deprecatedCount", (count) => count ?? 0),
    ...kept("type", "type", orEmpty),
    ...kept("eventTime"),
    ...kept("action", "action", orEmpty),
    ...kept("related", "related", goReference),
    ...kept("reportingController", "reportingController", orEmpty),
    ...kept("reportingInstance", "reportingInstance", orEmpty),
  ];
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
