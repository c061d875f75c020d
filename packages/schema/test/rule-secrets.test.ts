import assert from "node:assert/strict";
import type { JsonObject } from "@typekube/core/internal";
import { it } from "vitest";
import { evaluate } from "../src/evaluation/evaluate.js";
import { listOf, mapOf, objectOf, specOf, text, withRules } from "./rule-schemas.js";

const password: JsonObject = { ...text, format: "password" };

/** Returns all texts about an object, with those of a warning and of an explanation. */
function textsOf(schema: JsonObject, object: unknown, oldObject?: unknown): readonly string[] {
  const found = evaluate({ schema, object, oldObject, version: "1.37", explain: true });
  return [
    ...found.causes.map(
      ({ field, message, explanation }) => `${field}: ${message}; ${explanation}`,
    ),
    ...found.warnings,
  ];
}

it("VS7 [+]: an error about a password has no value, one about another text has", () => {
  const rule = "self.size() > 9";
  const schema = specOf({ a: withRules(password, rule), b: withRules(text, rule) });
  assert.deepEqual(textsOf(schema, { spec: { a: "hunter2", b: "hunter3" } }), [
    "spec.a: Invalid value: failed rule: self.size() > 9; self.size() (secret) > 9",
    `spec.b: Invalid value: "hunter3": failed rule: self.size() > 9; self.size() (7) > 9`,
  ]);
});

it("VS7 [+]: a duplicate password is not shown either", () => {
  const rule = { rule: "self != 'hunter2'", reason: "FieldValueDuplicate" };
  assert.deepEqual(textsOf(specOf({ a: withRules(password, rule) }), { spec: { a: "hunter2" } }), [
    "spec.a: Duplicate value; self (secret) != 'hunter2'",
  ]);
});

it("VS7 [+]: an explanation leaves out passwords in objects, lists and maps, and what they are part of", () => {
  const user = objectOf({ name: text, password });
  const schema = specOf(
    { user, users: listOf(user), byName: mapOf(password) },
    "self.user.password == 'x'",
    "self.user.name == 'x'",
    "self.users.all(u, u.password == 'x')",
    "self.byName.all(k, self.byName[k] == k)",
    "self.users == []",
  );
  const secret = "hunter2";
  const spec = {
    user: { name: "ann", password: secret },
    users: [{ name: "bob", password: secret }],
    byName: { bob: secret },
  };
  const texts = textsOf(schema, { spec });
  assert.deepEqual(
    texts.map((line) => line.split("; ")[1]),
    [
      "self.user.password (secret) == 'x'",
      `self.user.name ("ann") == 'x'`,
      "self.users[0]: u.password (secret) == 'x'",
      `self.byName["bob"]: self.byName[k] (secret) == k ("bob")`,
      "self.users (secret) == []",
    ],
  );
  assert.equal(texts.join().includes(secret), false);
});

it("VS7 [+]: the error of a rule that fails has no password, of the new and of the old object", () => {
  const schema = specOf({ password, m: mapOf(text) }, "self.m[self.password] == 'x'");
  assert.deepEqual(textsOf(schema, { spec: { password: "hunter2", m: {} } }), [
    `spec: Invalid value: "object": an error that contains a secret value evaluating rule: self.m[self.password] == 'x'; self.m[self.password] (secret) == 'x'`,
  ]);
  const changed = specOf({ password, m: mapOf(text) }, "self.m[oldSelf.password] == 'x'");
  const [line = ""] = textsOf(
    changed,
    { spec: { password: "hunter3", m: {} } },
    { spec: { password: "hunter2", m: {} } },
  );
  assert.match(line, /an error that contains a secret value/);
  assert.equal(line.includes("hunter2"), false);
});

it("VS7 [+]: a warning about an unchanged password has no value", () => {
  const schema = specOf({ a: withRules(password, "self.size() > 9"), b: text });
  const old = { spec: { a: "hunter2", b: "1" } };
  assert.deepEqual(textsOf(schema, { spec: { a: "hunter2", b: "2" } }, old), [
    "spec.a: Invalid value: failed rule: self.size() > 9",
  ]);
});
