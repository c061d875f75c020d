import assert from "node:assert/strict";
import type { JsonObject } from "@typekube/core/internal";
import { it } from "vitest";
import { checkRules } from "../src/rule-checks/check-rules.js";
import { definitionCostLimit, ruleCostLimit } from "../src/rule-checks/cost-limits.js";
import { readStructuralSchema } from "../src/structural/structural-schema.js";
import { listOf, mapOf, objectOf, text, withRules } from "./rule-schemas.js";

/** A rule that costs at most 402 units. */
const item = objectOf({ s: { ...text, maxLength: 1000 } }, "self.s.contains('abcdefghij')");
const hint =
  "(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)";

function check(schema: JsonObject, isUnchanged = false): readonly string[] {
  return checkRules(readStructuralSchema(schema), "schema", { version: "1.37", isUnchanged }).map(
    ({ field, message }) => `${field}: ${message}`,
  );
}

const at = (name: string, below = "items"): string =>
  `schema.properties[${name}].${below}.x-kubernetes-validations[0]`;

it("VC7: the limits are 10,000,000 units for a rule and 100,000,000 for a definition", () => {
  assert.equal(ruleCostLimit, 10_000_000n);
  assert.equal(definitionCostLimit, 100_000_000n);
});

it.each([
  [24_876, "1.000015x"],
  [40_000, "1.6x"],
  [139_304, "5.6x"],
])("VC7: 402 units for each of %d elements exceed the limit by %s", (maxItems, factor) => {
  assert.deepEqual(check(objectOf({ l: { ...listOf(item), maxItems } })), [
    `${at("l")}.rule: Forbidden: estimated rule cost exceeds budget by factor of ${factor} ${hint}`,
  ]);
});

it("VC7: 402 units for each of 24,875 elements or entries are accepted", () => {
  assert.deepEqual(check(objectOf({ l: { ...listOf(item), maxItems: 24_875 } })), []);
  assert.deepEqual(check(objectOf({ m: { ...mapOf(item), maxProperties: 24_875 } })), []);
});

it("VC7: bounds of lists and maps inside each other multiply", () => {
  const inner = { ...mapOf(item), maxProperties: 200 };
  assert.deepEqual(check(objectOf({ l: { ...listOf(inner), maxItems: 124 } })), []);
  assert.deepEqual(check(objectOf({ l: { ...listOf(inner), maxItems: 125 } })), [
    `${at("l", "items.additionalProperties")}.rule: Forbidden: estimated rule cost exceeds budget by factor of 1.005000x ${hint}`,
  ]);
});

it("VC7: without a bound, as many elements count as a request can have", () => {
  // 3,145,728 bytes for elements of at least three: `{},`.
  assert.deepEqual(check(objectOf({ l: listOf(item) })).slice(0, 1), [
    `${at("l")}.rule: Forbidden: estimated rule cost exceeds budget by factor of 42.2x ${hint}`,
  ]);
});

it("VC7: a message expression counts once, whatever the number of elements", () => {
  // 1 unit for the rule and 12 for the message, of at most 1,000,000 elements.
  const rule = { rule: "has(self.s)", messageExpression: "self.s + self.s" };
  const element = objectOf({ s: { ...text, maxLength: 10 } }, rule);
  assert.deepEqual(check(objectOf({ l: { ...listOf(element), maxItems: 1_000_000 } })), []);
});

it("VC7: a message expression over the limit of a rule is refused", () => {
  const messageExpression = "self.all(x, self.all(y, x == y)) ? 'equal' : 'different'";
  const list = withRules(listOf(text), { rule: "size(self) < 9", messageExpression });
  assert.deepEqual(check(objectOf({ l: list })).slice(0, 1), [
    `schema.properties[l].x-kubernetes-validations[0].messageExpression: Forbidden: estimated messageExpression cost exceeds budget by factor of more than 100x ${hint}`,
  ]);
});

const dozen = Array.from("abcdefghijklm");

it("VC7: a sum over 100,000,000 is refused, with the four most expensive rules", () => {
  const lists = dozen.map((name, index) => [name, { ...listOf(item), maxItems: 20_000 + index }]);
  const contributed =
    "Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
  assert.deepEqual(check(objectOf(Object.fromEntries(lists))), [
    ...["m", "l", "k", "j"].map((name) => `${at(name)}.rule: ${contributed}`),
    `schema: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of 1.045514x ${hint}`,
  ]);
});

it("VC7: a sum of just under 100,000,000 is accepted", () => {
  const lists = dozen.slice(1).map((name) => [name, { ...listOf(item), maxItems: 20_000 }]);
  assert.deepEqual(check(objectOf(Object.fromEntries(lists))), []);
});

it("VC7: the limit of one rule is not checked again in an unchanged schema, the sum is", () => {
  assert.deepEqual(check(objectOf({ l: { ...listOf(item), maxItems: 40_000 } }), true), []);
  const [first = "", sum = "", ...others] = check(
    objectOf({ l: { ...listOf(item), maxItems: 1_000_000 } }),
    true,
  );
  assert.match(first, /contributed to estimated rule cost total/);
  assert.match(sum, /^schema: .*by factor of 4\.0x/);
  assert.deepEqual(others, []);
});

it("VC7: more than a hundred times the limit is not told exactly", () => {
  const quadratic = withRules(listOf(text), "self.all(x, self.all(y, x != y))");
  const [first] = check(objectOf({ l: quadratic }));
  assert.equal(
    first,
    `schema.properties[l].x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x ${hint}`,
  );
});
