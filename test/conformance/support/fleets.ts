import { customDefinition, version } from "./custom-resources.js";

const integer = { type: "integer" };
const text = { type: "string", maxLength: 20 };

/** Returns a schema whose spec has properties and rules. */
function specSchema(properties: object, rules: readonly object[] = []) {
  const spec = { type: "object", properties, "x-kubernetes-validations": rules };
  return { type: "object", properties: { spec } };
}

/** A kind with rules of every form. */
export const fleets: ReturnType<typeof customDefinition> = customDefinition("Fleet", [
  version(
    specSchema(
      {
        replicas: integer,
        max: integer,
        zone: { ...text, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
        names: {
          type: "array",
          maxItems: 5,
          "x-kubernetes-list-type": "set",
          items: { ...text, "x-kubernetes-validations": [{ rule: "self.startsWith('web-')" }] },
        },
        ratio: { type: "number" },
        until: { type: "string", format: "date-time" },
        "x-y": integer,
        labels: { type: "object", maxProperties: 5, additionalProperties: text },
        size: {
          type: "string",
          maxLength: 10,
          "x-kubernetes-validations": [
            {
              rule: "isQuantity(self)",
              message: "must be a quantity",
              reason: "FieldValueForbidden",
            },
          ],
        },
      },
      [
        { rule: "!has(self.max) || self.replicas <= self.max" },
        {
          rule: "!has(self.ratio) || self.ratio < 1",
          messageExpression: "self.ratio > 2.0 ? 'far too large' : 'too large'",
          fieldPath: ".ratio",
          reason: "FieldValueDuplicate",
        },
        { rule: "!has(self.until) || self.until > timestamp('2020-01-01T00:00:00Z')" },
        { rule: "!has(self.x__dash__y) || 10 / self.x__dash__y > 1" },
        { rule: "!has(self.labels) || self.labels['a'] == 'b'", message: "a must be b" },
        {
          rule: "!has(oldSelf.max) || oldSelf.max <= self.max",
          message: "max may only grow",
        },
      ],
    ),
  ),
]);
