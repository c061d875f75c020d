import type { Facts, FieldFacts, TypeFacts } from "./facts.js";
import { flatten } from "./interfaces.js";
import { literal, propertyName } from "./source-text.js";

/** Writes the defaults that types have wherever they occur, by package and type. */
export function defaultsModule(facts: Facts): string {
  const packages = new Map<string, string[]>();
  for (const { type, always, keepsEmpty = [] } of facts.server.typeDefaults) {
    const found = facts.types.get(type);
    const order = found === undefined ? [] : flatten(facts, found);
    const fields = Object.fromEntries(
      order
        .filter((field) => Object.hasOwn(always, field.name))
        .filter((field) => isDefault(found, field, always[field.name]))
        .map(({ name }) => [name, always[name]]),
    );
    if (Object.keys(fields).length === 0) {
      continue;
    }
    const dot = type.lastIndexOf(".");
    const [owner, name] = [type.slice(0, dot), type.slice(dot + 1)];
    const keeps = keepsEmpty.filter((field) => Object.hasOwn(fields, field));
    const entry = { fields, keepsEmpty: keeps.length === 0 ? undefined : keeps };
    const line = `    ${propertyName(name)}: ${literal(entry)},\n`;
    packages.set(owner, [...(packages.get(owner) ?? []), line]);
  }
  const entries = [...packages].map(
    ([name, lines]) => `  ${propertyName(name)}: {\n${lines.join("")}  },\n`,
  );
  return (
    `/** The defaults of a type. */\nexport interface TypeDefaults {\n` +
    `  readonly fields: Readonly<Record<string, unknown>>;\n` +
    `  /** Fields that keep an explicit empty value; an empty value of the others counts as omitted. */\n` +
    `  readonly keepsEmpty?: readonly string[];\n}\n\n` +
    `/** The defaults that types have wherever they occur, by package and type. */\n` +
    `export const typeDefaults: Readonly<Record<string, Readonly<Record<string, TypeDefaults>>>> = {\n` +
    `${entries.join("")}};\n`
  );
}

/**
 * Returns whether a value is a default that a server fills in. An empty struct in a required field, and the spec and
 * status of a kind, exist in Go without being given: for a server they are missing.
 */
function isDefault(type: TypeFacts | undefined, field: FieldFacts, value: unknown): boolean {
  if (JSON.stringify(value) !== "{}") {
    return true;
  }
  const isOptional = field.omitempty === true || field.type.startsWith("*");
  return isOptional && !(type?.kind !== undefined && ["spec", "status"].includes(field.name));
}
