import { KubeError } from "../errors/kube-error.js";

/** One condition of a field selector. */
export interface FieldRequirement {
  /** Path of the field, such as `metadata.name` or `status.phase`. */
  readonly field: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

/** Field selector as callers write it: the API's string, or a record of fields and the values that they must equal. */
export type FieldSelectorInput = string | Readonly<Record<string, string>>;

/**
 * Returns the API's string for either form. Escapes the values of a record.
 *
 * @throws {KubeError} `InvalidArgument` for anything that is not a selector: a request without one would select
 * everything.
 */
export function formatFieldSelector(selector: FieldSelectorInput): string {
  if (typeof selector === "string") {
    return selector;
  }
  if (typeof selector !== "object" || selector === null || Array.isArray(selector)) {
    throw new KubeError(
      "InvalidArgument",
      "a field selector must be a string or an object of fields and values",
    );
  }
  return Object.entries(selector)
    .map(([field, value]) => {
      if (typeof value !== "string") {
        throw new KubeError(
          "InvalidArgument",
          `the value of "${field}" in a field selector must be a string, not ${value}`,
        );
      }
      return `${field}=${value.replace(/[\\,=]/g, "\\$&")}`;
    })
    .sort()
    .join(",");
}

/**
 * Parses the API's string form: `=`, `==`, `!=`, joined by commas, with `\` before `\`, `,` and `=` in values. Spaces
 * in a value belong to it, as in apimachinery's `fields.ParseSelector`.
 *
 * @throws {KubeError} `InvalidArgument` that names the invalid part.
 */
export function parseFieldSelector(text: string): FieldRequirement[] {
  const parts = text.match(/(?:\\[\s\S]?|[^\\,])+/g) ?? [];
  return parts
    .filter((part) => part.trim() !== "")
    .map((part) => {
      const match = /^([^=!\\]+)(==|!=|=)((?:\\[\\,=]|[^\\=])*)$/.exec(part);
      if (!match) {
        throw new KubeError("InvalidArgument", `invalid field selector "${part}"`, {
          hint: "write field=value or field!=value",
        });
      }
      const [, field = "", operator, value = ""] = match;
      return {
        field: field.trim(),
        operator: operator === "!=" ? "!=" : "=",
        value: value.replace(/\\([\\,=])/g, "$1"),
      };
    });
}
