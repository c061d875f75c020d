import { docComment } from "../text/doc-comment.js";
import { indented, propertyName, stringLiteral } from "../text/source-text.js";
import type { Declaration, Field, ImportedType, Shape, Variant } from "./shape.js";

/** Names of the types that the text of a module uses. */
export interface TypeNames {
  readonly of: (declaration: Declaration) => string;
  /** Returns the local name of an imported type, and notes its use. */
  readonly imported: (name: ImportedType) => string;
}

/** Returns a shape as source text. */
export function printShape(shape: Shape, names: TypeNames): string {
  switch (shape.type) {
    case "text":
      return shape.text;
    case "import":
      return names.imported(shape.name);
    case "declared":
      return names.of(shape.declaration);
    case "map":
      return `{ [key: string]: ${printShape(shape.of, names)} }`;
    case "list": {
      const item = printShape(shape.of, names);
      const isUnion = shape.of.type === "text" || shape.of.type === "union";
      return isUnion && item.includes(" | ") ? `(${item})[]` : `${item}[]`;
    }
    case "union":
      return unionText(shape.of.map((one) => printShape(one, names)));
    default:
      return shape satisfies never;
  }
}

/** Joins types; an enumeration may list null itself. */
function unionText(types: readonly string[]): string {
  const last = types.at(-1);
  const isRepeated = last === "null" && /(?:^|\| )null$/.test(types.slice(0, -1).join(" | "));
  return (isRepeated ? types.slice(0, -1) : types).join(" | ");
}

/** Returns the declaration of a type as source text. */
export function printDeclaration(declaration: Declaration, names: TypeNames): string {
  const { comment, isEmbedded, isOpen, variants } = declaration;
  const base = isEmbedded ? names.imported(isOpen ? "UnknownKind" : "KubeObject") : undefined;
  return printObjectType(names.of(declaration), {
    comment,
    base,
    fields: declaration.fields,
    isOpen: isOpen && !isEmbedded,
    variants,
    names,
  });
}

/** Parts of the text of an object type. */
export interface ObjectTypeParts {
  readonly comment: readonly string[];
  readonly base: string | undefined;
  readonly fields: readonly Field[];
  readonly isOpen: boolean;
  readonly variants: readonly (readonly Variant[])[];
  readonly names: TypeNames;
}

/** Returns the declaration of an object type: an interface, or an intersection with its variants. */
export function printObjectType(name: string, parts: ObjectTypeParts): string {
  const { comment, base, fields, isOpen, variants, names } = parts;
  const lines = fields.map((field) => {
    const { isRequired, shape } = field;
    const type = `${printShape(shape, names)}${isRequired ? "" : inheritedType(field.name)}`;
    const text = `${propertyName(field.name)}${optional(isRequired, type)}`;
    return indented(`${docComment(field.comment)}${text};\n`, "  ");
  });
  const body = `{\n${lines.join("")}${isOpen ? "  [field: string]: unknown;\n" : ""}}`;
  const head = docComment(comment);
  if (variants.length === 0) {
    return `${head}export interface ${name} ${base === undefined ? "" : `extends ${base} `}${body}\n`;
  }
  const unions = variants.map(
    (list) => `(\n${list.map((one) => `  | ${variantText(one, fields, names)}\n`).join("")})`,
  );
  return `${head}export type ${name} = ${[...(base === undefined ? [] : [base]), body, ...unions].join(" & ")};\n`;
}

const inheritedNames: ReadonlySet<string> = new Set([
  "constructor",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "toLocaleString",
  "toString",
  "valueOf",
]);

/**
 * Returns the end of the type of an optional field that has the name of a member of all objects: without the field, its
 * value is that member, for the compiler as well as at run time.
 */
function inheritedType(name: string): string {
  return inheritedNames.has(name)
    ? ` | (typeof globalThis)["Object"]["prototype"][${stringLiteral(name)}]`
    : "";
}

function variantText(
  { required, absent, values }: Variant,
  fields: readonly Field[],
  names: TypeNames,
): string {
  const texts = fields.flatMap(({ name, shape, isRequired }) => {
    if (absent.includes(name)) {
      return [`${propertyName(name)}?: undefined`];
    }
    const isNeeded = required.includes(name);
    const value = values.get(name);
    return isNeeded || value !== undefined
      ? [
          `${propertyName(name)}${optional(isNeeded || isRequired, value ?? printShape(shape, names))}`,
        ]
      : [];
  });
  return `{ ${texts.join("; ")} }`;
}

function optional(isRequired: boolean, type: string): string {
  return isRequired ? `: ${type}` : `?: ${type} | undefined`;
}
