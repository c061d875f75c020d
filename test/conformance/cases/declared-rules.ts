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

/** Objects that break declared rules and rules of hand-written code, whose errors come first (VAL26). */
const ordered: readonly (readonly [id: string, path: string, body: object, message: string])[] = [
  [
    "a binding",
    "/apis/rbac.authorization.k8s.io/v1/namespaces/%/rolebindings",
    {
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "" },
      subjects: [
        { kind: "User", name: "" },
        { kind: "X", name: "a" },
      ],
    },
    'subjects[1].kind: Unsupported value: "X": supported values: "ServiceAccount", "User", "Group", subjects[0].name: Required value, roleRef.name: Required value',
  ],
  [
    "a slice",
    slices,
    { endpoints: [{ addresses: [], hostname: "A_b" }], ports: [{ name: "A_b" }] },
    `ports[0].name: Invalid value: "A_b": ${shortName}, endpoints[0].hostname: Invalid value: "A_b": ${shortName}, addressType: Required value, endpoints[0].addresses: Required value`,
  ],
  [
    "an IngressClass",
    "/apis/networking.k8s.io/v1/ingressclasses",
    { spec: { controller: "x", parameters: { scope: "X" } } },
    'spec.controller: Invalid value: "x": must be a domain-prefixed path (such as "acme.io/foo"), spec.parameters.scope: Unsupported value: "X": supported values: "Cluster", "Namespace", spec.parameters.kind: Required value, spec.parameters.name: Required value',
  ],
  [
    "a ReplicationController",
    "/api/v1/namespaces/%/replicationcontrollers",
    { spec: { replicas: -1, minReadySeconds: -1, template: {} } },
    "spec.selector: Required value, spec.template.spec.containers: Required value, spec.replicas: Invalid value: -1: must be greater than or equal to 0, spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0",
  ],
  [
    "an autoscaler",
    scalers,
    { spec: { scaleTargetRef, minReplicas: -1, maxReplicas: -2 } },
    "spec.maxReplicas: Invalid value: -2: must be greater than or equal to `minReplicas`, spec.minReplicas: Invalid value: -1: must be greater than or equal to 0, spec.maxReplicas: Invalid value: -2: must be greater than or equal to 1",
  ],
  [
    "a CronJob",
    "/apis/batch/v1/namespaces/%/cronjobs",
    { spec: { concurrencyPolicy: "X", jobTemplate: { spec: { template: { spec: {} } } } } },
    'spec.concurrencyPolicy: Unsupported value: "X": supported values: "Allow", "Forbid", "Replace", spec.jobTemplate.spec.template.spec.containers: Required value, spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never", spec.schedule: Required value',
  ],
  [
    "a StorageClass",
    "/apis/storage.k8s.io/v1/storageclasses",
    { reclaimPolicy: "X", allowedTopologies: [{}] },
    'reclaimPolicy: Unsupported value: "X": supported values: "Delete", "Retain", allowedTopologies[0].matchLabelExpressions: Duplicate value: "", provisioner: Required value',
  ],
];

/** Empty words behind pointers, which are not absent. */
const emptyWords: typeof ordered = [
  [
    "a CSIDriver",
    "/apis/storage.k8s.io/v1/csidrivers",
    { spec: { fsGroupPolicy: "" } },
    'spec.fsGroupPolicy: Unsupported value: "": supported values: "File", "None", "ReadWriteOnceWithFSType"',
  ],
  [
    "a PriorityClass",
    "/apis/scheduling.k8s.io/v1/priorityclasses",
    { value: 2_000_000_000, preemptionPolicy: "" },
    "value: Forbidden: maximum allowed value of a user defined priority is 1000000000, preemptionPolicy: Required value",
  ],
  [
    "a StorageClass",
    "/apis/storage.k8s.io/v1/storageclasses",
    { reclaimPolicy: "", allowedTopologies: [{}] },
    'allowedTopologies[0].matchLabelExpressions: Duplicate value: "", provisioner: Required value',
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
  ...Object.entries({ ordered, "empty-words": emptyWords }).flatMap(([about, rows]) =>
    rows.map(
      ([what, path, body, message]): ConformanceCase => ({
        id: `declared-rules-${about}-${what.split(" ")[1]?.toLowerCase()}`,
        name: `VAL26: ${what} with several errors is rejected with all of them, in the order of a real server`,
        async run({ client, namespace }) {
          const refused = client.raw({
            method: "POST",
            path: path.replace("%", namespace),
            query: { dryRun: "All" },
            body: { metadata: { name: "a" }, ...body },
          });
          await assert.rejects(refused, (error: Error) => {
            const [, list] = / is invalid: \[?(.*?)\]? \(POST /.exec(error.message) ?? [];
            assert.equal(list, message);
            return true;
          });
        },
      }),
    ),
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
