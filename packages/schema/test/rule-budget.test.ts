import assert from "node:assert/strict";
import type { JsonObject } from "@typekube/core/internal";
import { it } from "vitest";
import { ruleValidator } from "../src/rules/rule-validator.js";
import { objectBudget, validateRules } from "../src/rules/validate-rules.js";
import { readStructuralSchema } from "../src/structural/structural-schema.js";
import { integer, listOf, objectOf, specOf, withRules } from "./rule-schemas.js";

function run(
  schema: JsonObject,
  object: unknown,
  budget: number,
): { readonly causes: readonly string[]; readonly cost: number } {
  const validator = ruleValidator(readStructuralSchema(schema));
  assert.ok(validator);
  const { causes, cost } = validateRules(validator, object, { budget });
  return { causes: causes.map(({ field, message }) => `${field}: ${message}`), cost };
}

const outOfBudget =
  "validation failed due to running out of cost budget, no further validation rules will be run";
/** Each rule costs 2 units. */
const schema = objectOf({
  list: listOf(withRules(integer, "self > 0")),
  last: withRules(integer, "self > 5"),
});

it("VC5: rules that do not fit into the budget end the evaluation where they are", () => {
  assert.deepEqual(run(schema, { list: [1, 0, 0, 0], last: 1 }, 5), {
    causes: [
      "list[1]: Invalid value: 0: failed rule: self > 0",
      `list[2]: Invalid value: "integer": ${outOfBudget}`,
    ],
    cost: 5,
  });
});

it("VC5: a budget of which nothing is left ends the evaluation at the next rule", () => {
  assert.deepEqual(run(schema, { list: [1, 0], last: 1 }, 4), {
    causes: [
      "list[1]: Invalid value: 0: failed rule: self > 0",
      `last: Invalid value: "integer": ${outOfBudget}`,
    ],
    cost: 4,
  });
});

it("VC5: a budget that is just enough ends nothing", () => {
  assert.deepEqual(run(schema, { list: [1, 2] }, 4), { causes: [], cost: 4 });
  assert.deepEqual(run(schema, { list: [1, 2], last: 6 }, 6), { causes: [], cost: 6 });
});

it("VR5: a message expression over the budget is an error that ends the evaluation", () => {
  const above5 = {
    rule: "self.a > 5",
    message: "own",
    messageExpression: "string(self.a)",
  };
  const { causes } = run(specOf({ a: integer }, above5, "self.a > 6"), { spec: { a: 1 } }, 4);
  assert.deepEqual(causes, [
    'spec: Invalid value: "object": messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
  ]);
});

const allEqual = "self.a.all(x, self.a.all(y, x == y))";
const many = { spec: { a: Array.from({ length: 600 }, () => 1) } };

it("VC4: a rule over 1,000,000 units ends the evaluation", () => {
  const unnamed = specOf({ a: listOf(integer) }, allEqual, "size(self.a) < 3");
  const named = specOf({ a: listOf(integer) }, { rule: allEqual, message: "all are equal" });
  const why =
    "'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule";
  assert.deepEqual(run(unnamed, many, objectBudget).causes, [
    `spec: Invalid value: "object": ${why}: ${allEqual}`,
  ]);
  assert.deepEqual(run(named, many, objectBudget).causes, [
    `spec: Invalid value: "object": ${why}: all are equal`,
  ]);
});

it("VR5: a message expression over 1,000,000 units ends the evaluation", () => {
  const messageExpression = `${allEqual} ? 'a' : 'b'`;
  const rules = [{ rule: "false", message: "own", messageExpression }, "false"] as const;
  assert.deepEqual(run(specOf({ a: listOf(integer) }, ...rules), many, objectBudget).causes, [
    `spec: Invalid value: "object": no further validation rules will be run due to call cost exceeds limit for messageExpression: "${messageExpression}"`,
  ]);
});
