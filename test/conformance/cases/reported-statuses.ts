import assert from "node:assert/strict";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { deployment, pod } from "../support/objects.js";
import { accepted, rawCollection, refused } from "../support/raw-collection.js";

const begin = "2026-01-01T00:00:00Z";
const end = "2026-01-02T00:00:00Z";
const is = (type: string, status = "True") => ({ type, status, lastTransitionTime: begin });
const complete = [is("SuccessCriteriaMet"), is("Complete")];
const failed = [is("FailureTarget"), is("Failed")];

/** Writes statuses to one object in turn and returns the error messages, without kind and name. */
async function refusals(
  context: ConformanceContext,
  path: string,
  object: object,
  statuses: readonly object[],
): Promise<string[]> {
  const collection = rawCollection(context, path);
  await accepted(collection.post("", { metadata: { name: "a" }, ...object }));
  const texts: string[] = [];
  for (const status of statuses) {
    const [code, why] = await refused(collection.merge("/a/status", { status }));
    assert.equal(code, 422, why);
    texts.push(why.replace(/^\S+ "a" is invalid: /, "").replaceAll(/: Invalid value: \S+?:/g, ":"));
  }
  return texts;
}

function jobs(context: ConformanceContext) {
  return rawCollection(context, "/apis/batch/v1/%/jobs");
}

const { spec } = pod("x");
const job = { spec: { template: { spec: { ...spec, restartPolicy: "Never" } } } };
const jobPath = "/apis/batch/v1/%/jobs";

/**
 * Cases for the validation of statuses that controllers report: a status that envtest rejects must be rejected here
 * too.
 */
export const reportedStatuses: readonly ConformanceCase[] = [
  {
    id: "status-job-order",
    name: "a Job status needs its success criteria before its terminal condition, and its times",
    async run(context) {
      const needed = "status.startTime: Required value: startTime is required for finished job";
      const early = "status.conditions: Invalid value: cannot set";
      const statuses = [
        [
          { conditions: [is("Complete")] },
          [
            "status.completionTime: Required value: completionTime is required for Complete jobs",
            `${early} Complete=True condition without the SuccessCriteriaMet=true condition`,
            needed,
          ],
        ],
        [
          { conditions: [is("Failed")] },
          [`${early} Failed=True condition without the FailureTarget=true condition`, needed],
        ],
        [
          { completionTime: end },
          [
            `status.completionTime: Invalid value: "${end}": cannot set completionTime when there is no Complete=True condition`,
          ],
        ],
        [
          { startTime: end, completionTime: begin, conditions: complete },
          [
            `status.completionTime: Invalid value: "${begin}": must be equal to or after \`startTime\``,
          ],
        ],
        [
          { startTime: begin, active: 1, conditions: failed },
          ["status.active: Invalid value: 1: active>0 is invalid for finished job"],
        ],
        [
          { conditions: [is("SuccessCriteriaMet"), is("FailureTarget")] },
          [`${early} SuccessCriteriaMet=True and FailureTarget=true conditions`],
        ],
        [
          { active: 1, ready: 2 },
          ["status.ready: Invalid value: 2: cannot set more ready pods than active"],
        ],
        [
          { uncountedTerminatedPods: { succeeded: ["u"], failed: ["u"] } },
          ['status.uncountedTerminatedPods.failed[0]: Duplicate value: "u"'],
        ],
        [
          { failedIndexes: "0" },
          [
            'status.failedIndexes: Invalid value: "0": cannot set non-null failedIndexes when backoffLimitPerIndex is null',
          ],
        ],
      ] as const;
      await accepted(jobs(context).post("", { metadata: { name: "a" }, ...job }));
      for (const [status, causes] of statuses) {
        const list = causes.length === 1 ? causes[0] : `[${causes.join(", ")}]`;
        assert.deepEqual(await refused(jobs(context).merge("/a/status", { status })), [
          422,
          `Job.batch "a" is invalid: ${list}`,
        ]);
      }
      const done = { startTime: begin, completionTime: end, succeeded: 1, conditions: complete };
      await accepted(jobs(context).merge("/a/status", { status: done }));
    },
  },
  {
    id: "status-job-kept",
    name: "start time, counters and terminal conditions of a Job cannot be reverted",
    async run(context) {
      const collection = jobs(context);
      await accepted(collection.post("", { metadata: { name: "a" }, ...job }));
      const done = { startTime: begin, completionTime: end, succeeded: 1, conditions: complete };
      await accepted(collection.merge("/a/status", { status: done }));
      const causesOf = async (status: object) => {
        const [code, why] = await refused(collection.merge("/a/status", { status }));
        assert.equal(code, 422);
        return why.replace('Job.batch "a" is invalid: ', "");
      };
      assert.equal(
        await causesOf({ startTime: end }),
        `status.startTime: Invalid value: "${end}": field is immutable for unsuspended job once set`,
      );
      assert.equal(
        await causesOf({ succeeded: 0 }),
        "status.succeeded: Invalid value: 0: cannot decrease the succeeded counter",
      );
      assert.equal(
        await causesOf({ completionTime: null, conditions: [] }),
        "[status.conditions: Invalid value: cannot disable the terminal Complete=True condition, status.conditions: Invalid value: cannot disable the SuccessCriteriaMet=True condition]",
      );
    },
  },
  {
    id: "status-indexes",
    name: "completedIndexes must ascend and be below completions",
    async run(context) {
      const indexed = { completionMode: "Indexed", completions: 3, parallelism: 3 };
      const completed = ["0-3", "1,0", "a"].map((completedIndexes) => ({ completedIndexes }));
      const object = { spec: { ...job.spec, ...indexed } };
      assert.deepEqual(await refusals(context, jobPath, object, completed), [
        'status.completedIndexes: error parsing completedIndexes: too large index: "3"',
        "status.completedIndexes: error parsing completedIndexes: non-increasing order, previous: 1, current: 0",
        'status.completedIndexes: error parsing completedIndexes: cannot convert string to integer for index: "a"',
      ]);
    },
  },
  {
    id: "status-counts",
    name: "counts must not be negative or exceed their total, and collisionCount must not decrease",
    async run(context) {
      const workload = { spec: deployment("x").spec };
      const more = [{ replicas: 2, readyReplicas: 3 }, { replicas: -1 }];
      assert.deepEqual(
        await refusals(context, "/apis/apps/v1/%/replicasets", workload, [
          ...more,
          { replicas: 2, readyReplicas: 1, availableReplicas: 2 },
        ]),
        [
          "status.readyReplicas: cannot be greater than status.replicas",
          "[status.replicas: must be greater than or equal to 0, status.fullyLabeledReplicas: cannot be greater than status.replicas, status.readyReplicas: cannot be greater than status.replicas, status.availableReplicas: cannot be greater than status.replicas]",
          "status.availableReplicas: cannot be greater than readyReplicas",
        ],
      );
      const set = { spec: { ...workload.spec, serviceName: "x", strategy: undefined } };
      assert.deepEqual(
        await refusals(context, "/apis/apps/v1/%/statefulsets", set, [
          { replicas: 3, readyReplicas: 2, currentReplicas: 4 },
          { replicas: 3, availableReplicas: 1 },
        ]),
        [
          "status.currentReplicas: cannot be greater than status.replicas",
          "status.availableReplicas: cannot be greater than status.readyReplicas",
        ],
      );
      const deployments = rawCollection(context, "/apis/apps/v1/%/deployments");
      await accepted(deployments.post("", { ...deployment("a") }));
      await accepted(deployments.merge("/a/status", { status: { collisionCount: 2 } }));
      const [, why] = await refused(
        deployments.merge("/a/status", { status: { collisionCount: null } }),
      );
      assert.match(why, /status\.collisionCount: Invalid value: 0: cannot be decremented$/);
    },
  },
  {
    id: "status-others",
    name: "the statuses of budgets, autoscalers, nodes and namespaces are validated too",
    async run(context) {
      const { namespace } = context;
      const selector = { matchLabels: { a: "b" } };
      assert.deepEqual(
        await refusals(
          context,
          "/apis/policy/v1/%/poddisruptionbudgets",
          { spec: { minAvailable: 1, selector } },
          [{ disruptionsAllowed: -1 }, { conditions: [{ type: "A", status: "True", reason: "" }] }],
        ),
        [
          "status.disruptionsAllowed: must be greater than or equal to 0",
          "[status.conditions[0].lastTransitionTime: Required value, status.conditions[0].reason: Required value]",
        ],
      );
      const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "x" };
      assert.deepEqual(
        await refusals(
          context,
          "/apis/autoscaling/v2/%/horizontalpodautoscalers",
          { spec: { maxReplicas: 3, scaleTargetRef } },
          [{ currentReplicas: -1 }],
        ),
        ["status.currentReplicas: must be greater than or equal to 0"],
      );
      const nodes = rawCollection(context, "/api/v1/nodes");
      await accepted(nodes.post("", { metadata: { name: namespace } }));
      const address = { type: "InternalIP", address: "192.0.2.1" };
      const addresses = { status: { addresses: [address, address] } };
      const [, why] = await refused(nodes.merge(`/${namespace}/status`, addresses));
      assert.match(why, /status\.addresses\[1\]: Duplicate value: \{"Type":"InternalIP"/);
      await accepted(nodes.delete(`/${namespace}`));
      const namespaces = rawCollection(context, "/api/v1/namespaces");
      const ending = namespaces.merge(`/${namespace}/status`, { status: { phase: "Terminating" } });
      assert.deepEqual(await refused(ending), [
        422,
        `Namespace "${namespace}" is invalid: status.Phase: Invalid value: "Terminating": may only be 'Active' if \`deletionTimestamp\` is empty`,
      ]);
    },
  },
  {
    id: "status-balancer",
    name: "a load balancer needs a valid address or host name, and an address of a Service a valid mode",
    async run(context) {
      const at = (place: object) => ({ loadBalancer: { ingress: [place] } });
      const field = "status.loadBalancer.ingress[0]";
      const wrong = [at({ ip: "a.b" }), at({ hostname: "1.2.3.4" })];
      const refused = [
        `${field}.ip: must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)`,
        `${field}.hostname: must be a DNS name, not an IP address`,
      ];
      const ingress = {
        spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } },
      };
      const ingresses = "/apis/networking.k8s.io/v1/%/ingresses";
      assert.deepEqual(await refusals(context, ingresses, ingress, wrong), refused);
      const service = { spec: { type: "LoadBalancer", ports: [{ port: 80 }] } };
      const modes = [at({ ip: "1.2.3.4", ipMode: "Some" }), at({ hostname: "a.b", ipMode: "VIP" })];
      assert.deepEqual(
        await refusals(context, "/api/v1/%/services", service, [...wrong, ...modes]),
        [
          ...refused,
          `${field}.ipMode: Unsupported value: "Some": supported values: "Proxy", "VIP"`,
          `${field}.ipMode: Forbidden: may not be specified when \`ip\` is not set`,
        ],
      );
    },
  },
  {
    id: "status-pod-condition",
    name: "the type of a pod condition must be a qualified name",
    async run(context) {
      const [text] = await refusals(context, "/api/v1/%/pods", pod("a"), [
        { conditions: [{ type: "not one", status: "True" }] },
      ]);
      assert.match(text ?? "", /^status.conditions\[0\].Type: .*name part must consist of/);
    },
  },
];
