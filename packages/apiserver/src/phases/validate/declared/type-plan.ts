import type { SchemaField, SchemaNode, StructNode } from "../../../schema/schema-node.js";
import { changeRules, type Identity } from "./change-rules.js";
import { identityBy, listRules } from "./list-rules.js";
import { type RuleMakers, readRule } from "./read-rule.js";
import type { Rule } from "./rule.js";
import { modeRule, type StructRule, unionRule } from "./struct-rules.js";
import { valueRules } from "./value-rules.js";

/** The rules of a type. Contains only fields with rules, directly or nested. */
export interface TypePlan {
  readonly rules: readonly StructRule[];
  readonly fields: readonly FieldPlan[];
}

/** The rules of a field. */
export interface FieldPlan {
  readonly field: SchemaField;
  readonly rules: readonly Rule[];
  /** Plan of the value, or of each item. */
  readonly inner: TypePlan | undefined;
  /** Identity of the items; `undefined` when they are identified only by position. */
  readonly identity: Identity | undefined;
  /** Feature gate without which servers drop the field. */
  readonly gate: string | undefined;
}

/** Plans by type; `null` for a type without rules, since every write looks up its plan. */
const plans = new WeakMap<SchemaNode, TypePlan | null>();

/** Returns the rules of a type, compiled once; `undefined` for a type without rules, at the cost of one lookup. */
export function planOf(node: SchemaNode): TypePlan | undefined {
  if (node.form !== "struct") {
    return undefined;
  }
  let plan = plans.get(node);
  if (plan === undefined) {
    // Breaks recursion: recursive types have no rules below themselves.
    plans.set(node, null);
    plan = readType(node) ?? null;
    plans.set(node, plan);
  }
  return plan ?? undefined;
}

function readType(node: StructNode): TypePlan | undefined {
  const all = node.fieldNames.flatMap((name) => node.field(name) ?? []);
  const fields = all.flatMap((field) => readField(field) ?? []);
  const members = all.filter(({ schema }) => schema.validations?.includes("unionMember"));
  const rules = [...(members.length === 0 ? [] : [unionRule(members)]), ...readModes(all)];
  return rules.length + fields.length === 0 ? undefined : { rules, fields };
}

function readField(field: SchemaField): FieldPlan | undefined {
  const { schema, node } = field;
  const texts = schema.validations ?? [];
  const keys = texts.flatMap((text) => /^listMapKey=(.*)$/.exec(text)?.[1] ?? []);
  const items = node.form === "list" ? node.items : node.form === "map" ? node.values : undefined;
  const ofList = node.form === "list" && node.type === "map" ? node.keys : [];
  const by = keys.length > 0 ? keys : ofList;
  const isSet = texts.some((text) => /^(unique|listType)=set$/.test(text));
  const makers = makersFor(identityBy(by), items);
  const rules = texts.flatMap((text) => readRule(text, schema, makers) ?? []);
  const inner = planOf(items ?? node);
  const gate = texts.flatMap((text) => /^ifDisabled\("?(\w+)"?\)=forbidden$/.exec(text)?.[1] ?? []);
  return rules.length === 0 && inner === undefined
    ? undefined
    : {
        field,
        rules,
        inner,
        identity: by.length > 0 || isSet ? identityBy(by) : undefined,
        gate: gate[0],
      };
}

function makersFor(identity: Identity, items: SchemaNode | undefined): RuleMakers {
  return { ...valueRules, ...changeRules(identity), ...listRules(identity, items) };
}

function readModes(fields: readonly SchemaField[]): StructRule[] {
  const mode = fields.find(({ schema }) => schema.validations?.includes("modeDiscriminator"));
  return mode === undefined
    ? []
    : fields.flatMap((field) => {
        const rules = new Map<string, Rule[]>();
        for (const text of field.schema.validations ?? []) {
          const [, word, rest = ""] = /^ifMode\("(.*?)"\)=(.*)$/.exec(text) ?? [];
          if (word !== undefined) {
            const rule = readRule(rest, field.schema, makersFor(identityBy([]), undefined));
            rules.set(word, [...(rules.get(word) ?? []), ...(rule === undefined ? [] : [rule])]);
          }
        }
        return rules.size === 0 ? [] : [modeRule(mode.name, field, rules)];
      });
}
