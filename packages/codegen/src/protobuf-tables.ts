import type { Facts, FieldFacts, PackageFacts, TypeFacts } from "./facts.js";
import { tableModule } from "./table-module.js";
import { parseType } from "./type-reference.js";

/**
 * Returns whether a type is a protobuf message: some of its fields have numbers, or it has no fields and its package
 * has numbers.
 */
export function hasMessage(facts: Facts, of: PackageFacts, name: string): boolean {
  const type = facts.types.get(`${of.name}.${name}`);
  return type !== undefined && isMessage(of, type);
}

function isMessage(of: PackageFacts, type: TypeFacts): boolean {
  const fields = type.fields ?? [];
  return (
    type.enum === undefined && hasNumbers(of) && (fields.length === 0 || fields.some(isNumbered))
  );
}

function hasNumbers(of: PackageFacts): boolean {
  return of.types.some((type) => type.fields?.some(isNumbered));
}

function isNumbered(field: FieldFacts): field is FieldFacts & { pb: number } {
  return field.pb !== undefined;
}

/** Returns the packages that have protobuf messages. */
export function protobufPackages(facts: Facts): PackageFacts[] {
  return facts.packages.filter(hasNumbers);
}

/** Writes the table of one package, in the notation of `@typekube/api`'s protobuf.ts. */
export function protobufTable(facts: Facts, of: PackageFacts): string {
  const used = new Set<string>();
  const entries = of.types
    .filter((type) => isMessage(of, type))
    .map((type) => `    ${type.name}: ${JSON.stringify(message(facts, of, type, used))},\n`);
  return tableModule({
    type: "ProtobufTable",
    declaredIn: "protobuf",
    name: of.name,
    uses: used,
    property: "messages",
    entries,
  });
}

function message(facts: Facts, of: PackageFacts, type: TypeFacts, used: Set<string>): string {
  const fields = (type.fields ?? [])
    .filter(isNumbered)
    .sort((a, b) => a.pb - b.pb)
    .map((field) => {
      const { container, name, pointer } = parseType(field.type);
      const prefix = container === "list" ? "[]" : container === "map" ? "{}" : "";
      const struct = facts.types.get(name);
      const flags = flagsOf(
        field,
        pointer,
        struct !== undefined && isStruct(struct) && container === "one",
      );
      const text = `${field.pb} ${field.name} ${prefix}${wireType(facts, of, name, used)}`;
      return flags === "" || type.form !== undefined ? text : `${text} ${flags}`;
    })
    .join(";");
  return type.form === undefined ? fields : `@${type.form} ${fields}`;
}

function isStruct(type: TypeFacts): boolean {
  return type.enum === undefined && type.form !== "items";
}

/**
 * Returns the flags that describe how Go's encoding/json writes the field. It never treats a struct that is not a
 * pointer as empty.
 */
function flagsOf(field: FieldFacts, pointer: boolean, struct: boolean): string {
  if (field.inline === true) {
    return pointer ? "*~" : "~";
  }
  const neverEmpty = struct && !pointer;
  const always = field.omitzero !== true && (field.omitempty !== true || neverEmpty);
  return `${pointer ? "*" : ""}${always ? "!" : ""}${field.omitzero === true ? "z" : ""}`;
}

function wireType(facts: Facts, of: PackageFacts, name: string, used: Set<string>): string {
  const reference = parseType(name);
  if (reference.package === "") {
    return name;
  }
  if (facts.types.get(name)?.enum !== undefined) {
    return "string";
  }
  if (reference.package === of.name) {
    return reference.type;
  }
  used.add(reference.package);
  return name;
}
