import { tooDeep } from "../bytes/bytes.js";
import { stringifyJson } from "../codecs/json/encode.js";
import { parseText } from "../codecs/json/parse.js";
import { KubeError } from "../errors/kube-error.js";
import { isJsonObject } from "../objects/json-value.js";
import { defaultLimits } from "../options/limits.js";
import { assertOptions, type OptionTable } from "../options/option-table.js";
import { type FieldPath, type FieldPathElement, itemAt, valueAt } from "./field-path.js";

/** Options of {@link printFieldPath}. */
export interface PrintFieldPathOptions {
  /**
   * Quotes names that contain a dot, a bracket or a quote, `["a.b"]`, so that {@link parseFieldPath} can read the path
   * without an object. Default false, as servers and kubectl print paths.
   */
  readonly quoteNames?: boolean | undefined;
}

const printFieldPathOptions: OptionTable<PrintFieldPathOptions> = { quoteNames: true };

/**
 * Formats a path as servers and kubectl print it: `.spec.containers[name="web"].image`,
 * `.metadata.finalizers[="x.io/a"]`.
 */
export function printFieldPath(path: FieldPath, options: PrintFieldPathOptions = {}): string {
  assertOptions("printFieldPath()", options, printFieldPathOptions);
  return path.map((element) => printElement(element, options)).join("");
}

function printElement(element: FieldPathElement, { quoteNames }: PrintFieldPathOptions): string {
  if ("field" in element) {
    const { field } = element;
    return quoteNames && (field === "" || /[.[\]"]/.test(field))
      ? `[${stringifyJson(field)}]`
      : `.${field}`;
  }
  if ("keys" in element) {
    const keys = Object.entries(element.keys).sort(([a], [b]) => (a < b ? -1 : 1));
    return `[${keys.map(([key, value]) => `${key}=${stringifyJson(value)}`).join(",")}]`;
  }
  return "value" in element ? `[=${stringifyJson(element.value)}]` : `[${element.index}]`;
}

/** Longer texts are rejected before the patterns read them. A step names a field or the keys of an item. */
const maxPathLength = 100_000;

/**
 * Parses a path as servers print it, or with quoted names.
 *
 * @param object - object that the path refers to. A name may contain dots (`.metadata.labels.app.kubernetes.io/name`),
 * and only the object shows where such a name ends. Without the object, each dot begins a name.
 * @throws {KubeError} `InvalidArgument` for a text that is not a path, `TooLarge` for more steps than the default
 * `maxDepth` or more than 100,000 characters.
 */
export function parseFieldPath(text: string, object?: unknown): FieldPath {
  if (text.length > maxPathLength) {
    throw new KubeError(
      "TooLarge",
      `a field path is longer than the limit of ${maxPathLength} characters`,
    );
  }
  const path = parseFrom(text, object, []);
  if (path === undefined) {
    throw new KubeError("InvalidArgument", `"${text}" is not a field path`);
  }
  return path;
}

function parseFrom(text: string, current: unknown, sofar: FieldPath): FieldPath | undefined {
  if (text === "") {
    return sofar;
  }
  if (sofar.length >= defaultLimits.maxDepth) {
    throw tooDeep("a field path", defaultLimits.maxDepth);
  }
  for (const [element, rest] of text.startsWith("[") ? bracket(text) : names(text, current)) {
    const next =
      "field" in element
        ? valueAt(current, [element])
        : Array.isArray(current)
          ? itemAt(current, element)?.item
          : undefined;
    const path = parseFrom(rest, next, [...sofar, element]);
    if (path !== undefined) {
      return path;
    }
  }
  return undefined;
}

type Step = readonly [element: FieldPathElement, rest: string];

/** Returns the possible names at the front, beginning with the longest that the object has. */
function names(text: string, current: unknown): Step[] {
  if (!text.startsWith(".")) {
    return [];
  }
  const after = text.slice(1);
  const isEnd = (at: number) => at === after.length || ".[".includes(after[at] as string);
  const known = isJsonObject(current)
    ? Object.keys(current)
        .filter((key) => key !== "" && after.startsWith(key) && isEnd(key.length))
        .sort((a, b) => b.length - a.length)
    : [];
  const shortest = /^[^.[]+/.exec(after)?.[0];
  const all = shortest === undefined || known.includes(shortest) ? known : [...known, shortest];
  return all.map((field) => [{ field }, after.slice(field.length)]);
}

const quoted = String.raw`"(?:[^"\\]|\\.)*"`;
const scalar = String.raw`${quoted}|[^\s"\],]+`;
const oneKey = String.raw`[^=\s"[\],]+=(?:${scalar})`;
const forms = {
  name: new RegExp(`^\\[(${quoted})\\]`),
  value: new RegExp(`^\\[=(${scalar})\\]`),
  index: /^\[(\d+)\]/,
  keys: new RegExp(`^\\[(${oneKey}(?:,${oneKey})*)\\]`),
};

function bracket(text: string): Step[] {
  for (const [form, expression] of Object.entries(forms)) {
    const match = expression.exec(text);
    const element = match && elementOf(form as keyof typeof forms, match[1] as string);
    if (match && element) {
      return [[element, text.slice(match[0].length)]];
    }
  }
  return [];
}

function elementOf(form: keyof typeof forms, inner: string): FieldPathElement | undefined {
  if (form === "index") {
    return { index: Number(inner) };
  }
  if (form === "keys") {
    const pairs = [...inner.matchAll(new RegExp(`([^=\\s"[\\],]+)=(${scalar})`, "g"))];
    const keys = pairs.map(([, key, value]) => [key, read(value as string)] as const);
    return keys.some(([, value]) => value === undefined)
      ? undefined
      : { keys: Object.fromEntries(keys) };
  }
  const value = read(inner);
  if (value === undefined) {
    return undefined;
  }
  return form === "name" ? { field: String(value) } : { value };
}

/** Reads a scalar as Go prints it. Quoted text differs from JSON only in the escapes that JSON lacks. */
function read(text: string): unknown {
  try {
    return parseText(asJson(text), true);
  } catch {
    return undefined;
  }
}

/**
 * Replaces Go's escapes by those of JSON.
 *
 * @throws {RangeError} for an escape of a character that Unicode lacks.
 */
function asJson(text: string): string {
  return text.replace(/\\(x[0-9a-f]{2}|U[0-9a-f]{8}|[av'])/g, (_, sequence: string) => {
    const simple = { a: "\u0007", v: "\u000b", "'": "'" }[sequence];
    const character = simple ?? String.fromCodePoint(Number.parseInt(sequence.slice(1), 16));
    return JSON.stringify(character).slice(1, -1);
  });
}
