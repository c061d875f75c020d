import type { Facts, FieldFacts } from "./facts.js";
import { kindRules } from "./field-rules/kinds.js";
import { podRules } from "./field-rules/pods.js";
import type { FieldRows } from "./field-rules/row.js";
import { volumeRules } from "./field-rules/volumes.js";
import { flatten } from "./interfaces.js";
import { rulesInForce } from "./schema-tables.js";
import { literal, propertyName } from "./source-text.js";
import { parseType } from "./type-reference.js";

const rows = Object.entries({ ...podRules, ...volumeRules, ...kindRules });

/** Writes the rows of `field-rules`, each completed with what the facts know about its field. */
export function fieldRulesModule(facts: Facts): string {
  const types = rows.map(([type, fields]) => {
    const entries = fieldsOf(facts, type, fields).map(
      ({ field, rules }) => `    ${propertyName(field.name)}: ${rowText(facts, field, rules)},\n`,
    );
    return `  ${propertyName(type)}: {\n${entries.join("")}  },\n`;
  });
  return (
    `/** Rules of fields that kube-apiserver checks in hand-written code, by Go type. */\n` +
    `export const fieldRules = {\n${types.join("")}} as const;\n`
  );
}

/** Returns the rows that upstream declares on its types, too. Such a row is not needed any more. */
export function rulesDeclaredUpstream(facts: Facts): string[] {
  return rows.flatMap(([type, fields]) =>
    fieldsOf(facts, type, fields).flatMap(({ field, rules }) => {
      const declared = rulesInForce(facts, field) ?? [];
      return rules
        .filter((rule) => declared.includes(rule))
        .map((rule) => `${rule} on ${type}.${field.name}`);
    }),
  );
}

interface RuledField {
  readonly field: FieldFacts;
  readonly rules: readonly string[];
}

/** Returns the fields of a type with rows. */
function fieldsOf(facts: Facts, name: string, fields: FieldRows): RuledField[] {
  const type = facts.types.get(name);
  const known = type === undefined ? [] : flatten(facts, type);
  return Object.entries(fields).map(([key, rules]) => {
    const field = known.find((one) => one.name === key);
    if (field === undefined) {
      throw new Error(`field-rules name ${name}.${key}, which upstream does not have`);
    }
    return { field, rules: typeof rules === "string" ? [rules] : rules };
  });
}

function rowText(facts: Facts, { type }: FieldFacts, rules: readonly string[]): string {
  const { name, container, pointer } = parseType(type);
  return literal({
    type: name,
    container: container === "one" ? undefined : container,
    enum: rules.some((rule) => /(^|=)enum$/.test(rule)) ? facts.types.get(name)?.enum : undefined,
    pointer: pointer ? true : undefined,
    validations: rules,
  });
}
