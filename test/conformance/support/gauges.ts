import { customDefinition, version } from "./custom-resources.js";

const string = { type: "string" };
const integer = { type: "integer" };

/** A kind whose schema contains every kind of field. */
export const gauges: ReturnType<typeof customDefinition> = customDefinition("Gauge", [
  version(
    {
      type: "object",
      required: ["spec"],
      properties: {
        spec: {
          type: "object",
          required: ["unit"],
          properties: {
            unit: { type: "string", enum: ["bar", "psi"] },
            size: { type: "integer", minimum: 0, maximum: 10, multipleOf: 2 },
            small: { type: "integer", format: "int32" },
            color: { type: "string", maxLength: 5, minLength: 2, pattern: "^[a-z]+$" },
            flag: { type: "boolean" },
            ratio: { type: "number", minimum: 1.5, exclusiveMinimum: true },
            when: { type: "string", format: "date-time" },
            address: { type: "string", format: "ipv4" },
            port: { "x-kubernetes-int-or-string": true },
            parts: {
              type: "array",
              minItems: 1,
              maxItems: 2,
              items: { type: "object", required: ["a"], properties: { a: string } },
            },
            counts: {
              type: "object",
              minProperties: 1,
              maxProperties: 2,
              additionalProperties: integer,
            },
            replicas: integer,
            tags: { type: "array", "x-kubernetes-list-type": "set", items: string },
            slots: {
              type: "array",
              "x-kubernetes-list-type": "map",
              "x-kubernetes-list-map-keys": ["key"],
              items: {
                type: "object",
                required: ["key"],
                properties: { key: string, value: { type: "string", default: "none" } },
              },
            },
            some: {
              type: "object",
              properties: { x: integer, y: integer },
              anyOf: [{ required: ["x"] }, { required: ["y"] }],
            },
            either: {
              type: "object",
              properties: { x: integer, y: integer },
              oneOf: [{ required: ["x"] }, { required: ["y"] }],
            },
            every: { type: "integer", allOf: [{ minimum: 5 }, { maximum: 7 }] },
            never: { type: "string", not: { enum: ["no"] } },
            maybe: { type: "string", nullable: true },
            level: { type: "string", default: "low" },
            whole: {
              type: "object",
              "x-kubernetes-map-type": "atomic",
              additionalProperties: string,
            },
            inner: {
              type: "object",
              "x-kubernetes-embedded-resource": true,
              "x-kubernetes-preserve-unknown-fields": true,
            },
            free: {
              type: "object",
              "x-kubernetes-preserve-unknown-fields": true,
              properties: { known: { type: "object", properties: { a: string } } },
            },
          },
        },
        status: {
          type: "object",
          properties: {
            replicas: integer,
            selector: string,
            phase: { type: "string", enum: ["on"] },
          },
        },
      },
    },
    {
      subresources: {
        status: {},
        scale: {
          specReplicasPath: ".spec.replicas",
          statusReplicasPath: ".status.replicas",
          labelSelectorPath: ".status.selector",
        },
      },
      selectableFields: [{ jsonPath: ".spec.color" }, { jsonPath: ".spec.size" }],
      additionalPrinterColumns: [
        { name: "Size", type: "integer", jsonPath: ".spec.size" },
        { name: "Spec", type: "string", jsonPath: ".spec.free", priority: 1, description: "all" },
        { name: "Flag", type: "boolean", jsonPath: ".spec.flag" },
        { name: "Ratio", type: "number", jsonPath: ".spec.ratio" },
        { name: "Part", type: "string", jsonPath: ".spec.parts[0].a" },
        { name: "Slot", type: "string", jsonPath: '.spec.slots[?(@.key=="b")].value' },
        { name: "When", type: "date", jsonPath: ".spec.when" },
      ],
    },
  ),
]);
