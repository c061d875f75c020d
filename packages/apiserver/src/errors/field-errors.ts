// The field errors of a 422, which the schemas of custom resources report, too.
export { cause, collectErrors, type FieldErrors } from "@typekube/core/internal/field-errors";
