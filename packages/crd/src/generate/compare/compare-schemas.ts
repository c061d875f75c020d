import { jsonEqual } from "@typekube/core/internal";
import { rulesOf, type StructuralSchema } from "@typekube/schema";
import { literal } from "../text/source-text.js";

interface Change {
  readonly path: string;
  readonly change: string;
}

/** Lists what a schema no longer allows or has. */
export function compareSchemas(
  before: StructuralSchema,
  after: StructuralSchema,
  path = "",
): Change[] {
  const typeBefore = typeOf(before);
  const typeAfter = typeOf(after);
  if (typeBefore !== typeAfter && typeAfter !== "any value") {
    return [{ path, change: `${typeAfter} instead of ${typeBefore}` }];
  }
  return [
    ...narrowed(before, after).map((change) => ({ path, change })),
    ...compareFields(before, after, path),
    ...(before.items !== undefined && after.items !== undefined
      ? compareSchemas(before.items, after.items, `${path}[]`)
      : []),
    ...(typeof before.additionalProperties === "object" &&
    typeof after.additionalProperties === "object"
      ? compareSchemas(before.additionalProperties, after.additionalProperties, `${path}.*`)
      : []),
  ];
}

function compareFields(before: StructuralSchema, after: StructuralSchema, path: string): Change[] {
  const at = (name: string) => (path === "" ? name : `${path}.${name}`);
  const removed = [...before.properties].flatMap(([name, schema]) => {
    const now = after.properties.get(name);
    if (now !== undefined) {
      return compareSchemas(schema, now, at(name));
    }
    const isKept = after.preserveUnknownFields || after.additionalProperties !== undefined;
    return isKept ? [] : [{ path: at(name), change: "removed" }];
  });
  const required = after.required
    .filter(
      (name) =>
        !before.required.includes(name) && after.properties.get(name)?.default === undefined,
    )
    .map((name) => ({ path: at(name), change: "required" }));
  return [...removed, ...required];
}

function typeOf({ type, intOrString, properties }: StructuralSchema): string {
  const named = type === "" ? (properties.size > 0 ? "object" : "any value") : type;
  return intOrString ? "integer or string" : named;
}

/** Bounds that are tighter when they grow, and those that are tighter when they shrink. */
const lower = ["minimum", "minLength", "minItems", "minProperties"];
const upper = ["maximum", "maxLength", "maxItems", "maxProperties"];
/** Keywords of which every other value may reject what was allowed. */
const exact = [
  "pattern",
  "format",
  "multipleOf",
  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
];

function narrowed(before: StructuralSchema, after: StructuralSchema): string[] {
  const [old, now] = [before.source, after.source];
  return [
    ...(before.nullable && !after.nullable ? ["null is not allowed"] : []),
    ...(before.preserveUnknownFields && !after.preserveUnknownFields
      ? ["unknown fields are dropped"]
      : []),
    ...lower.flatMap((key) => boundText(key, old[key], now[key], (a, b) => b > a)),
    ...upper.flatMap((key) => boundText(key, old[key], now[key], (a, b) => b < a)),
    ...["exclusiveMinimum", "exclusiveMaximum"].filter(
      (key) => now[key] === true && old[key] !== true,
    ),
    ...exact
      .filter((key) => now[key] !== undefined && !jsonEqual(now[key], old[key]))
      .map((key) => `${key} ${literal(now[key])}${insteadOf(old[key])}`),
    ...enumText(old["enum"], now["enum"]),
    ...["oneOf", "anyOf", "allOf", "not"]
      .filter((key) => now[key] !== undefined && !jsonEqual(now[key], old[key]))
      .map((key) => `${key} changed`),
    ...rulesOf(after)
      .filter(({ rule }) => !rulesOf(before).some((one) => one.rule === rule))
      .map(({ rule }) => `new rule ${rule}`),
  ];
}

function boundText(
  key: string,
  before: unknown,
  after: unknown,
  isTighter: (before: number | bigint, after: number | bigint) => boolean,
): string[] {
  if (typeof after !== "number" && typeof after !== "bigint") {
    return [];
  }
  const isNew = typeof before !== "number" && typeof before !== "bigint";
  return isNew || isTighter(before, after) ? [`${key} ${after}${insteadOf(before)}`] : [];
}

function insteadOf(before: unknown): string {
  return before === undefined || before === null ? "" : ` instead of ${literal(before)}`;
}

function enumText(before: unknown, after: unknown): string[] {
  if (!Array.isArray(after)) {
    return [];
  }
  if (!Array.isArray(before)) {
    return [`only ${after.map(literal).join(", ")}`];
  }
  const gone = before.filter(
    (value: unknown) => !after.some((one: unknown) => jsonEqual(one, value)),
  );
  return gone.map((value) => `without the value ${literal(value)}`);
}
