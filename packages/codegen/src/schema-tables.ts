import { assertKnownRule } from "./declared-rules.js";
import type { Facts, FieldFacts, PackageFacts, TypeFacts } from "./facts.js";
import { flatten } from "./interfaces.js";
import { literal, propertyName } from "./source-text.js";
import { tableModule } from "./table-module.js";
import { parseType } from "./type-reference.js";

const scalars: Readonly<Record<string, { type: string; format?: string }>> = {
  any: { type: "any" },
  bool: { type: "boolean" },
  bytes: { type: "string", format: "byte" },
  double: { type: "number", format: "double" },
  int32: { type: "integer", format: "int32" },
  int64: { type: "integer", format: "int64" },
  string: { type: "string" },
  uint32: { type: "integer" },
  uint64: { type: "integer" },
};

/** Schemas by form, for types whose JSON is not an object of their fields. Other forms hold any JSON. */
const forms: Readonly<Record<string, { type: string; format?: string }>> = {
  intOrString: { type: "any", format: "int-or-string" },
  microTime: { type: "string", format: "micro-time" },
  quantity: { type: "string", format: "quantity" },
  time: { type: "string", format: "date-time" },
};

/** Returns the types that are reachable from served resources, their subresources and the shared kinds. */
export function schemaTypes(facts: Facts): Set<string> {
  const reached = new Set<string>();
  const visit = (name: string): void => {
    const type = facts.types.get(name);
    if (type === undefined || reached.has(name) || !isObject(type)) {
      return;
    }
    reached.add(name);
    for (const field of flatten(facts, type)) {
      visit(parseType(field.type).name);
    }
  };
  for (const resource of facts.resources) {
    visit(`${facts.byApiVersion.get(resource.apiVersion)?.name}.${resource.kind}`);
    for (const sub of resource.subresources) {
      visit(`${facts.byApiVersion.get(sub.bodyApiVersion)?.name}.${sub.kind}`);
    }
  }
  for (const type of facts.packages.find((p) => p.name === "meta/v1")?.types ?? []) {
    visit(`meta/v1.${type.name}`);
  }
  return reached;
}

function isObject(type: TypeFacts): boolean {
  return type.enum === undefined && type.form === undefined;
}

/** Returns the packages that contain any of `types`. */
export function schemaPackages(facts: Facts, types: ReadonlySet<string>): PackageFacts[] {
  return facts.packages.filter((p) => p.types.some((type) => types.has(`${p.name}.${type.name}`)));
}

/** Writes the schema of one package. */
export function schemaTable(facts: Facts, of: PackageFacts, types: ReadonlySet<string>): string {
  const used = new Set<string>();
  const entries = of.types
    .filter((type) => types.has(`${of.name}.${type.name}`))
    .map((type) => typeEntry(facts, of, type, used));
  return tableModule({
    type: "SchemaTable",
    declaredIn: "schema",
    name: of.name,
    uses: used,
    property: "types",
    entries,
  });
}

function typeEntry(facts: Facts, of: PackageFacts, type: TypeFacts, used: Set<string>): string {
  const text = { type: "string", omitempty: true };
  const fields = [
    ...(type.typeMeta === true ? [entry("apiVersion", text), entry("kind", text)] : []),
    ...flatten(facts, type).map((field) => entry(field.name, fieldEntry(facts, of, field, used))),
  ];
  const atomic = type.mapType === "atomic" || type.structType === "atomic";
  const body = fields.length === 0 ? "fields: {}" : `fields: {\n${fields.join("")}    }`;
  return `    ${type.name}: { ${body}${atomic ? ', mapType: "atomic"' : ""} },\n`;
}

function entry(name: string, facts: object): string {
  return `      ${propertyName(name)}: ${literal(facts)},\n`;
}

function fieldEntry(facts: Facts, of: PackageFacts, field: FieldFacts, used: Set<string>): object {
  const { container, name } = parseType(field.type);
  return {
    ...valueType(facts, of, name, used),
    container: container === "one" ? listOf(facts, name) : container,
    valueList: container === "map" && listOf(facts, name) ? parseType(name).type : undefined,
    required: field.required,
    enum: facts.types.get(name)?.enum,
    default: field.default,
    listType: field.listType,
    listMapKeys: field.listMapKeys,
    mapType: field.mapType,
    patchStrategy: field.patchStrategy,
    patchMergeKey: field.patchMergeKey,
    omitempty: field.omitempty,
    deprecated: field.deprecated,
    pointer: isPointer(facts, field),
    validations: rulesInForce(facts, field),
  };
}

/** Returns `list` for a named list that is a message of its own in protobuf but a plain list in JSON. */
function listOf(facts: Facts, name: string): "list" | undefined {
  return facts.types.get(name)?.form === "items" ? "list" : undefined;
}

function valueType(facts: Facts, of: PackageFacts, name: string, used: Set<string>): object {
  const reference = parseType(name);
  const type = facts.types.get(name);
  if (type === undefined) {
    return { ...scalars[name] };
  }
  if (type.enum !== undefined) {
    return { type: "string" };
  }
  if (type.form === "items") {
    return { type: "string" };
  }
  if (type.form !== undefined) {
    return forms[type.form] ?? { type: "any" };
  }
  if (reference.package === of.name) {
    return { type: reference.type };
  }
  used.add(reference.package);
  return { type: name };
}

/**
 * Returns the rules in force. Beta rules are on by default, alpha rules are off. Rules that the rest of the table
 * expresses are left out. A list is validated as a set, and a string against a closed set of values, only where
 * upstream declares that as a rule too.
 */
export function rulesInForce(facts: Facts, field: FieldFacts): string[] | undefined {
  const { name } = parseType(field.type);
  const ofType =
    facts.types.get(name)?.enum === undefined ? [] : facts.types.get(name)?.validations;
  const given = [...(field.validations ?? []), ...(ofType ?? [])];
  for (const text of given) {
    assertKnownRule(text, field.name);
  }
  const kept = given
    .map((text) => text.replace(/^beta\(.*?\)=/, ""))
    .filter((text) => !/^(alpha\(|optional$|listType=atomic$|supportsSubresource)/.test(text));
  return kept.length === 0 ? undefined : [...new Set(kept)];
}

/** Returns `true` for a field with rules that Go holds by a pointer: its zero value differs from an absent field. */
function isPointer(facts: Facts, field: FieldFacts): true | undefined {
  return field.type.startsWith("*") && rulesInForce(facts, field) !== undefined ? true : undefined;
}
