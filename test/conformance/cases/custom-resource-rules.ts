import assert from "node:assert/strict";
import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import type { ConformanceCase } from "../conformance-case.js";
import {
  customDefinition,
  customResource,
  rejectionCauses,
  version,
} from "../support/custom-resources.js";
import { fleets } from "../support/fleets.js";

const invalid = "FieldValueInvalid";

/** Specs of fleets, each with the causes of its rejection. */
const rejectedFleets: readonly (readonly [spec: object, ...causes: string[]])[] = [
  [
    { replicas: 3, max: 2 },
    `spec | ${invalid} | Invalid value: failed rule: !has(self.max) || self.replicas <= self.max`,
  ],
  [{ replicas: 3, ratio: 1.5 }, "spec.ratio | FieldValueDuplicate | Duplicate value"],
  [
    { replicas: 3, until: "2010-01-01T00:00:00Z" },
    `spec | ${invalid} | Invalid value: failed rule: !has(self.until) || self.until > timestamp('2020-01-01T00:00:00Z')`,
  ],
  [
    { replicas: 3, "x-y": 0 },
    `spec | ${invalid} | Invalid value: "object": division by zero evaluating rule: !has(self.x__dash__y) || 10 / self.x__dash__y > 1`,
  ],
  [
    { replicas: 3, labels: { c: "d" } },
    `spec | ${invalid} | Invalid value: "object": no such key: a evaluating rule: a must be b`,
  ],
  [{ replicas: 3, labels: { a: "d" } }, `spec | ${invalid} | Invalid value: a must be b`],
  [{ replicas: 3, size: "x" }, "spec.size | FieldValueForbidden | Forbidden: must be a quantity"],
  [
    { replicas: 3, names: ["web-a", "b"] },
    `spec.names[1] | ${invalid} | Invalid value: "b": failed rule: self.startsWith('web-')`,
  ],
  [
    { replicas: "a", names: ["b"] },
    `<nil> | ${invalid} | Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation`,
    'spec.replicas | FieldValueTypeInvalid | Invalid value: "string": spec.replicas in body must be of type integer: "string"',
  ],
];

const text = { type: "string", maxLength: 3 };
const integer = { type: "integer" };
const place = "spec.validation.openAPIV3Schema.properties[spec]";
const [advice, over] = [
  "(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)",
  "exceeds budget by factor of more than 100x",
];

/** Returns a schema whose spec has an integer `a`, a list of texts `l` and one rule. */
function ruled(rule: object): object {
  const l = { type: "array", items: { type: "string" } };
  return { type: "object", properties: { a: integer, l }, "x-kubernetes-validations": [rule] };
}

/** Returns a rule as the server shows it. */
function shown(rule: string, messageExpression = ""): string {
  const json = JSON.stringify({
    Rule: rule,
    Message: "",
    MessageExpression: messageExpression,
    Reason: null,
    FieldPath: "",
    OptionalOldSelf: null,
  });
  return `Invalid value: ${json.replaceAll(">", "\\u003e")}`;
}

/** Schemas of `spec`, each with the causes for which its definition is rejected. */
const rejectedSchemas: readonly (readonly [schema: object, ...causes: string[]])[] = [
  [
    ruled({ rule: "self.b > 1" }),
    `.x-kubernetes-validations[0].rule | ${invalid} | ${shown("self.b > 1")}: compilation failed: ERROR: <input>:1:5: undefined field 'b'\n | self.b > 1\n | ....^`,
  ],
  [
    ruled({ rule: "self.a + 1" }),
    `.x-kubernetes-validations[0].rule | ${invalid} | ${shown("self.a + 1")}: cel expression must evaluate to a bool`,
  ],
  [
    ruled({ rule: "  " }),
    ".x-kubernetes-validations[0].rule | FieldValueRequired | Required value: rule is not specified",
  ],
  [
    ruled({ rule: "self.a\n > 1" }),
    ".x-kubernetes-validations[0].message | FieldValueRequired | Required value: message must be specified if rule contains line breaks",
  ],
  [
    ruled({ rule: "self.a > 1", message: "a\nb" }),
    `.x-kubernetes-validations[0].message | ${invalid} | Invalid value: "a\\nb": must not contain line breaks`,
  ],
  [
    ruled({ rule: "self.a > 1", messageExpression: "self.a" }),
    `.x-kubernetes-validations[0].messageExpression | ${invalid} | ${shown("self.a > 1", "self.a")}: messageExpression must evaluate to a string`,
  ],
  [
    ruled({ rule: "self.a > 1", reason: "Wrong" }),
    '.x-kubernetes-validations[0].reason | FieldValueNotSupported | Unsupported value: "Wrong": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
  ],
  [
    ruled({ rule: "self.a > 1", fieldPath: ".b" }),
    `.x-kubernetes-validations[0].fieldPath | ${invalid} | Invalid value: ".b": must be a valid path`,
  ],
  [
    ruled({ rule: "self.a > 1", optionalOldSelf: true }),
    `.x-kubernetes-validations[0].optionalOldSelf | ${invalid} | Invalid value: true: may not be set if oldSelf is not used in rule`,
  ],
  [
    ruled({ rule: "self.l.all(x, self.l.all(y, x == y))" }),
    `.x-kubernetes-validations[0].rule | FieldValueForbidden | Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema`,
    `.x-kubernetes-validations[0].rule | FieldValueForbidden | Forbidden: estimated rule cost ${over} ${advice}`,
    `root | FieldValueForbidden | Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema ${over} ${advice}`,
  ],
  [
    {
      type: "array",
      maxItems: 3,
      items: { ...text, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
    },
    `.items.x-kubernetes-validations[0].rule | ${invalid} | Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${place}`,
  ],
  [
    {
      type: "object",
      properties: { a: integer },
      anyOf: [{ properties: { a: { "x-kubernetes-validations": [{ rule: "self > 1" }] } } }],
    },
    ".anyOf[0].properties[a].x-kubernetes-validations | FieldValueForbidden | Forbidden: must be empty to be structural",
  ],
  [
    { properties: { a: integer }, "x-kubernetes-validations": [{ rule: "self.b" }] },
    ".type | FieldValueRequired | Required value: must not be empty for specified object fields",
  ],
];

/** Cases for the validation rules of definitions. */
export const customResourceRules: readonly ConformanceCase[] = [
  {
    id: "VR9-objects",
    name: "custom: a rule that is false or fails is a cause with its message, reason and field",
    needs: ["crd"],
    async run(context) {
      const resource = await customResource(context, fleets);
      for (const [at, [spec, ...causes]] of rejectedFleets.entries()) {
        const created = resource.create({ metadata: { name: `fleet-${at}` }, spec });
        assert.deepEqual(await rejectionCauses(created), causes);
      }
      await resource.create({ metadata: { name: "good" }, spec: { replicas: 1, max: 2 } });
    },
  },
  {
    id: "VR2-updates",
    name: "custom: rules with oldSelf compare an update with the old object, and skip what is new or gone",
    needs: ["crd"],
    async run(context) {
      const resource = await customResource(context, fleets);
      const metadata = { name: "changing" };
      await resource.create({ metadata, spec: { replicas: 1, max: 5, zone: "a" } });
      const write = (spec: object) => resource.modify("changing", (one) => ({ ...one, spec }));
      assert.deepEqual(await rejectionCauses(write({ replicas: 1, max: 4, zone: "b" })), [
        `spec | ${invalid} | Invalid value: max may only grow`,
        `spec.zone | ${invalid} | Invalid value: "b": failed rule: self == oldSelf`,
      ]);
      await write({ replicas: 1, max: 6 });
      await write({ replicas: 1, max: 6, zone: "c" });
    },
  },
  {
    id: "VR3-definitions",
    name: "custom: a definition whose rules cannot run, or may cost too much, is rejected",
    needs: ["crd"],
    async run({ client }) {
      const definitions = client.resource(CustomResourceDefinition);
      for (const [schema, ...causes] of rejectedSchemas) {
        const root = { type: "object", properties: { spec: schema } };
        const created = definitions.create(customDefinition("Unruly", [version(root)]));
        assert.deepEqual(
          await rejectionCauses(created),
          causes
            .map((cause) =>
              cause.startsWith("root")
                ? cause.replace("root", "spec.validation.openAPIV3Schema")
                : `${place}${cause}`,
            )
            .sort(),
        );
      }
    },
  },
  {
    id: "VR16",
    name: "custom: rules are not compiled while the schema of a definition is wrong",
    needs: ["crd"],
    async run({ client }) {
      const spec = {
        type: "object",
        properties: { a: { type: "text" } },
        "x-kubernetes-validations": [{ rule: "self.nowhere > 1" }],
      };
      const root = { type: "object", properties: { spec } };
      const causes = await rejectionCauses(
        client
          .resource(CustomResourceDefinition)
          .create(customDefinition("Unruly", [version(root)])),
      );
      assert.deepEqual(
        causes.filter((cause) => cause.includes("x-kubernetes-validations")),
        [],
      );
      assert.ok(causes.some((cause) => cause.includes('"text"')));
    },
  },
];
