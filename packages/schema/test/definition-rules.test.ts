import assert from "node:assert/strict";
import type { JsonObject } from "@typekube/core/internal";
import { it } from "vitest";
import { evaluate } from "../src/evaluation/evaluate.js";
import {
  type CheckRulesOptions,
  checkRules,
  expressionsOf,
} from "../src/rule-checks/check-rules.js";
import { readStructuralSchema } from "../src/structural/structural-schema.js";
import { causesOf } from "./causes.js";
import {
  integer,
  listOf,
  mapListOf,
  mapOf,
  objectOf,
  setOf,
  specOf,
  text,
  withRules,
} from "./rule-schemas.js";

function check(schema: JsonObject, options: CheckRulesOptions = {}): readonly string[] {
  const causes = checkRules(readStructuralSchema(schema), "schema", {
    version: "1.37",
    ...options,
  });
  return causes.map(({ field, message }) => `${field}: ${message}`);
}

const grows = withRules(integer, "self >= oldSelf");
const at = (path: string) => `schema.${path}.x-kubernetes-validations[0]`;
const uncorrelated = (path: string, list: string) =>
  `${at(path)}.rule: Invalid value: "self >= oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within schema.${list}`;

it("VR3: oldSelf below a list without keys is refused, with the path of the list", () => {
  const schema = objectOf({ l: listOf(grows), s: setOf(objectOf({ a: grows })) });
  assert.deepEqual(check(schema), [
    uncorrelated("properties[l].items", "properties[l]"),
    uncorrelated("properties[s].items.properties[a]", "properties[s]"),
  ]);
  const atomic = { ...listOf(grows), "x-kubernetes-list-type": "atomic" };
  assert.deepEqual(check(objectOf({ l: atomic })), [
    uncorrelated("properties[l].items", "properties[l]"),
  ]);
});

it("VR3: the outermost list without keys is the reason", () => {
  const keyed = mapListOf(["name"], objectOf({ name: text, l: listOf(grows) }));
  assert.deepEqual(check(objectOf({ outer: listOf(listOf(grows)), keyed })), [
    uncorrelated("properties[outer].items.items", "properties[outer]"),
    uncorrelated(
      "properties[keyed].items.properties[l].items",
      "properties[keyed].items.properties[l]",
    ),
  ]);
});

it("VR3: oldSelf is allowed in lists of type map, in maps and in objects of both types", () => {
  const granular = { ...objectOf({ a: grows }), "x-kubernetes-map-type": "granular" };
  const atomic = { ...objectOf({ a: grows }), "x-kubernetes-map-type": "atomic" };
  const keyed = mapListOf(["name"], objectOf({ name: text, a: grows }));
  // The list itself is found by its name; only its elements are not.
  const whole = withRules({ ...listOf(integer), maxItems: 10 }, "self == oldSelf");
  assert.deepEqual(check(objectOf({ granular, atomic, keyed, map: mapOf(grows), whole })), []);
});

it("VR3: optionalOldSelf without oldSelf is refused", () => {
  for (const optionalOldSelf of [true, false]) {
    const schema = objectOf({ a: withRules(integer, { rule: "self > 0", optionalOldSelf }) });
    assert.deepEqual(check(schema), [
      `${at("properties[a]")}.optionalOldSelf: Invalid value: ${optionalOldSelf}: may not be set if oldSelf is not used in rule`,
    ]);
  }
});

it("VT7: a rule that is no bool and a message expression that is no string are refused", () => {
  const schema = objectOf({
    a: withRules(integer, "self"),
    b: withRules(integer, { rule: "self > 0", messageExpression: "self" }),
  });
  const messages = check(schema);
  assert.equal(messages.length, 2);
  assert.match(messages[0] ?? "", /\[a\].*\.rule: .*: cel expression must evaluate to a bool$/);
  assert.match(
    messages[1] ?? "",
    /\[b\].*\.messageExpression: .*: messageExpression must evaluate to a string$/,
  );
});

it("VR7: an empty rule is not compiled: the checks of the definition report it", () => {
  assert.deepEqual(check(objectOf({ a: withRules(integer, "", " \n ") })), []);
});

it("VR12: rules in allOf run, beside those of the place itself", () => {
  const part = {
    ...withRules({}, { rule: "self.a > 6", message: "in allOf" }),
    properties: { a: withRules({}, { rule: "self > 7", message: "below allOf" }) },
  };
  const own = { rule: "self.a > 5", message: "own" };
  const schema = objectOf({ spec: { ...objectOf({ a: integer }, own), allOf: [part] } });
  assert.deepEqual(causesOf(schema, { spec: { a: 1 } }), [
    "spec: Invalid value: own",
    "spec: Invalid value: in allOf",
    "spec.a: Invalid value: 1: below allOf",
  ]);
});

it("VR12: rules in anyOf, oneOf and not never run", () => {
  const rule = withRules({}, "self.a > 5");
  const schema = objectOf({
    spec: { ...objectOf({ a: integer }, "true"), anyOf: [rule], oneOf: [rule], not: rule },
  });
  assert.deepEqual(causesOf(schema, { spec: { a: 1 } }), []);
});

/** `includes` of lists came with 1.37, so that a server of 1.37 takes it in stored rules only. */
const newRule = { rule: "self.l.includes(1)" };
const newMessage = { rule: "size(self.l) > 0", messageExpression: "string(self.l.includes(2))" };
const few = { l: { ...listOf(integer), maxItems: 10 } };
const stored = specOf(few, newRule, newMessage);
const undeclared = (part: string): RegExp =>
  new RegExp(`validations\\[\\d\\]\\.${part}: .*undeclared reference to 'includes'`);

it("VR17: a new rule is compiled with what the version before knows, a stored one with everything", () => {
  const [rule = "", message = "", ...others] = check(stored);
  assert.match(rule, undeclared("rule"));
  assert.match(message, undeclared("messageExpression"));
  assert.deepEqual(others, []);
  const known = expressionsOf(readStructuralSchema(stored));
  assert.deepEqual(check(stored, { known }), []);
});

it("VR17: a rule is new if its text changes, even beside stored ones", () => {
  const known = expressionsOf(readStructuralSchema(stored));
  const changed = specOf(few, newRule, newMessage, { rule: "self.l.includes(3)" });
  const [rule = "", ...others] = check(changed, { known });
  assert.match(rule, undeclared("rule"));
  assert.deepEqual(others, []);
});

it("VR17: a message expression is new if its text changes, even beside a stored rule", () => {
  const both = { ...newRule, messageExpression: newMessage.messageExpression };
  const [message = "", ...others] = check(specOf(few, both), { known: new Set([newRule.rule]) });
  assert.match(message, undeclared("messageExpression"));
  assert.deepEqual(others, []);
});

it("VR17: evaluate reports refused rules only in the mode `new`", () => {
  const object = { spec: { l: [1] } };
  assert.deepEqual(evaluate({ schema: stored, object, version: "1.37" }).causes, []);
  const { causes, cost } = evaluate({ schema: stored, object, version: "1.37", mode: "new" });
  assert.equal(causes.length, 2);
  assert.equal(cost, 0);
});

it("VR17: expressions are collected from all places with rules", () => {
  const schema = objectOf({
    l: listOf(withRules(integer, "self > 1")),
    m: mapOf(withRules(integer, { rule: "self > 2", messageExpression: "'m'" })),
  });
  assert.deepEqual(
    [...expressionsOf(readStructuralSchema(schema))].filter((text) => text !== "").sort(),
    ["'m'", "self > 1", "self > 2"],
  );
});
