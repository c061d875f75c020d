import assert from "node:assert/strict";
import type { ConformanceCase } from "../conformance-case.js";
import {
  customDefinition,
  customGroup,
  customResource,
  version,
} from "../support/custom-resources.js";
import { rawRequest } from "../support/raw-request.js";

type Fields = Readonly<Record<string, unknown>>;

const embedded = {
  type: "object",
  "x-kubernetes-embedded-resource": true,
  "x-kubernetes-preserve-unknown-fields": true,
};
const carriers = customDefinition("Carrier", [
  version({
    type: "object",
    properties: { spec: { type: "object", properties: { inner: embedded } } },
  }),
]);

const owner = { apiVersion: "v1", kind: "Pod", name: "x", uid: "u" };
const required = (field: string) =>
  `spec.inner.metadata.${field}: Required value: must not be empty`;

/**
 * Metadata as sent and as stored. A string is the message of a 400 response, a list holds the field errors of a 422
 * response.
 */
const metadata: readonly (readonly [
  name: string,
  sent: unknown,
  stored: Fields | string | readonly string[],
])[] = [
  [
    "times of other zones and fractions of seconds",
    {
      creationTimestamp: "2024-01-01T01:00:00+01:00",
      deletionTimestamp: "2024-01-01T00:00:00.5Z",
      managedFields: [{ operation: "Apply", time: "2024-01-01T01:00:00+01:00", subresource: "" }],
    },
    {
      creationTimestamp: "2024-01-01T00:00:00Z",
      deletionTimestamp: "2024-01-01T00:00:00Z",
      managedFields: [{ operation: "Apply", time: "2024-01-01T00:00:00Z" }],
    },
  ],
  [
    "the first second of year 1",
    { name: "x", creationTimestamp: "0001-01-01T00:00:00Z" },
    { name: "x" },
  ],
  [
    "empty values",
    {
      creationTimestamp: null,
      labels: {},
      annotations: null,
      finalizers: [],
      ownerReferences: [],
      generation: 0,
      namespace: "",
      deletionGracePeriodSeconds: 0,
    },
    { deletionGracePeriodSeconds: 0 },
  ],
  ["null", null, {}],
  ["null in a map", { labels: { a: null } }, { labels: { a: "" } }],
  [
    "fields that nobody knows",
    { name: "Any Name", other: 1, ownerReferences: [{ ...owner, other: 1 }] },
    { name: "Any Name", ownerReferences: [owner] },
  ],
  [
    "a text that is no time",
    { name: "x", deletionTimestamp: "2024-13-01T00:00:00Z" },
    'spec.inner.metadata: Invalid value: {"deletionTimestamp":"2024-13-01T00:00:00Z","name":"x"}: parsing time "2024-13-01T00:00:00Z": month out of range',
  ],
  [
    "a value of another type",
    { labels: { a: 1 } },
    'spec.inner.metadata: Invalid value: {"labels":{"a":1}}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
  ],
  [
    "a number in place of metadata",
    5,
    "spec.inner.metadata: Invalid value: 5: json: cannot unmarshal number into Go value of type v1.ObjectMeta",
  ],
  [
    "owners and managers without what makes them",
    { ownerReferences: [{ apiVersion: "v1", kind: "Pod" }], managedFields: [{}] },
    [
      required("ownerReferences[0].name"),
      required("ownerReferences[0].uid"),
      required("managedFields[0].operation"),
    ],
  ],
  [
    "names that no path may have, and a negative generation",
    { name: "a/b", generateName: "a%", generation: -1 },
    [
      "spec.inner.metadata.generateName: Invalid value: \"a%\": may not contain '%'",
      "spec.inner.metadata.name: Invalid value: \"a/b\": may not contain '/'",
      "spec.inner.metadata.generation: Invalid value: -1: must be greater than or equal to 0",
    ],
  ],
  [
    "odd managers",
    { managedFields: [{ operation: "Odd", fieldsType: "Odd" }] },
    [
      'spec.inner.metadata.managedFields[0].operation: Unsupported value: "Odd": supported values: "Apply", "Update"',
      'spec.inner.metadata.managedFields[0].fieldsType: Invalid value: "Odd": must be `FieldsV1`',
    ],
  ],
];

function request(namespace: string, inner: unknown, query = "") {
  return {
    method: "POST",
    path: `/apis/${customGroup}/v1/namespaces/${namespace}/carriers${query}`,
    body: {
      apiVersion: `${customGroup}/v1`,
      kind: "Carrier",
      metadata: { name: "a" },
      spec: { inner: { apiVersion: "v1", kind: "ConfigMap", metadata: inner } },
    },
  } as const;
}

/**
 * Cases for the metadata of embedded resources (`x-kubernetes-embedded-resource`), which is decoded like that of any
 * object.
 */
export const embeddedMetadata: readonly ConformanceCase[] = [
  ...metadata.map(
    ([name, sent, expected], at): ConformanceCase => ({
      id: `embedded-metadata-${at + 1}`,
      name: `custom: the metadata of an embedded resource with ${name}`,
      needs: ["crd"],
      async run(context) {
        await customResource(context, carriers);
        const { status, text } = await rawRequest(context, request(context.namespace, sent));
        const body = JSON.parse(text) as {
          message?: string;
          details?: { causes: { field: string; message: string }[] };
          spec?: { inner: { metadata: unknown } };
        };
        if (typeof expected === "string") {
          const why = `Carrier in version "v1" cannot be handled as a Carrier: ${expected}`;
          assert.deepEqual([status, body.message], [400, why]);
        } else if (Array.isArray(expected)) {
          const causes = (body.details?.causes ?? []).map(
            ({ field, message }) => `${field}: ${message}`,
          );
          assert.deepEqual([status, causes], [422, expected]);
        } else {
          assert.deepEqual([status, body.spec?.inner.metadata], [201, expected]);
        }
      },
    }),
  ),
  {
    id: "embedded-metadata-unknown",
    name: "custom: unknown fields of embedded metadata return warnings, or are rejected with Strict",
    needs: ["crd"],
    async run(context) {
      await customResource(context, carriers);
      const sent = { name: "x", ownerReferences: [{ ...owner, other: 1 }] };
      const warned = await rawRequest(context, request(context.namespace, sent));
      assert.match(
        warned.headers["warning"] ?? "",
        /unknown field \\"spec\.inner\.metadata\.ownerReferences\[0\]\.other\\"/,
      );
      const strict = request(context.namespace, sent, "?fieldValidation=Strict");
      const refused = await rawRequest(context, strict);
      assert.equal(refused.status, 400);
      assert.match(refused.text, /strict decoding error: unknown field/);
    },
  },
  {
    id: "embedded-metadata-owned",
    name: "custom: finalizers and owner references of embedded metadata are owned separately",
    needs: ["crd"],
    async run(context) {
      await customResource(context, carriers);
      const sent = { finalizers: ["a"], ownerReferences: [owner] };
      const { text } = await rawRequest(context, request(context.namespace, sent));
      const { metadata: own } = JSON.parse(text) as {
        metadata: { managedFields: { fieldsV1: Record<string, Record<string, Fields>> }[] };
      };
      const inner = own.managedFields[0]?.fieldsV1["f:spec"]?.["f:inner"]?.["f:metadata"];
      assert.deepEqual(inner, {
        ".": {},
        "f:finalizers": { ".": {}, 'v:"a"': {} },
        "f:ownerReferences": { ".": {}, 'k:{"uid":"u"}': {} },
      });
    },
  },
];
