import { KubeError } from "../kube-error.js";
import { type FieldPath, valueAt } from "./field-path.js";
import { parseFieldPath } from "./field-path-text.js";

const reason = "FieldManagerConflict";

/** One field of an apply that somebody else owns with another value. */
export interface ApplyConflict {
  /** Who owns it. */
  readonly manager: string;
  /** Through which subresource they wrote it. */
  readonly subresource?: string | undefined;
  /** The version they wrote it in; servers tell it of those who did not apply but update. */
  readonly apiVersion?: string | undefined;
  /** When they did, as the server writes times. */
  readonly time?: string | undefined;
  /** The field as the server prints it: `.spec.template.spec.containers[name="web"].image`. */
  readonly path: string;
  /** The same as steps. Names with dots in them are told apart only where the object is given. */
  readonly fields: FieldPath;
  /** The value that the object has there; absent where the object is not given. */
  readonly value?: unknown;
}

/** An apply failed because other managers own fields of it. Other conflicts, as of a resourceVersion, are none. */
export function isApplyConflict(
  error: unknown,
): error is KubeError & { readonly code: "Conflict" } {
  return (
    error instanceof KubeError &&
    error.code === "Conflict" &&
    error.causes.some((cause) => cause.reason === reason)
  );
}

/**
 * What an apply conflicts with, field by field and manager by manager.
 *
 * There are three answers to each: apply again with `force` and take the field; leave the field out of what is applied; or apply
 * `value`, the value that is there, and share it.
 *
 * @param object - the object as it is now, for the values.
 * @returns nothing for any other error.
 */
export function applyConflicts(error: unknown, object?: unknown): ApplyConflict[] {
  if (!isApplyConflict(error)) {
    return [];
  }
  return error.causes
    .filter((cause) => cause.reason === reason)
    .map(({ message = "", field = "" }) => {
      const fields = pathOf(field, object);
      return {
        ...ownerIn(message),
        path: field,
        fields,
        ...(object === undefined ? {} : { value: valueAt(object, fields) }),
      };
    });
}

function pathOf(field: string, object: unknown): FieldPath {
  try {
    return parseFieldPath(field, object);
  } catch {
    return [];
  }
}

// conflict with "m1" with subresource "status" using apps/v1 at 2026-01-02T03:04:05Z
const form =
  /^conflict with ("(?:[^"\\]|\\.)*")(?: with subresource ("(?:[^"\\]|\\.)*"))?(?: using (\S+))?(?: at (\S+))?/;

function ownerIn(message: string): Omit<ApplyConflict, "fields" | "path" | "value"> {
  const [, manager, subresource, apiVersion, time] = form.exec(message) ?? [];
  return {
    manager: manager === undefined ? "" : unquoted(manager),
    ...(subresource === undefined ? {} : { subresource: unquoted(subresource) }),
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(time === undefined ? {} : { time }),
  };
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}
