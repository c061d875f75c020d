import assert from "node:assert/strict";
import { CertificateSigningRequest } from "@typekube/api/certificates/v1";
import type { ConformanceCase } from "../conformance-case.js";
import { rejectionCauses } from "../support/custom-resources.js";
import { signingRequest } from "../support/signing-request.js";

const devices = "/apis/resource.k8s.io/v1";
const scalers = "/apis/autoscaling/v2/namespaces/%/horizontalpodautoscalers";
const slices = "/apis/discovery.k8s.io/v1/namespaces/%/endpointslices";
const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "d" };
const shortName =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const longName =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

const exactly = (name: string) => ({ name, exactly: { deviceClassName: "c" } });

function claim(spec: object): readonly [path: string, body: object] {
  return [`${devices}/namespaces/%/resourceclaims`, { spec: { devices: spec } }];
}

function slice(spec: object): readonly [path: string, body: object] {
  const pool = { name: "p", generation: 1, resourceSliceCount: 1 };
  const whole = { driver: "d.example.com", nodeName: "n", pool, ...spec };
  return [`${devices}/resourceslices`, { spec: whole }];
}

/**
 * Objects that break one rule, with all field errors of the response: each error once, whichever validation found it
 * (VAL26).
 */
const broken: readonly (readonly [
  id: string,
  rule: string,
  body: readonly [path: string, body: object],
  causes: readonly string[],
])[] = [
  [
    "VAL1",
    "required",
    ["/apis/node.k8s.io/v1/runtimeclasses", {}],
    ["handler | FieldValueRequired | Required value"],
  ],
  [
    "VAL4",
    "minimum",
    [scalers, { spec: { scaleTargetRef, maxReplicas: 3, minReplicas: -1 } }],
    [
      "spec.minReplicas | FieldValueInvalid | Invalid value: -1: must be greater than or equal to 0",
    ],
  ],
  [
    "VAL5",
    "maxLength, in characters",
    [
      "/apis/storage.k8s.io/v1/volumeattachments",
      {
        spec: { attacher: "x".repeat(64), nodeName: "n", source: { persistentVolumeName: "p" } },
      },
    ],
    ["spec.attacher | FieldValueTooLong | Too long: may not be more than 63 characters"],
  ],
  [
    "VAL6",
    "maxItems",
    [
      slices,
      {
        addressType: "IPv4",
        endpoints: [{ addresses: Array.from({ length: 101 }, (_, index) => `10.0.0.${index}`) }],
      },
    ],
    ["endpoints[0].addresses | FieldValueTooMany | Too many: 101: must have at most 100 items"],
  ],
  [
    "VAL7",
    "enum",
    [slices, { addressType: "X", endpoints: [] }],
    [
      'addressType | FieldValueNotSupported | Unsupported value: "X": supported values: "FQDN", "IPv4", "IPv6"',
    ],
  ],
  [
    "VAL9",
    "format=k8s-long-name",
    claim({ requests: [{ name: "r", firstAvailable: [{ name: "s", deviceClassName: "A_b" }] }] }),
    [
      `spec.devices.requests[0].firstAvailable[0].deviceClassName | FieldValueInvalid | Invalid value: "A_b": ${longName}`,
    ],
  ],
  [
    "VAL10",
    "format=k8s-short-name",
    ["/apis/node.k8s.io/v1/runtimeclasses", { handler: "A_b" }],
    [`handler | FieldValueInvalid | Invalid value: "A_b": ${shortName}`],
  ],
  [
    "VAL12",
    "eachKey",
    slice({ sharedCounters: [{ name: "s", counters: { A_b: { value: "1" } } }] }),
    [`spec.sharedCounters[0].counters | FieldValueInvalid | Invalid value: "A_b": ${shortName}`],
  ],
  [
    "VAL16",
    "unique=set",
    claim({
      requests: [exactly("r")],
      constraints: [{ requests: ["r", "r"], matchAttribute: "a.example.com/x" }],
    }),
    ['spec.devices.constraints[0].requests[1] | FieldValueDuplicate | Duplicate value: "r"'],
  ],
  [
    "VAL17",
    "listMapKey",
    claim({ requests: [exactly("r"), exactly("r")] }),
    [
      'spec.devices.requests[1] | FieldValueDuplicate | Duplicate value: {"name":"r","exactly":{"deviceClassName":"c","allocationMode":"ExactCount","count":1}}',
    ],
  ],
  [
    "VAL19",
    "unionMember, two of them",
    slice({ devices: [{ name: "d", attributes: { x: { int: 1, bool: true } } }] }),
    [
      'spec.devices[0].attributes[x] | FieldValueInvalid | Invalid value: "{int, bool}": must specify exactly one of: `int`, `bool`, `string`, `version`, `ints`, `bools`, `strings`, `versions`',
    ],
  ],
  [
    "VAL19-none",
    "unionMember, none of them",
    slice({ devices: [{ name: "d", attributes: { x: {} } }] }),
    [
      'spec.devices[0].attributes[x] | FieldValueInvalid | Invalid value: "": must specify one of: `int`, `bool`, `string`, `version`, `ints`, `bools`, `strings`, `versions`',
    ],
  ],
];

/** Objects that satisfy a rule. */
const kept: readonly (readonly [id: string, rule: string, path: string, body: object])[] = [
  ["VAL2", "optional: left out", ...claim({})],
  [
    "VAL3",
    "forbidden while its feature is off: the field is dropped, VAL21: by the gate",
    "/apis/batch/v1/namespaces/%/jobs",
    {
      spec: {
        scheduling: {},
        template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } },
      },
    },
  ],
];

/** Cases for declarative validation (`+k8s:` markers of upstream types). */
export const declaredRules: readonly ConformanceCase[] = [
  ...broken.map(
    ([id, rule, [path, body], causes]): ConformanceCase => ({
      id,
      name: `${rule}: a violation responds with Invalid and its cause, VAL26: only once`,
      async run({ client, namespace }) {
        const refused = client.raw({
          method: "POST",
          path: path.replace("%", namespace),
          query: { dryRun: "All" },
          body: { metadata: { name: "a" }, ...body },
        });
        assert.deepEqual(await rejectionCauses(refused), [...causes].sort());
      },
    }),
  ),
  ...kept.map(
    ([id, rule, path, body]): ConformanceCase => ({
      id,
      name: rule,
      async run({ client, namespace }) {
        const response = await client.raw({
          method: "POST",
          path: path.replace("%", namespace),
          query: { dryRun: "All" },
          body: { metadata: { name: "a" }, ...body },
        });
        const { spec } = (await response.object()) as { readonly spec: object };
        assert.equal("scheduling" in spec, false);
      },
    }),
  ),
  {
    id: "VAL20",
    name: "zeroOrOneOfMember, VAL15: of items by key: a request cannot be both approved and denied",
    async run({ client, namespace }) {
      const requests = client.resource(CertificateSigningRequest);
      const condition = (type: string) => ({
        type,
        status: "True",
        reason: "R",
        lastUpdateTime: "2024-01-01T00:00:00Z",
      });
      const made = await requests.create(signingRequest(namespace));
      const both = [condition("Approved"), condition("Denied")];
      const causes = await rejectionCauses(
        requests.approval.update(namespace, { ...made, status: { conditions: both } }),
      );
      assert.equal(causes.length, 1);
      assert.match(
        causes[0] ?? "",
        /^status\.conditions \| FieldValueInvalid \| .*(Approved and Denied conditions are mutually exclusive|must specify at most one of)/,
      );
    },
  },
  {
    id: "VAL24",
    name: "rules of a subresource, VAL23: that its kind supports: a negative scale responds with Invalid",
    async run({ client, namespace }) {
      await client.raw({
        method: "POST",
        path: `/apis/apps/v1/namespaces/${namespace}/deployments`,
        body: {
          metadata: { name: "a" },
          spec: {
            selector: { matchLabels: { a: "b" } },
            template: {
              metadata: { labels: { a: "b" } },
              spec: { containers: [{ name: "c", image: "i" }] },
            },
          },
        },
      });
      const refused = client.raw({
        method: "PUT",
        path: `/apis/apps/v1/namespaces/${namespace}/deployments/a/scale`,
        body: {
          apiVersion: "autoscaling/v1",
          kind: "Scale",
          metadata: { name: "a", namespace },
          spec: { replicas: -1 },
        },
      });
      assert.deepEqual(await rejectionCauses(refused), [
        "spec.replicas | FieldValueInvalid | Invalid value: -1: must be greater than or equal to 0",
      ]);
    },
  },
];
