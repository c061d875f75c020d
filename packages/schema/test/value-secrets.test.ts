import assert from "node:assert/strict";
import { collectErrors } from "@typekube/core/internal/field-errors";
import type { JsonObject } from "@typekube/core/internal/json";
import { it } from "vitest";
import { readStructuralSchema } from "../src/structural/structural-schema.js";
import { validateDuplicate } from "../src/values/list-uniqueness.js";
import { listOf, objectOf, text } from "./rule-schemas.js";
import { textsOf } from "./value-errors.js";

const password: JsonObject = { ...text, format: "password" };

it.each<[string, JsonObject, readonly string[]]>([
  [
    "minLength",
    { minLength: 9 },
    ["FieldValueInvalid at a: Invalid value: a in body should be at least 9 chars long"],
  ],
  [
    "maxLength",
    { maxLength: 3 },
    ["FieldValueTooLong at a: Too long: may not be more than 3 bytes"],
  ],
  [
    "pattern",
    { pattern: "^x" },
    ["FieldValueInvalid at a: Invalid value: a in body should match '^x'"],
  ],
  [
    "enum",
    { enum: ["x", "y"] },
    [`FieldValueNotSupported at a: Unsupported value: supported values: "x", "y"`],
  ],
  [
    "allOf",
    { allOf: [{ pattern: "^x" }, { format: "email" }] },
    [
      `FieldValueInvalid at <nil>: Invalid value: "": "a" must validate all the schemas (allOf). None validated`,
      "FieldValueInvalid at a: Invalid value: a in body should match '^x'",
      "FieldValueTypeInvalid at a: Invalid value: a in body must be of type email",
    ],
  ],
])("VS7 [+]: an error about %s of a password has no value", (_, keywords, expected) => {
  const found = textsOf(objectOf({ a: { ...password, ...keywords } }), { a: "hunter2" });
  assert.deepEqual([...found].sort(), [...expected].sort());
});

it("VS7 [+]: a format in a part of allOf makes the value a secret, too", () => {
  const schema = objectOf({ a: { ...text, pattern: "^x", allOf: [{ format: "password" }] } });
  assert.deepEqual(textsOf(schema, { a: "hunter2" }), [
    "FieldValueInvalid at a: Invalid value: a in body should match '^x'",
  ]);
});

it("VS7 [+]: an object that contains a password is not shown, one without it is", () => {
  const only = [{ name: "x" }];
  const schema = objectOf({
    a: { ...objectOf({ name: text, password }), enum: only },
    b: { ...objectOf({ name: text }), enum: only },
  });
  assert.deepEqual(textsOf(schema, { a: { name: "y", password: "hunter2" }, b: { name: "y" } }), [
    `FieldValueNotSupported at a: Unsupported value: supported values: "{\\"name\\":\\"x\\"}"`,
    `FieldValueNotSupported at b: Unsupported value: {"name":"y"}: supported values: "{\\"name\\":\\"x\\"}"`,
  ]);
});

it("VS7 [+]: a password that is twice in a list is not shown, another text is", () => {
  const setOf = (items: JsonObject) => ({ ...listOf(items), "x-kubernetes-list-type": "set" });
  const schema = readStructuralSchema(objectOf({ a: setOf(password), b: setOf(text) }));
  const twice = ["hunter2", "hunter2"];
  const found = collectErrors((errors) =>
    validateDuplicate({ a: twice, b: twice }, schema, errors),
  );
  assert.deepEqual(
    found.map(({ field, message }) => `${field}: ${message}`),
    ["a[1]: Duplicate value", `b[1]: Duplicate value: "hunter2"`],
  );
});
