import { expect, test } from "vitest";
import { readStructuralSchema } from "../src/structural/structural-schema.js";
import { mapEmbeddedMetadata } from "../src/values/embedded-resources.js";
import { dropNulls, fillDefaults } from "../src/values/fill-defaults.js";
import { pruneObject } from "../src/values/prune.js";
import { textsOf } from "./value-errors.js";

const text = { type: "string" };

test("ES14: defaults fill missing fields and nulls that are not allowed, also inside of defaults and lists", () => {
  const level = { type: "string", default: "low" };
  const schema = readStructuralSchema({
    type: "object",
    properties: {
      level,
      maybe: { ...text, nullable: true, default: "x" },
      inner: { type: "object", properties: { level }, default: {} },
      list: { type: "array", items: { type: "object", properties: { level } } },
    },
  });
  const given = { level: null, maybe: null, list: [{}, { level: "high" }] };
  expect(fillDefaults(given, schema)).toEqual({
    level: "low",
    maybe: null,
    inner: { level: "low" },
    list: [{ level: "low" }, { level: "high" }],
  });
  expect(given).toEqual({ level: null, maybe: null, list: [{}, { level: "high" }] });
});

test("ES14: nulls without a default are dropped, unless the field is nullable", () => {
  const schema = readStructuralSchema({
    type: "object",
    properties: { a: text, b: { ...text, nullable: true }, c: { ...text, default: "x" } },
  });
  expect(dropNulls({ a: null, b: null, c: null }, schema)).toEqual({ b: null, c: null });
});

test("ES14: unknown fields are pruned and named, except where the schema preserves them", () => {
  const schema = readStructuralSchema({
    type: "object",
    properties: {
      spec: { type: "object", properties: { list: { type: "array", items: { type: "object" } } } },
      free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      map: { type: "object", additionalProperties: { type: "object", properties: { a: text } } },
    },
  });
  const object = {
    apiVersion: "v1",
    kind: "X",
    metadata: { name: "x" },
    spec: { list: [{ a: 1 }], b: 1 },
    free: { any: 1 },
    map: { k: { a: "x", b: 1 } },
  };
  expect(pruneObject(object, schema)).toEqual({
    object: {
      apiVersion: "v1",
      kind: "X",
      metadata: { name: "x" },
      spec: { list: [{}] },
      free: { any: 1 },
      map: { k: { a: "x" } },
    },
    unknownFields: ["map.k.b", "spec.b", "spec.list[0].a"],
  });
});

test("ES14: a key named __proto__ is a key like any other for defaults and pruning", () => {
  const schema = readStructuralSchema({ type: "object", additionalProperties: text });
  const object = JSON.parse('{ "__proto__": "x" }');
  const { object: pruned } = pruneObject(object, schema);
  expect(Object.keys(fillDefaults(pruned, schema))).toEqual(["__proto__"]);
  expect(Object.getPrototypeOf(pruned)).toBe(Object.prototype);
});

test("ES14: unchanged parts of an update may stay invalid; changed parts may not", () => {
  const schema = {
    type: "object",
    properties: { a: { ...text, maxLength: 1 }, b: { ...text, maxLength: 1 } },
  };
  expect(textsOf(schema, { a: "xx", b: "yy" }, { a: "xx", b: "y" })).toEqual([
    "FieldValueTooLong at b: Too long: may not be more than 1 byte",
  ]);
});

test("ES14: of several alternatives in oneOf, the errors of the best matching one are reported", () => {
  const schema = {
    type: "object",
    properties: { kind: text, size: { type: "integer" } },
    oneOf: [
      { required: ["size"], properties: { size: { minimum: 3 } } },
      { required: ["missing"] },
    ],
  };
  expect(textsOf(schema, { kind: "x", size: 1 })).toEqual([
    'FieldValueInvalid at <nil>: Invalid value: "": "" must validate one and only one schema (oneOf). Found none valid',
    "FieldValueInvalid at size: Invalid value: 1: size in body should be greater than or equal to 3",
  ]);
});

test("ES14: the metadata of embedded resources is replaced, that of the object is not", () => {
  const embedded = {
    type: "object",
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
  };
  const schema = readStructuralSchema({
    type: "object",
    "x-kubernetes-embedded-resource": true,
    properties: { templates: { type: "array", items: embedded } },
  });
  const metadata = { name: "x" };
  const mapped = mapEmbeddedMetadata(
    { metadata, templates: [{ metadata, spec: { metadata } }] },
    schema,
    (_, path) => ({ path }),
  );
  expect(mapped).toEqual({
    metadata,
    templates: [{ metadata: { path: "templates[0].metadata" }, spec: { metadata } }],
  });
});

test("ES14: a whole number in a number field is compared with bounds without their fraction", () => {
  const errors = (schema: object, value: unknown) => textsOf({ type: "number", ...schema }, value);
  expect(errors({ multipleOf: 0.5 }, 1)).toEqual([
    "FieldValueInvalid at <nil>: Invalid value: 0: factor MultipleOf declared for  must be positive: 0",
  ]);
  expect(errors({ multipleOf: 0.5 }, 1.5)).toEqual([]);
  expect(errors({ multipleOf: 1.5 }, 2)).toEqual([]);
  expect(errors({ minimum: 0.5 }, 0)).toEqual([]);
  expect(errors({ minimum: 0.5 }, 0.25)).toHaveLength(1);
  expect(textsOf({ type: "integer", minimum: 0.5 }, 0)).toHaveLength(1);
});

test("ES14: a value equals one of an enum after a conversion to its type", () => {
  const isIn = (values: readonly unknown[], value: unknown) =>
    !textsOf({ enum: values }, value).some((text) => text.includes("Unsupported value"));
  expect([1.5, 1, 1n, 3.5].map((value) => isIn([1, 2], value))).toEqual([true, true, true, false]);
  expect([97, 97n, 98, "a"].map((value) => isIn(["a"], value))).toEqual([true, true, false, true]);
  expect(isIn(["\ufffd"], -1)).toBe(true);
  expect(["1", true, null].map((value) => isIn([1], value))).toEqual([false, false, false]);
});

test("ES14: inside of alternatives, errors in unchanged values count", () => {
  const schema = {
    type: "object",
    properties: { type: text, size: { type: "integer" } },
    oneOf: [{ properties: { type: { enum: ["a"] } } }, { properties: { type: { enum: ["b"] } } }],
  };
  expect(textsOf(schema, { type: "a", size: 2 }, { type: "a", size: 1 })).toEqual([]);
  expect(textsOf(schema, { type: "c", size: 2 }, { type: "c", size: 1 })).toHaveLength(2);
  expect(textsOf(schema, { type: "c", size: 1 }, { type: "c", size: 1 })).toEqual([]);
});
