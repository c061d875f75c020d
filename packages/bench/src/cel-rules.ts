import type { JsonObject } from "@typekube/core/internal";
import { readStructuralSchema, type StructuralSchema } from "@typekube/schema";
import { type RuleValidator, ruleValidator } from "@typekube/schema/rules";

// The schemas and objects equal those of peers/cel-go/rules.go.

/** A rule that compares two fields. */
export const smallRule = "self.replicas <= self.maxReplicas";
/** A rule over the items of a list. */
export const listRule = "self.items.all(item, item.size < 200)";

/** An object for the small rule. */
export const smallObject: JsonObject = {
  spec: { replicas: 3, maxReplicas: 5, name: "web", items: [{ size: 1 }, { size: 2 }] },
};

/** Returns an object with a list of 100 items. */
export function listObject(): JsonObject {
  return { spec: { items: Array.from({ length: 100 }, (_, size) => ({ size })) } };
}

/** Returns a rule that differs from those of other indexes, and is true for the small object. */
export function numberedRule(index: number): string {
  return `self.replicas <= self.maxReplicas && self.items.all(item, item.size < ${1_000 + index}) && self.name != 'web-${index}'`;
}

/** Returns the schema of a definition whose spec has rules. */
export function openApiSchema(rules: readonly string[]): JsonObject {
  const item = { type: "object", properties: { size: { type: "integer" } } };
  const spec = {
    type: "object",
    properties: {
      replicas: { type: "integer" },
      maxReplicas: { type: "integer" },
      name: { type: "string", maxLength: 63 },
      items: { type: "array", maxItems: 100, items: item },
    },
    "x-kubernetes-validations": rules.map((rule) => ({ rule })),
  };
  return { type: "object", properties: { spec } };
}

/** Reads the schema with a rule, as a server does for each change of a definition. */
export function schemaOf(rule: string): StructuralSchema {
  return readStructuralSchema(openApiSchema([rule]));
}

/** Compiles the rule of a schema. */
export function compiled(schema: StructuralSchema): RuleValidator {
  const validator = ruleValidator(schema, { version: "1.37" });
  if (validator === undefined) {
    throw new Error("the schema has no rules");
  }
  return validator;
}
