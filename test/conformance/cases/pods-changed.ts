import assert from "node:assert/strict";
import type { Pod } from "@typekube/api/core/v1";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { pod } from "../support/objects.js";
import { accepted, type RawCollection, rawCollection, refused } from "../support/raw-collection.js";

type Refusals = readonly (readonly [
  place: string,
  change: Readonly<Record<string, unknown>>,
  why: string,
])[];

const container = { name: "main", image: "registry.k8s.io/pause:3.10" };

async function made(context: ConformanceContext, spec: object = {}): Promise<RawCollection> {
  const pods = rawCollection(context, "/api/v1/%/pods");
  const object = { metadata: { name: "a" }, spec: { ...pod("a").spec, ...spec } };
  await accepted(pods.post("", object));
  return pods;
}

/** Expects that the server rejects each change with its message. */
async function refuses(pods: RawCollection, refusals: Refusals): Promise<void> {
  for (const [place, change, why] of refusals) {
    const response = await refused(pods.strategic(`/a${place}`, change));
    assert.deepEqual(response, [422, `Pod "a" is invalid: ${why}`]);
  }
}

const exists = (key: string) => ({ matchExpressions: [{ key, operator: "Exists" }] });
const onNodes = (...nodeSelectorTerms: object[]) => ({
  affinity: {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
  },
});
const ruledTerms =
  "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";

/** Cases for changes of existing pods, by main resource and subresource. */
export const podsChanged: readonly ConformanceCase[] = [
  {
    id: "pod-gated",
    name: "the node selection of a gated pod can be narrowed but not widened",
    async run(context) {
      const pods = await made(context, {
        schedulingGates: [{ name: "x.io/wait" }],
        nodeSelector: { a: "b" },
        ...onNodes(exists("a")),
      });
      const labels = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
      await refuses(pods, [
        [
          "",
          { spec: { nodeSelector: { a: "c" } } },
          `spec.nodeSelector: Invalid value: {"a":"c"}: ${labels}`,
        ],
        [
          "",
          { spec: onNodes(exists("a"), exists("b")) },
          `${ruledTerms}: Invalid value: [{"MatchExpressions":[{"Key":"a","Operator":"Exists","Values":null}],"MatchFields":null},{"MatchExpressions":[{"Key":"b","Operator":"Exists","Values":null}],"MatchFields":null}]: no additions/deletions to non-empty NodeSelectorTerms list are allowed`,
        ],
        [
          "",
          { spec: onNodes(exists("c")) },
          `${ruledTerms}[0]: Invalid value: {"MatchExpressions":[{"Key":"c","Operator":"Exists","Values":null}],"MatchFields":null}: only additions are allowed (no mutations or deletions)`,
        ],
      ]);
      await accepted(pods.strategic("/a", { spec: { nodeSelector: { c: "d" } } }));
      const { matchExpressions } = exists("a");
      const narrower = { matchExpressions: [...matchExpressions, ...exists("z").matchExpressions] };
      await accepted(pods.strategic("/a", { spec: onNodes(narrower) }));
      const near = {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: "zone", labelSelector: {} },
        ],
      };
      const [, why] = await refused(
        pods.merge("/a", { spec: { affinity: { podAffinity: near } } }),
      );
      assert.match(why, /pod updates may not change fields other than/);
      const held = { ...pod("b").spec, schedulingGates: [{ name: "x.io/wait" }], nodeName: "n" };
      assert.deepEqual(await refused(pods.post("", { metadata: { name: "b" }, spec: held })), [
        422,
        'Pod "b" is invalid: spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared',
      ]);
    },
  },
  {
    id: "pod-ephemeral-containers",
    name: "an ephemeral container must not have ports or probes; the subresource changes nothing else",
    async run(context) {
      const pods = await made(context);
      const put = (one: object) => ({ spec: { ephemeralContainers: [{ image: "i", ...one }] } });
      const field = "spec.ephemeralContainers[0]";
      const not = "Forbidden: cannot be set for an Ephemeral Container";
      await refuses(pods, [
        ["/ephemeralcontainers", put({ name: "main" }), `${field}.name: Duplicate value: "main"`],
        [
          "/ephemeralcontainers",
          put({ name: "e", targetContainerName: "x" }),
          `${field}.targetContainerName: Not found: "x"`,
        ],
        [
          "/ephemeralcontainers",
          put({
            name: "e",
            ports: [{ containerPort: 80 }],
            livenessProbe: { exec: { command: ["x"] } },
          }),
          `[${field}.ports: ${not}, ${field}.livenessProbe: ${not}]`,
        ],
      ]);
      const more = { metadata: { labels: { l: "1" } }, ...put({ name: "e" }) };
      const changed = await accepted<Pod>(pods.strategic("/a/ephemeralcontainers", more));
      assert.deepEqual(
        changed.spec?.ephemeralContainers?.map(({ name }) => name),
        ["e"],
      );
      assert.equal(changed.metadata?.labels, undefined);
    },
  },
  {
    id: "pod-resize",
    name: "a resize changes CPU and memory, keeps the QoS class, and changes nothing else",
    async run(context) {
      const requests = { cpu: "1", memory: "1Gi" };
      const pods = await made(context, { containers: [{ ...container, resources: { requests } }] });
      const size = (resources: object) => ({
        spec: { containers: [{ name: container.name, resources }] },
      });
      await refuses(pods, [
        [
          "/resize",
          size({ limits: { cpu: "500m" } }),
          'spec.containers[0].resources.requests: Invalid value: "1": must be less than or equal to cpu limit of 500m',
        ],
        [
          "/resize",
          size({ requests: { "ephemeral-storage": "1Gi" } }),
          "spec: Forbidden: only cpu and memory resources are mutable",
        ],
        [
          "/resize",
          size({ limits: requests }),
          'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
        ],
      ]);
      const resized = await accepted<Pod>(
        pods.strategic("/a/resize", {
          metadata: { labels: { l: "1" } },
          spec: {
            containers: [
              { name: container.name, image: "other", resources: { requests: { cpu: "2" } } },
            ],
          },
        }),
      );
      const [only] = resized.spec?.containers ?? [];
      assert.deepEqual(only?.resources?.requests, { cpu: "2", memory: "1Gi" });
      assert.deepEqual([only?.image, resized.metadata?.labels], [container.image, undefined]);
    },
  },
  {
    id: "pod-status-rules",
    name: "addresses in a pod status must be valid, the QoS class is immutable, and a terminated container stays terminated",
    async run(context) {
      const pods = await made(context, { restartPolicy: "Never", nodeName: "n" });
      const state = (what: object) => ({
        containerStatuses: [
          { name: "main", image: "i", imageID: "", ready: false, restartCount: 0, state: what },
        ],
      });
      const ended = state({ terminated: { exitCode: 0 } });
      await accepted(pods.merge("/a/status", { status: ended }));
      await refuses(pods, [
        [
          "/status",
          { status: { podIP: "bad" } },
          'status.podIPs[0]: Invalid value: "bad": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        ],
        [
          "/status",
          { status: { podIPs: [{ ip: "192.0.2.1" }, { ip: "192.0.2.2" }] } },
          'status.podIPs: Invalid value: [{"IP":"192.0.2.1"},{"IP":"192.0.2.2"}]: may specify no more than one IP for each IP family',
        ],
        [
          "/status",
          { status: { hostIP: "192.0.2.1", hostIPs: [{ ip: "192.0.2.2" }] } },
          'status.hostIPs[0].ip: Invalid value: "192.0.2.2": must be equal to `hostIP`',
        ],
        [
          "/status",
          { status: { qosClass: "Guaranteed" } },
          'status.qosClass: Invalid value: "Guaranteed": field is immutable',
        ],
        [
          "/status",
          { status: { nominatedNodeName: "n" } },
          "status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node",
        ],
        [
          "/status",
          { status: { ...state({ running: {}, terminated: null }) } },
          "status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state",
        ],
      ]);
      const addresses = {
        hostIP: "192.0.2.9",
        podIPs: [{ ip: "192.0.2.1" }, { ip: "2001:db8::1" }],
      };
      const { status } = await accepted<Pod>(
        pods.merge("/a/status", { status: { ...addresses, qosClass: null } }),
      );
      assert.deepEqual(
        [status?.podIP, status?.hostIPs, status?.qosClass],
        ["192.0.2.1", undefined, "BestEffort"],
      );
    },
  },
  {
    id: "pod-grace-negative",
    name: "a negative grace period becomes one second",
    async run(context) {
      const pods = await made(context, { terminationGracePeriodSeconds: -5 });
      const { spec } = await accepted<Pod>(pods.get("/a"));
      assert.equal(spec?.terminationGracePeriodSeconds, 1);
    },
  },
];
