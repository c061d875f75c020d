import type { StructuralSchema } from "../structural/structural-schema.js";

/** A path that exists in a schema, or what is wrong with it. */
export type RuleFieldPath = { readonly path: string } | { readonly problem: string };

const escapes: ReadonlyMap<string, string> = new Map([
  ["\\a", "\u0007"],
  ["\\b", "\b"],
  ["\\f", "\f"],
  ["\\n", "\n"],
  ["\\r", "\r"],
  ["\\t", "\t"],
  ["\\v", "\v"],
  ["\\'", "'"],
  ["\\\\", "\\"],
]);

/**
 * Returns a rule's `fieldPath`, for example `.a['b-c']`, in the form that errors have.
 *
 * @returns A problem in the words of Kubernetes if the path is malformed or names no field.
 */
export function ruleFieldPath(text: string, schema: StructuralSchema): RuleFieldPath {
  const tokens = text.match(/'(?:\\.|[^'\\])*'|[.[\]]|[^.[\]']+|'/g) ?? [];
  let current: StructuralSchema | undefined = schema;
  let path = "";
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index];
    const step = readStep(tokens, index);
    if (token !== "." && token !== "[") {
      return { problem: `expected [ or . but got: ${token}` };
    }
    if ("problem" in step) {
      return step;
    }
    const isNamed: boolean = current.properties.size > 0;
    const values: StructuralSchema["additionalProperties"] = current.additionalProperties;
    const next: StructuralSchema | undefined = isNamed
      ? current.properties.get(step.name)
      : typeof values === "object"
        ? values
        : undefined;
    if (next === undefined) {
      return { problem: "does not refer to a valid field" };
    }
    path += isNamed ? `${path === "" ? "" : "."}${step.name}` : `[${step.name}]`;
    current = next;
    index = step.next;
  }
  return { path };
}

type Step = { readonly name: string; readonly next: number } | { readonly problem: string };

function readStep(tokens: readonly string[], index: number): Step {
  const token = tokens[index + 1];
  if (token === undefined) {
    return { problem: "unexpected end of JSON path" };
  }
  if (tokens[index] === ".") {
    return { name: token, next: index + 2 };
  }
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) {
    return { problem: `expected single quoted string but got ${token}` };
  }
  let invalid: string | undefined;
  const name = token.slice(1, -1).replace(/\\./g, (sequence) => {
    const character = escapes.get(sequence);
    invalid ??= character === undefined ? sequence : undefined;
    return character ?? "";
  });
  if (invalid !== undefined) {
    return { problem: `invalid string literal: invalid escape char ${invalid}` };
  }
  const close = tokens[index + 2];
  if (close === undefined) {
    return { problem: "unexpected end of JSON path" };
  }
  return close === "]" ? { name, next: index + 3 } : { problem: `expected ] but got ${close}` };
}
