import { fieldComment, referenceLink, typeComment } from "./doc-comments.js";
import type { Facts, FieldFacts, PackageFacts, TypeFacts } from "./facts.js";
import { propertyName, stringUnion } from "./source-text.js";
import type { TypeImports } from "./type-imports.js";
import { parseType } from "./type-reference.js";

const scalars: Readonly<Record<string, string>> = {
  any: "unknown",
  bool: "boolean",
  bytes: "string",
  double: "number",
  int32: "number",
  int64: "number",
  string: "string",
  uint32: "number",
  uint64: "number",
};

/** TypeScript types by form, for types whose JSON is not an object of their fields. */
const forms: Readonly<Record<string, string>> = {
  intOrString: "number | string",
  items: "string[]",
  microTime: "string",
  quantity: "string",
  raw: "unknown",
  schemaOrArray: "JSONSchemaProps | JSONSchemaProps[]",
  schemaOrBool: "JSONSchemaProps | boolean",
  schemaOrStrings: "JSONSchemaProps | string[]",
  time: "string",
};

/** Writes the interfaces and aliases of one package. */
export class InterfaceWriter {
  readonly #facts: Facts;
  readonly #package: PackageFacts;
  readonly #imports: TypeImports;

  constructor(facts: Facts, of: PackageFacts, imports: TypeImports) {
    this.#facts = facts;
    this.#package = of;
    this.#imports = imports;
  }

  /** Writes the declaration of one type, with its comment. */
  declaration(type: TypeFacts): string {
    const comment = this.#comment(type);
    if (type.enum !== undefined) {
      return `${comment}export type ${type.name} = ${stringUnion(type.enum)};\n`;
    }
    if (type.form !== undefined) {
      return `${comment}export type ${type.name} = ${this.#form(type, type.form)};\n`;
    }
    const fields = type.fields ?? [];
    const items = fields.find((field) => field.name === "items");
    if (type.kind?.endsWith("List") && items !== undefined && fields.length === 2) {
      const item = this.typeName(parseType(items.type).name);
      return `${comment}export interface ${type.name} extends KubeList<${item}> {\n${this.#typeMeta(type, "")}}\n`;
    }
    const body = `${type.typeMeta ? this.#typeMeta(type, "?") : ""}${this.#fields(type)}`;
    // An interface without fields would accept any value.
    return body === ""
      ? `${comment}export type ${type.name} = Record<string, never>;\n`
      : `${comment}export interface ${type.name} {\n${body}}\n`;
  }

  /** Returns the name of a named or scalar type in this module. */
  typeName(name: string): string {
    const reference = parseType(name);
    if (reference.package === "") {
      const scalar = scalars[name];
      if (scalar === undefined) {
        throw new Error(`no TypeScript type for ${name}`);
      }
      return scalar;
    }
    return reference.package === this.#package.name
      ? reference.type
      : this.#imports.use(reference.package, reference.type);
  }

  #comment(type: TypeFacts): string {
    const apiVersion = type.apiVersion ?? this.#package.apiVersion;
    const ofKind = (row: { apiVersion: string; kind: string }): boolean =>
      row.kind === type.kind && row.apiVersion === apiVersion;
    const resource = this.#facts.resources.find(ofKind);
    return typeComment(
      type,
      this.#facts.release,
      this.#facts.lifecycles.find(ofKind),
      resource && referenceLink(this.#facts.release, resource),
    );
  }

  #form(type: TypeFacts, form: string): string {
    const text = type.name === "FieldsV1" ? "Record<string, unknown>" : forms[form];
    if (text === undefined) {
      throw new Error(`no TypeScript type for the form ${form} of ${type.name}`);
    }
    return text;
  }

  #typeMeta(type: TypeFacts, optional: "" | "?"): string {
    const apiVersion = type.apiVersion ?? this.#package.apiVersion;
    const text = (value: string): string =>
      type.kind === undefined ? "string" : JSON.stringify(value);
    const rest = optional === "" ? "" : " | undefined";
    return `  apiVersion${optional}: ${text(apiVersion)}${rest};\n  kind${optional}: ${text(type.name)}${rest};\n`;
  }

  #fields(type: TypeFacts): string {
    return flatten(this.#facts, type)
      .map((field) => {
        const { container, name } = parseType(field.type);
        const one = this.typeName(name);
        const text =
          container === "list" ? `${one}[]` : container === "map" ? `Record<string, ${one}>` : one;
        const line = field.required
          ? `${propertyName(field.name)}: ${text}`
          : `${propertyName(field.name)}?: ${text} | undefined`;
        return `${fieldComment(field)}  ${line};\n`;
      })
      .join("");
  }
}

/** Returns the fields of a type as in JSON, with inlined structs replaced by their fields. */
export function flatten(facts: Facts, type: TypeFacts): FieldFacts[] {
  return (type.fields ?? [])
    .filter((field) => field.json !== false)
    .flatMap((field) => {
      if (field.inline !== true) {
        return [field];
      }
      const inlined = facts.types.get(parseType(field.type).name);
      if (inlined === undefined) {
        throw new Error(`${type.name} inlines ${field.type}, which is unknown`);
      }
      return flatten(facts, inlined);
    });
}
