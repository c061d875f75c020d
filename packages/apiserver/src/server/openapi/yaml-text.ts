import { isJsonObject } from "../../objects/json-value.js";

/**
 * Strings written without quotes, and strings that begin with a sign (single quotes); all others are written as in
 * JSON.
 */
const plainText = /^[A-Za-z][\w./+,-]*(?: [\w./+,-]+)*$/;
const signedText = /^[*&!%@][^'\n]*$/;
const otherMeanings = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i;

/** Formats a JSON value as YAML the way gnostic formats extensions of OpenAPI documents. */
export function yamlText(value: unknown): string {
  return `${linesOf(value).join("\n")}\n`;
}

function linesOf(value: unknown): string[] {
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((item) => {
      const [first, ...rest] = linesOf(item);
      return [`- ${first}`, ...rest.map((line) => `  ${line}`)];
    });
  }
  if (isJsonObject(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, part]) => {
      const lines = linesOf(part);
      return isBranch(part)
        ? [`${scalar(key)}:`, ...lines.map((line) => `  ${line}`)]
        : [`${scalar(key)}: ${lines[0]}`];
    });
  }
  return [scalar(value)];
}

function isBranch(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function scalar(value: unknown): string {
  if (typeof value === "string" && plainText.test(value) && !otherMeanings.test(value)) {
    return value;
  }
  return typeof value === "string" && signedText.test(value) ? `'${value}'` : JSON.stringify(value);
}
