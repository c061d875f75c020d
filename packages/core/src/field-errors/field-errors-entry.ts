// Entry point "@typekube/core/internal/field-errors": the causes of a 422 and values as Go prints them.

export { cause, collectErrors, type FieldErrors } from "./field-errors.js";
export { goQuoted, goSyntax, goText, goTypeName } from "./go-value.js";
