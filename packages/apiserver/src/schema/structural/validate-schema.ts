import type { StatusCause } from "@typekube/core";
import { cause } from "../../errors/field-errors.js";

/** Causes used only by schema validation. */
export const schemaCause = {
  typeInvalid: (field: string, value: unknown, why: string): StatusCause => ({
    ...cause.invalid(field, value, why),
    reason: "FieldValueTypeInvalid",
  }),
  tooMany: (field: string, actual: number, most: number): StatusCause => ({
    reason: "FieldValueTooMany",
    message: `Too many: ${actual}: must have at most ${most} ${most === 1 ? "item" : "items"}`,
    field,
  }),
  duplicate: (field: string, value: unknown): StatusCause => ({
    reason: "FieldValueDuplicate",
    message: `Duplicate value: ${JSON.stringify(value)}`,
    field,
  }),
} as const;
