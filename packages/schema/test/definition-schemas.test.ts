import { compileRe2 } from "@typekube/cel/re2";
import type { JsonObject } from "@typekube/core/internal";
import { collectErrors } from "@typekube/core/internal/field-errors";
import { expect, test } from "vitest";
import { validateDefinitionSchema } from "../src/definitions/validate-definition-schema.js";
import { readStructuralSchema } from "../src/structural/structural-schema.js";

const errorsOf = (schema: JsonObject, hasStatus = false): string[] =>
  collectErrors((errors) =>
    validateDefinitionSchema(readStructuralSchema(schema), "s", errors, {
      hasStatus,
      compilePattern: compileRe2,
    }),
  ).map(({ field, message }) => `${field}: ${message}`);

const objectOf = (properties: JsonObject): JsonObject => ({ type: "object", properties });

test("ES13: a valid schema has no errors", () => {
  const pattern = { type: "string", pattern: "^a+$", default: "aa" };
  expect(errorsOf(objectOf({ pattern, n: { type: "integer", default: 1 } }), true)).toEqual([]);
});

test("ES13: every field needs a type", () => {
  expect(errorsOf(objectOf({ a: {} }))).toEqual([
    "s.properties[a].type: Required value: must not be empty for specified object fields",
  ]);
});

test("ES13: patterns must compile, also inside of allOf, and the errors are sorted by path", () => {
  const inner = { type: "string", allOf: [{ pattern: ")" }], pattern: "(" };
  expect(
    errorsOf(objectOf({ b: inner, a: { type: "object", additionalProperties: inner } })),
  ).toEqual(
    [
      "properties[a].additionalProperties.allOf[0].pattern: ) unexpected ): `)`",
      "properties[a].additionalProperties.pattern: ( missing closing ): `(`",
      "properties[b].allOf[0].pattern: ) unexpected ): `)`",
      "properties[b].pattern: ( missing closing ): `(`",
    ].map((line) => {
      const [path, pattern, ...problem] = line.split(" ");
      return `s.${path} Invalid value: "${pattern}": must be a valid regular expression, but isn't: error parsing regexp: ${problem.join(" ")}`;
    }),
  );
});

test("ES13: defaults must fit their schema and have no unknown fields", () => {
  const inner = {
    ...objectOf({ a: { type: "string", maxLength: 1 } }),
    default: { a: "xx", b: 1 },
  };
  expect(errorsOf(objectOf({ inner }))).toEqual([
    's.properties[inner].default: Invalid value: {"a":"xx","b":1}: must not have unknown fields',
    "s.properties[inner].default.a: Too long: may not be more than 1 byte",
  ]);
});

test("ES13: keys of a list of type map must be fields of its items", () => {
  const list = {
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["k"],
    items: objectOf({ a: { type: "string" } }),
  };
  expect(errorsOf(objectOf({ list }))).toEqual([
    's.properties[list].x-kubernetes-list-map-keys: Invalid value: ["k"]: entries must all be names of item properties',
  ]);
});

test("VR7: a rule with line breaks needs a message, and its form is checked without compiling it", () => {
  const rules = [{ rule: "self.a &&\nself.b" }, { rule: " " }];
  expect(errorsOf({ type: "object", "x-kubernetes-validations": rules })).toEqual([
    "s.x-kubernetes-validations[0].message: Required value: message must be specified if rule contains line breaks",
    "s.x-kubernetes-validations[1].rule: Required value: rule is not specified",
  ]);
});

test("ES13: the same source is parsed once, while few others come between", () => {
  const source = objectOf({ a: { type: "string" } });
  const schema = readStructuralSchema(source);
  expect(readStructuralSchema(source)).toBe(schema);
  for (let other = 0; other < 8; other++) {
    readStructuralSchema(objectOf({}));
  }
  expect(readStructuralSchema(source)).not.toBe(schema);
  expect(readStructuralSchema(source)).toEqual(schema);
});
