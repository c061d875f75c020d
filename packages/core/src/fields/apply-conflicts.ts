import { KubeError } from "../errors/kube-error.js";
import { type FieldPath, valueAt } from "./field-path.js";
import { parseFieldPath } from "./field-path-text.js";

const reason = "FieldManagerConflict";

/** A field of an apply request that another manager owns with another value. */
export interface ApplyConflict {
  /** Manager that owns the field. */
  readonly manager: string;
  /** Subresource through which the manager wrote the field. */
  readonly subresource?: string | undefined;
  /** apiVersion in which the manager wrote the field. Servers report it for managers that updated instead of applying. */
  readonly apiVersion?: string | undefined;
  /** Time at which the manager wrote the field, in the server's format. */
  readonly time?: string | undefined;
  /** Field as the server prints it: `.spec.template.spec.containers[name="web"].image`. */
  readonly path: string;
  /** Same path as steps. Names that contain dots are recognized only when the object is given. */
  readonly fields: FieldPath;
  /** Current value of the field; absent when the object is not given. */
  readonly value?: unknown;
}

/**
 * Returns true when an apply failed because other managers own fields of it. Returns false for other conflicts, such as
 * of a resourceVersion.
 */
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
 * Returns the conflicts of an apply, one for each field and manager.
 *
 * Each can be resolved in three ways: apply again with `force` to take the field over; leave the field out of the
 * applied object; or apply `value`, the current value, to share the field.
 *
 * @param object - current object, for the values.
 * @returns an empty array for any other error.
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
