import type { StatusCause } from "@typekube/core";
import { cause, goQuoted } from "@typekube/core/internal/field-errors";

/**
 * Creates the errors that show a value. `isHidden` leaves it out: the value is a secret or contains one. A real server
 * shows it, but errors end up in logs.
 */
export const valueCause = {
  invalid: (field: string, value: unknown, why: string, isHidden: boolean): StatusCause =>
    isHidden
      ? { reason: "FieldValueInvalid", message: `Invalid value: ${why}`, field }
      : cause.invalid(field, value, why),
  duplicate: (field: string, value: unknown, isHidden: boolean): StatusCause =>
    isHidden
      ? { reason: "FieldValueDuplicate", message: "Duplicate value", field }
      : cause.duplicate(field, value),
  notSupported: (
    field: string,
    value: unknown,
    supported: readonly string[],
    isHidden: boolean,
  ): StatusCause => {
    if (!isHidden) {
      return cause.notSupported(field, value, supported);
    }
    const message = `Unsupported value: supported values: ${supported.map(goQuoted).join(", ")}`;
    return { reason: "FieldValueNotSupported", message, field };
  },
} as const;
