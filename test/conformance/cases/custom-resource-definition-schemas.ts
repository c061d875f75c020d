import assert from "node:assert/strict";
import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import type { ConformanceCase } from "../conformance-case.js";
import { customDefinition, rejectionCauses, version } from "../support/custom-resources.js";

const schemaPath = "spec.validation.openAPIV3Schema";

interface BadDefinition {
  readonly id: string;
  readonly name: string;
  readonly definition: object;
  /** `field | reason | message`, sorted. */
  readonly causes: readonly string[];
}

const withSchema = (schema: object, more: object = {}) =>
  customDefinition("Bad", [version(schema, more)]);
const withProperties = (properties: object) => withSchema({ type: "object", properties });

/** Patterns that RE2 rejects, with its messages; JavaScript accepts most of them. */
const brokenPatterns = [
  ["(?=a)", "invalid or unsupported Perl syntax: `(?=`"],
  ["(?<!a)", "invalid named capture: `(?<!a)`"],
  ["(a)\\1", "invalid escape sequence: `\\1`"],
  ["\\u0041", "invalid escape sequence: `\\u`"],
  ["a**", "invalid nested repetition operator: `**`"],
  ["[[:foo:]]", "invalid character class range: `[:foo:]`"],
  ["a{1001}", "invalid repeat count: `{1001}`"],
  ["(", "missing closing ): `(`"],
  ["\\", "trailing backslash at end of expression: ``"],
] as const;

const bad: readonly BadDefinition[] = [
  {
    id: "ES13-structural-types",
    name: "a structural schema needs a type at every level",
    definition: withSchema({
      properties: { a: { items: {} }, b: { type: "array" } },
      anyOf: [{ properties: { q: { type: "string" } } }],
    }),
    causes: [
      `${schemaPath}.anyOf[0].properties[q].type | FieldValueForbidden | Forbidden: must be empty to be structural`,
      `${schemaPath}.properties[a].items.type | FieldValueRequired | Required value: must not be empty for specified array items`,
      `${schemaPath}.properties[a].type | FieldValueRequired | Required value: must not be empty for specified object fields`,
      `${schemaPath}.properties[b].items | FieldValueRequired | Required value: must be specified`,
      `${schemaPath}.properties[q] | FieldValueRequired | Required value: because it is defined in ${schemaPath}.anyOf[0].properties[q]`,
      `${schemaPath}.type | FieldValueRequired | Required value: must not be empty at the root`,
    ],
  },
  {
    id: "ES13-structural-root",
    name: "the root schema must have properties and must not be nullable",
    definition: withSchema({
      type: "object",
      additionalProperties: { type: "string" },
      nullable: true,
    }),
    causes: [
      `${schemaPath}.additionalProperties | FieldValueForbidden | Forbidden: must not be used at the root`,
      `${schemaPath}.nullable | FieldValueForbidden | Forbidden: nullable cannot be true at the root`,
    ],
  },
  {
    id: "ES13-structural-int-or-string",
    name: "an integer or string is neither an embedded resource nor of unknown fields, each reported once",
    definition: withProperties({
      a: { "x-kubernetes-int-or-string": true, "x-kubernetes-embedded-resource": true },
      b: {
        type: "object",
        "x-kubernetes-int-or-string": true,
        "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
      },
    }),
    causes: [
      `${schemaPath}.properties[a].properties | FieldValueRequired | Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields`,
      `${schemaPath}.properties[a].type | FieldValueRequired | Required value: must be object if x-kubernetes-embedded-resource is true`,
      `${schemaPath}.properties[a].x-kubernetes-embedded-resource | FieldValueInvalid | Invalid value: true: must be false if x-kubernetes-int-or-string is true`,
      `${schemaPath}.properties[b].x-kubernetes-embedded-resource | FieldValueInvalid | Invalid value: true: must be false if x-kubernetes-int-or-string is true`,
      `${schemaPath}.properties[b].x-kubernetes-preserve-unknown-fields | FieldValueInvalid | Invalid value: true: must be false if x-kubernetes-int-or-string is true`,
    ],
  },
  {
    id: "ES13-structural-metadata",
    name: "the schema of metadata is implicit",
    definition: withProperties({
      metadata: { type: "object", properties: { x: { type: "string" } } },
    }),
    causes: [
      `${schemaPath}.properties[metadata] | FieldValueForbidden | Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
    ],
  },
  {
    id: "ES13-openapi",
    name: "unsupported parts of OpenAPI are rejected",
    definition: withProperties({
      a: {
        type: "object",
        properties: { x: { type: "string" } },
        additionalProperties: { type: "string" },
      },
      j: { type: "array", uniqueItems: true, items: { type: "string" } },
      l: { type: "foo" },
      n: { type: "object", "x-kubernetes-map-type": "foo" },
    }),
    causes: [
      `${schemaPath}.properties[a].additionalProperties | FieldValueForbidden | Forbidden: additionalProperties and properties are mutual exclusive`,
      `${schemaPath}.properties[j].uniqueItems | FieldValueForbidden | Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
      `${schemaPath}.properties[l].type | FieldValueNotSupported | Unsupported value: "foo": supported values: "array", "boolean", "integer", "number", "object", "string"`,
      `${schemaPath}.properties[n].x-kubernetes-map-type | FieldValueNotSupported | Unsupported value: "foo": supported values: "atomic", "granular"`,
    ],
  },
  {
    id: "ES13-list-types",
    name: "lists of type map need list-map-keys that every item has",
    definition: withProperties({
      f: { type: "string", "x-kubernetes-list-type": "set" },
      g: { type: "array", "x-kubernetes-list-type": "map", items: { type: "string" } },
      h: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k", "z"],
        items: { type: "object", properties: { k: { type: "string" } } },
      },
      i: { type: "array", "x-kubernetes-list-type": "set", items: { type: "object" } },
      o: { type: "array", "x-kubernetes-list-map-keys": ["a"], items: { type: "string" } },
    }),
    causes: [
      `${schemaPath}.properties[f].type | FieldValueInvalid | Invalid value: "string": must be array if x-kubernetes-list-type is specified`,
      `${schemaPath}.properties[g].items.type | FieldValueInvalid | Invalid value: "string": must be object if parent array's x-kubernetes-list-type is map`,
      `${schemaPath}.properties[g].x-kubernetes-list-map-keys | FieldValueRequired | Required value: must not be empty if x-kubernetes-list-type is map`,
      `${schemaPath}.properties[h].items.properties[k].default | FieldValueRequired | Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`,
      `${schemaPath}.properties[h].x-kubernetes-list-map-keys | FieldValueInvalid | Invalid value: ["k","z"]: entries must all be names of item properties`,
      `${schemaPath}.properties[i].items.x-kubernetes-map-type | FieldValueInvalid | Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set`,
      `${schemaPath}.properties[o].x-kubernetes-list-type | FieldValueRequired | Required value: must be map if x-kubernetes-list-map-keys is non-empty`,
    ],
  },
  {
    id: "ES13-patterns",
    name: "a pattern must be a valid RE2 expression",
    definition: withProperties(
      Object.fromEntries(
        brokenPatterns.map(([pattern], at) => [`p${at}`, { type: "string", pattern }]),
      ),
    ),
    causes: brokenPatterns.map(
      ([pattern, why], at) =>
        `${schemaPath}.properties[p${at}].pattern | FieldValueInvalid | Invalid value: ${JSON.stringify(pattern)}: must be a valid regular expression, but isn't: error parsing regexp: ${why}`,
    ),
  },
  {
    id: "ES13-defaults",
    name: "a default must match its own schema",
    definition: withProperties({
      a: { type: "integer", default: "x" },
      b: { type: "object", default: { z: 1 }, properties: { y: { type: "string" } } },
      c: { type: "string", enum: ["a"], default: "b" },
    }),
    causes: [
      `${schemaPath}.properties[a].default | FieldValueTypeInvalid | Invalid value: "string":  in body must be of type integer: "string"`,
      `${schemaPath}.properties[b].default | FieldValueInvalid | Invalid value: {"z":1}: must not have unknown fields`,
      `${schemaPath}.properties[c].default | FieldValueNotSupported | Unsupported value: "b": supported values: "a"`,
    ],
  },
  {
    id: "ES13-default-metadata",
    name: "metadata must not have defaults",
    definition: withProperties({
      metadata: { type: "object", properties: { name: { type: "string", default: "x" } } },
    }),
    causes: [
      `${schemaPath}.properties[metadata].properties[name].default | FieldValueForbidden | Forbidden: must not be set in top-level metadata`,
    ],
  },
  {
    id: "CEL-empty-rule",
    name: "an empty validation rule is rejected",
    definition: withSchema({ type: "object", "x-kubernetes-validations": [{ rule: " " }] }),
    causes: [
      `${schemaPath}.x-kubernetes-validations[0].rule | FieldValueRequired | Required value: rule is not specified`,
    ],
  },
];

/** Cases for definitions that a server rejects because of their schema. */
export const customResourceDefinitionSchemas: readonly ConformanceCase[] = bad.map(
  ({ id, name, definition, causes }) => ({
    id,
    name: `custom: ${name}`,
    needs: ["crd"],
    async run({ client }) {
      const definitions = client.resource(CustomResourceDefinition);
      const seen = await rejectionCauses(
        definitions.create(definition as CustomResourceDefinition),
      );
      assert.deepEqual(seen, [...causes].sort());
    },
  }),
);
