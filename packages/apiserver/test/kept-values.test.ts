import { call, mergePatch } from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";

const containers = [{ name: "c", image: "i" }];
const template = (labels: object, spec: object = {}) => ({
  metadata: { labels },
  spec: {
    containers,
    dnsPolicy: "ClusterFirst",
    restartPolicy: "Always",
    schedulerName: "default-scheduler",
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    ...spec,
  },
});
const policy = (cidr: string) => ({
  podSelector: {},
  policyTypes: ["Ingress"],
  ingress: [{ from: [{ ipBlock: { cidr } }] }],
});
const spread = {
  maxSkew: 1,
  topologyKey: "zone",
  whenUnsatisfiable: "DoNotSchedule",
  labelSelector: { matchLabels: { a: "x/y" } },
};

/** Objects that are no longer accepted: path and kind, their content, and a change that makes them worse. */
const kept = {
  "a StatefulSet whose pods have no containers": [
    "/apis/apps/v1/namespaces/default/statefulsets",
    "StatefulSet",
    {
      spec: {
        serviceName: "No Name",
        podManagementPolicy: "OrderedReady",
        updateStrategy: { type: "RollingUpdate" },
        selector: { matchLabels: { a: "b" } },
        template: template({ a: "b" }, { containers: [] }),
      },
    },
    { spec: { template: template({ a: "b", c: "d" }, { containers: [] }) } },
  ],
  "a CronJob in a zone that nobody knows": [
    "/apis/batch/v1/namespaces/default/cronjobs",
    "CronJob",
    {
      spec: {
        schedule: "* * * * *",
        timeZone: "Atlantis",
        concurrencyPolicy: "Allow",
        jobTemplate: { spec: { template: template({}, { restartPolicy: "Never" }) } },
      },
    },
    { spec: { timeZone: "Avalon" } },
  ],
  "an Ingress with a secret of no name": [
    "/apis/networking.k8s.io/v1/namespaces/default/ingresses",
    "Ingress",
    {
      spec: {
        defaultBackend: { service: { name: "s", port: { number: 80 } } },
        tls: [{ secretName: "No_Name" }],
      },
    },
    { spec: { tls: [{ hosts: ["No_Name"] }] } },
  ],
  "a NetworkPolicy with an invalid range": [
    "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies",
    "NetworkPolicy",
    { spec: policy("10.0.0.0/08") },
    { spec: policy("10.0.0.0/09") },
  ],
  "an autoscaler of a kind without a group": [
    "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers",
    "HorizontalPodAutoscaler",
    { spec: { maxReplicas: 1, scaleTargetRef: { kind: "Deployment", name: "d" } } },
    { spec: { maxReplicas: 0 } },
  ],
  "an EndpointSlice with a host of no name": [
    "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
    "EndpointSlice",
    {
      addressType: "IPv4",
      ports: [],
      endpoints: [{ addresses: ["1.2.3.4"], hostname: "No_Name", conditions: {} }],
    },
    { endpoints: [{ addresses: ["1.2.3.5"], hostname: "No_Name" }] },
  ],
  "a Deployment whose pods are spread by labels that are none": [
    "/apis/apps/v1/namespaces/default/deployments",
    "Deployment",
    {
      spec: {
        replicas: 1,
        strategy: { type: "Recreate" },
        selector: { matchLabels: { a: "b" } },
        template: template({ a: "b" }, { topologySpreadConstraints: [spread] }),
      },
    },
    { spec: { replicas: -1 } },
  ],
} as const;

describe("an update may keep invalid values, but not add any", () => {
  test.each(Object.entries(kept))(
    "an update keeps the invalid values of a %s and rejects new ones",
    async (_, [path, kind, object, worse]) => {
      await using api = await startApiServer({ version: "1.37" });
      const apiVersion = path.split("/").slice(2, 4).join("/");
      await api.load([{ apiVersion, kind, metadata: { name: "a", uid: "u1" }, ...object }]);
      const made = await call(api, "POST", path, { metadata: { name: "b" }, ...object });
      expect(made.status).toBe(422);
      const patch = (body: object) => call(api, "PATCH", `${path}/a`, body, mergePatch);
      const finalizers = ["example.com/f"];
      expect((await patch({ metadata: { finalizers } })).body.metadata.finalizers).toEqual(
        finalizers,
      );
      expect((await patch(worse)).status).toBe(422);
    },
  );
});
