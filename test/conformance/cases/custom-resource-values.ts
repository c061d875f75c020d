import assert from "node:assert/strict";
import type { ConformanceCase } from "../conformance-case.js";
import { customResource, rejectionCauses } from "../support/custom-resources.js";
import { gauges } from "../support/gauges.js";

interface BadValue {
  readonly id: string;
  readonly name: string;
  readonly spec: unknown;
  readonly causes: readonly string[];
}

const required = (field: string) => `${field} | FieldValueRequired | Required value`;
const invalid = (field: string, value: unknown, why: string) =>
  `${field} | FieldValueInvalid | Invalid value: ${JSON.stringify(value)}: ${why}`;
const typeInvalid = (field: string, found: string, wanted: string) =>
  `${field} | FieldValueTypeInvalid | Invalid value: "${found}": ${field} in body must be of type ${wanted}: "${found}"`;
const whole = (why: string) => `<nil> | FieldValueInvalid | Invalid value: "": ${why}`;

const bad: readonly BadValue[] = [
  { id: "ES14-required", name: "a required field", spec: {}, causes: [required("spec.unit")] },
  {
    id: "ES14-enum",
    name: "the values of an enum",
    spec: { unit: "inch" },
    causes: [
      'spec.unit | FieldValueNotSupported | Unsupported value: "inch": supported values: "bar", "psi"',
    ],
  },
  {
    id: "ES14-types",
    name: "the type of a value",
    spec: {
      unit: "bar",
      flag: "x",
      ratio: "1",
      parts: "x",
      size: 1.5,
      color: 1,
      counts: [],
      free: 1,
    },
    causes: [
      typeInvalid("spec.flag", "string", "boolean"),
      typeInvalid("spec.ratio", "string", "number"),
      typeInvalid("spec.parts", "string", "array"),
      typeInvalid("spec.size", "number", "integer"),
      whole("Checked value must be of type integer (default format) in spec.size"),
      invalid("spec.size", 1.5, "spec.size in body should be a multiple of 2"),
      typeInvalid("spec.color", "integer", "string"),
      typeInvalid("spec.counts", "array", "object"),
      typeInvalid("spec.free", "integer", "object"),
    ],
  },
  {
    id: "ES14-numbers",
    name: "the bounds of numbers",
    spec: { unit: "bar", size: 13, ratio: 1.5, replicas: -1 },
    causes: [
      invalid("spec.size", 13, "spec.size in body should be a multiple of 2"),
      invalid("spec.size", 13, "spec.size in body should be less than or equal to 10"),
      invalid("spec.ratio", 1.5, "spec.ratio in body should be greater than 1.5"),
      invalid(".spec.replicas", -1, "should be a non-negative integer"),
    ],
  },
  {
    id: "ES14-int32",
    name: "the range of an int32",
    spec: { unit: "bar", small: 2147483648 },
    causes: [whole("Checked value must be of type integer with format int32 in spec.small")],
  },
  {
    id: "ES14-too-long",
    name: "the maximum length of a string",
    spec: { unit: "bar", color: "abcdef" },
    causes: ["spec.color | FieldValueTooLong | Too long: may not be more than 5 bytes"],
  },
  {
    id: "ES14-too-short",
    name: "the minimum length of a string",
    spec: { unit: "bar", color: "a" },
    causes: [invalid("spec.color", "a", "spec.color in body should be at least 2 chars long")],
  },
  {
    id: "ES14-pattern",
    name: "the pattern of a string",
    spec: { unit: "bar", color: "ABC" },
    causes: [invalid("spec.color", "ABC", "spec.color in body should match '^[a-z]+$'")],
  },
  {
    id: "ES14-formats",
    name: "the format of a string",
    spec: { unit: "bar", when: "yesterday", address: "300.1.1.1" },
    causes: [
      typeInvalid("spec.when", "yesterday", "date-time"),
      typeInvalid("spec.address", "300.1.1.1", "ipv4"),
    ],
  },
  {
    id: "ES14-int-or-string",
    name: "the type of an int-or-string value",
    spec: { unit: "bar", port: true },
    causes: [typeInvalid("spec.port", "boolean", "integer,string")],
  },
  {
    id: "ES14-items",
    name: "the maximum number of items, and each item",
    spec: { unit: "bar", parts: [{}, { a: 1 }, { a: "x" }] },
    causes: [
      required("spec.parts[0].a"),
      typeInvalid("spec.parts[1].a", "integer", "string"),
      "spec.parts | FieldValueTooMany | Too many: 3: must have at most 2 items",
    ],
  },
  {
    id: "ES14-no-items",
    name: "the minimum number of items",
    spec: { unit: "bar", parts: [] },
    causes: [invalid("spec.parts", 0, "spec.parts in body should have at least 1 items")],
  },
  {
    id: "ES14-properties",
    name: "the maximum number of properties, and each value",
    spec: { unit: "bar", counts: { a: "b", b: 1, c: 2 } },
    causes: [
      typeInvalid("spec.counts.a", "string", "integer"),
      "spec.counts | FieldValueTooMany | Too many: 3: must have at most 2 items",
    ],
  },
  {
    id: "ES14-no-properties",
    name: "the minimum number of properties",
    spec: { unit: "bar", counts: {} },
    causes: [invalid("spec.counts", 0, "spec.counts in body should have at least 1 properties")],
  },
  {
    id: "ES14-any-of",
    name: "anyOf: at least one schema matches",
    spec: { unit: "bar", some: {} },
    causes: [
      whole('"spec.some" must validate at least one schema (anyOf)'),
      required("spec.some.x"),
    ],
  },
  {
    id: "ES14-one-of",
    name: "oneOf: at most one schema matches",
    spec: { unit: "bar", either: { x: 1, y: 1 } },
    causes: [
      whole(
        '"spec.either" must validate one and only one schema (oneOf). Found 2 valid alternatives',
      ),
    ],
  },
  {
    id: "ES14-none-of",
    name: "oneOf: at least one schema matches",
    spec: { unit: "bar", either: {} },
    causes: [
      whole('"spec.either" must validate one and only one schema (oneOf). Found none valid'),
      required("spec.either.x"),
    ],
  },
  {
    id: "ES14-all-of",
    name: "allOf: every schema matches",
    spec: { unit: "bar", every: 9 },
    causes: [
      invalid("spec.every", 9, "spec.every in body should be less than or equal to 7"),
      whole('"spec.every" must validate all the schemas (allOf)'),
    ],
  },
  {
    id: "ES14-not",
    name: "not: the schema does not match",
    spec: { unit: "bar", never: "no" },
    causes: [whole('"spec.never" must not validate the schema (not)')],
  },
  {
    id: "ES14-set",
    name: "the uniqueness of the values of a set (SSA27)",
    spec: { unit: "bar", tags: ["a", "b", "a", "a"] },
    causes: ['spec.tags[2] | FieldValueDuplicate | Duplicate value: "a"'],
  },
  {
    id: "ES14-list-keys",
    name: "the uniqueness of the keys of a list of type map (SSA28)",
    spec: { unit: "bar", slots: [{ key: "a" }, { key: "a" }] },
    causes: ['spec.slots[1] | FieldValueDuplicate | Duplicate value: {"key":"a"}'],
  },
  {
    id: "ES14-embedded",
    name: "the apiVersion and kind of an embedded resource",
    spec: { unit: "bar", inner: {} },
    causes: [required("spec.inner.apiVersion"), required("spec.inner.kind")],
  },
  {
    id: "ES14-no-spec",
    name: "the type of an object",
    spec: "text",
    causes: [
      typeInvalid("spec", "string", "object"),
      invalid(
        ".spec.replicas",
        0,
        ".spec.replicas accessor error: text is of the type string, expected map[string]interface{}",
      ),
    ],
  },
];

/** Cases for values that a schema rejects. */
export const customResourceValues: readonly ConformanceCase[] = bad.map(
  ({ id, name, spec, causes }) => ({
    id,
    name: `custom: a schema validates ${name}`,
    needs: ["crd"],
    async run(context) {
      const resource = await customResource(context, gauges);
      const seen = await rejectionCauses(
        resource.create({ metadata: { name: "a" }, spec } as never),
      );
      assert.deepEqual(seen, [...causes].sort());
    },
  }),
);
