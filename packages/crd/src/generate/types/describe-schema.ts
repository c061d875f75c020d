import { rulesOf, type StructuralSchema } from "@typekube/schema";
import { codeText, plainText } from "../text/doc-comment.js";
import { literal } from "../text/source-text.js";

/** Returns the lines of the comment of a field: description, restrictions, rules, default, deprecation. */
export function describeField(schema: StructuralSchema): string[] {
  const { source } = schema;
  const title = textOf(source["title"]);
  const description = textOf(source["description"]);
  const restrictions = restrictionsOf(schema);
  const rules = rulesText(schema);
  const tags = [
    ...(schema.default === undefined ? [] : [`@default ${oneLine(literal(schema.default))}`]),
    ...(isDeprecated(description) ? ["@deprecated"] : []),
  ];
  return [
    [title, description].filter((one) => one !== "").map((one) => plainText(one.trim())),
    restrictions.length === 0 ? [] : [restrictions.join(" ")],
    rules,
    tags,
  ].flatMap((lines, at) => (lines.length === 0 || at === 0 || at === 3 ? lines : ["", ...lines]));
}

/** Returns the lines of the comment of the type of items or values: description and rules. */
export function describeItems(schema: StructuralSchema): string[] {
  const description = plainText(textOf(schema.source["description"]).trim());
  return [...(description === "" ? [] : [description]), ...rulesText(schema)];
}

/** Returns a line for each rule of a schema. */
export function rulesText(schema: StructuralSchema): string[] {
  return rulesOf(schema).map(({ rule, message }) => {
    const why = message === "" ? "" : ` (${plainText(oneLine(message))})`;
    return `Rule: ${codeText(rule)}${why}`;
  });
}

/** Returns whether a description says so in Go's convention: a paragraph that begins with "Deprecated:". */
function isDeprecated(description: string): boolean {
  return /^\s*Deprecated:/m.test(description);
}

/** Keywords that restrict values, each with its text. */
const restrictions: readonly (readonly [keyword: string, text: (value: unknown) => string])[] = [
  ["multipleOf", (value) => `Multiple of ${value}.`],
  ["minLength", (value) => `At least ${count(value, "character")}.`],
  ["maxLength", (value) => `At most ${count(value, "character")}.`],
  ["minItems", (value) => `At least ${count(value, "item")}.`],
  ["maxItems", (value) => `At most ${count(value, "item")}.`],
  ["minProperties", (value) => `At least ${count(value, "field")}.`],
  ["maxProperties", (value) => `At most ${count(value, "field")}.`],
  ["format", formatText],
  ["pattern", (value) => `Pattern ${codeText(String(value))}.`],
];

function restrictionsOf(schema: StructuralSchema): string[] {
  const { source, listType, listMapKeys, mapType, items, oneOf, anyOf } = schema;
  const places = [source, ...schema.allOf.map((one) => one.source)];
  const bounds = places.flatMap((place) => [
    ...boundOf(place["minimum"], place["exclusiveMinimum"], "Minimum", "More than"),
    ...boundOf(place["maximum"], place["exclusiveMaximum"], "Maximum", "Less than"),
    ...restrictions
      .filter(([keyword]) => place[keyword] !== undefined && place[keyword] !== null)
      .map(([keyword, text]) => text(place[keyword]))
      .filter((text) => text !== ""),
  ]);
  return [
    ...bounds,
    ...(listType === "map" ? [`One item per ${listMapKeys.map(oneLine).join(", ")}.`] : []),
    ...(listType === "set" ? ["Items are unique."] : []),
    ...(listType === "atomic" || mapType === "atomic"
      ? ["Atomic: replaced as a whole by apply."]
      : []),
    ...(items === undefined ? [] : itemsText(items)),
    ...alternativesText(oneOf, "Exactly one of", "At most one of"),
    ...alternativesText(anyOf, "At least one of", "Any of"),
  ];
}

function formatText(format: unknown): string {
  switch (format) {
    case "int32":
    case "int-or-string":
      return "";
    case "int64":
      return "Format int64: a bigint beyond 2^53.";
    default:
      return `Format ${plainText(oneLine(String(format)))}.`;
  }
}

/** Returns the restrictions of items that have no declaration with a comment of their own. */
function itemsText(items: StructuralSchema): string[] {
  const texts = items.properties.size > 0 ? [] : restrictionsOf(items);
  return texts.length === 0 ? [] : [`Items: ${texts.join(" ")}`];
}

/** Returns the fields of alternatives; other words when one of these demands no field. */
function alternativesText(
  alternatives: readonly StructuralSchema[],
  words: string,
  wordsIfNone: string,
): string[] {
  const names = alternatives
    .map(({ required }) => required.map(oneLine).join(" with "))
    .filter((text) => text !== "");
  const start = names.length === alternatives.length ? words : wordsIfNone;
  return names.length === 0 ? [] : [`${start}: ${plainText(names.join(", "))}.`];
}

function boundOf(value: unknown, isExclusive: unknown, inclusive: string, exclusive: string) {
  return value === undefined || value === null
    ? []
    : [`${isExclusive === true ? exclusive : inclusive} ${String(value)}.`];
}

function count(value: unknown, noun: string): string {
  return `${String(value)} ${noun}${Number(value) === 1 ? "" : "s"}`;
}

function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, " ").trim();
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
