// Entry point "@typekube/core/internal/field-errors": the causes of a 422 and values as Go prints them.

export {
  type Check,
  isUnset,
  validateGivenOneOf,
  validateItems,
  validateOneOf,
  validateRequired,
} from "./field-checks.js";
export { cause, collectErrors, type FieldErrors } from "./field-errors.js";
export { goQuoted, goSyntax, goText, goTypeName } from "./go-value.js";
