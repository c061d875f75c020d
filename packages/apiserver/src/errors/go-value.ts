// Texts of values as Go prints them, for messages that equal those of a real server.
export { goQuoted, goSyntax, goText, goTypeName } from "@typekube/core/internal/field-errors";
