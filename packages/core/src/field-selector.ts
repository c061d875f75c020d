import { KubeError } from "./kube-error.js";

/** One condition of a field selector. */
export interface FieldRequirement {
  /** A path such as `metadata.name` or `status.phase`. */
  readonly field: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

/** How callers write a field selector: the API's string, or a record of fields that must be equal. */
export type FieldSelectorInput = string | Readonly<Record<string, string>>;

/**
 * The API's string for any form; values are escaped.
 *
 * @throws {KubeError} `InvalidArgument` for what is none: a selector that says nothing would select everything.
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
 * Reads the API's string form: `=`, `==`, `!=`, joined by commas, with `\` before `\`, `,` and `=` in values.
 * Space in a value belongs to it, as in apimachinery `fields.ParseSelector`.
 *
 * @throws {KubeError} `InvalidArgument` that names the part that cannot be read.
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
