import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { mapOf } from "../../../objects/parts.js";
import {
  isUnset,
  validateQualifiedName,
  validateRequired,
} from "../../../phases/validate/checks.js";

const maxWord = 128;
const maxMessageBytes = 1024;

const otherNamespace = "does not match event.namespace";

/** Fields of an Event whose names differ between its two groups. */
export interface EventForm {
  readonly controller: string;
  readonly namespace: unknown;
  readonly message: unknown;
}

/**
 * Appends the field errors of an Event of the core group. Most checks apply only to Events with an `eventTime`, which
 * the new form has.
 */
export function validateEvent(event: ApiObject, errors: FieldErrors): void {
  const { metadata, involvedObject, eventTime, message } = event;
  const { namespace = "" } = mapOf(involvedObject);
  if (!isUnset(eventTime)) {
    validateNewForm(event, { controller: "reportingComponent", namespace, message }, errors);
  } else if (
    namespace !== metadata.namespace &&
    !(namespace === "" && metadata.namespace === "default")
  ) {
    errors.push(cause.invalid("involvedObject.namespace", namespace, otherNamespace));
  }
}

/** Appends the field errors of an Event with an `eventTime`. Errors use the field names of the core group. */
export function validateNewForm(
  event: ApiObject,
  { controller, namespace, message }: EventForm,
  errors: FieldErrors,
): void {
  const home = event.metadata.namespace ?? "";
  if (namespace === "" && home !== "default" && home !== "kube-system") {
    errors.push(cause.invalid("involvedObject.namespace", namespace, otherNamespace));
  }
  validateRequired(event[controller], controller, errors);
  validateQualifiedName(event[controller], controller, errors);
  for (const key of ["reportingInstance", "action", "reason"]) {
    validateRequired(event[key], key, errors);
    validateAtMost(String(event[key] ?? "").length, maxWord, key, errors);
  }
  validateAtMost(Buffer.byteLength(String(message ?? "")), maxMessageBytes, "message", errors);
}

function validateAtMost(count: number, most: number, path: string, errors: FieldErrors): void {
  if (count > most) {
    errors.push(cause.invalid(path, "", `can have at most ${most} characters`));
  }
}
