import assert from "node:assert/strict";
import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap, PodTemplate, Service } from "@typekube/api/core/v1";
import { extract, mergePatch } from "@typekube/client";
import { seededRandom } from "@typekube/test-support/seeded-random";
import type { ConformanceCase } from "../conformance-case.js";
import { configMap, deployment } from "../support/objects.js";
import { randomPodTemplate } from "../support/random-pod-templates.js";
import { widgetsIn } from "../support/widgets.js";

const m1 = { fieldManager: "m1" };
const m2 = { fieldManager: "m2" };

/** Cases for extracting a manager's applied fields from managedFields, changing them and applying them again. */
export const extractApplied: readonly ConformanceCase[] = [
  {
    id: "extract-built-in",
    name: "extract returns the applied fields, without defaults and fields of other managers",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      const labels = { app: "a", "app.kubernetes.io/name": "a" };
      const applied = {
        metadata: { name: "a", labels, annotations: { "x.io/note": "n" }, finalizers: ["x.io/f"] },
        spec: {
          selector: { matchLabels: labels },
          strategy: { type: "Recreate" },
          template: {
            metadata: { labels },
            spec: {
              containers: [
                {
                  name: "web",
                  image: "registry.k8s.io/pause:3.10",
                  command: ["run", "walk"],
                  env: [
                    { name: "B", value: "1" },
                    { name: "A", value: "2" },
                  ],
                  ports: [
                    { containerPort: 53, protocol: "UDP" },
                    { containerPort: 53, protocol: "TCP" },
                  ],
                  resources: { requests: { cpu: "100m" } },
                },
              ],
              tolerations: [{ key: "t", operator: "Exists" }],
              volumes: [{ name: "v", emptyDir: {} }],
            },
          },
        },
      } as const;
      await deployments.apply(applied as never, m1);
      await deployments.apply(
        {
          metadata: { name: "a", labels: { theirs: "1" } },
          spec: {
            template: { spec: { containers: [{ name: "log", image: "registry.k8s.io/log:1" }] } },
          },
        } as never,
        m2,
      );
      await deployments.patch("a", mergePatch({ spec: { replicas: 3 } }), {
        fieldManager: "scaler",
      });
      const live = await deployments.get("a");
      assert.deepEqual(await extract(live, "m1"), {
        apiVersion: "apps/v1",
        kind: "Deployment",
        ...applied,
        metadata: { ...applied.metadata, namespace },
      });
      assert.deepEqual(await extract(live, "m2"), {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "a", namespace, labels: { theirs: "1" } },
        spec: {
          template: { spec: { containers: [{ name: "log", image: "registry.k8s.io/log:1" }] } },
        },
      });
      // Fields that were updated, not applied, are not extracted.
      assert.deepEqual(await extract(live, "scaler"), {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "a", namespace },
      });
    },
  },
  {
    id: "extract-apply",
    name: "applying a changed extract removes the dropped fields, keeps the rest, and extracts equally again",
    async run({ client, namespace }) {
      const services = client.resource(Service, namespace);
      const port = (name: string, number: number) => ({ name, port: number, protocol: "TCP" });
      await services.apply(
        {
          metadata: { name: "a", labels: { one: "1", two: "2" } },
          spec: { selector: { app: "a" }, ports: [port("web", 80), port("log", 90)] },
        } as never,
        m1,
      );
      const live = await services.get("a");
      const unchanged = await extract(live, "m1");
      const same = await services.apply(unchanged, m1);
      assert.equal(same.metadata.resourceVersion, live.metadata.resourceVersion);

      const changed = await extract(live, "m1");
      changed.metadata = { name: "a", labels: { one: "changed" } };
      changed.spec = { ...changed.spec, ports: [{ name: "web", port: 80, protocol: "TCP" }] };
      const applied = await services.apply(changed, m1);
      assert.deepEqual(applied.metadata.labels, { one: "changed" });
      assert.deepEqual(
        applied.spec?.ports?.map(({ name }) => name),
        ["web"],
      );
      assert.deepEqual(applied.spec?.selector, { app: "a" });
      assert.deepEqual(await extract(applied, "m1"), {
        ...changed,
        metadata: { ...changed.metadata, namespace },
      });
    },
  },
  {
    id: "extract-custom",
    name: "extract of a custom resource derives the structure from the field sets",
    async run({ client, namespace }) {
      const widgets = widgetsIn(client, namespace);
      const mine = {
        metadata: { name: "a", labels: { mine: "1" } },
        spec: { map: { one: 1, deep: { a: "b" } }, list: [1, { x: 2 }], text: "t" },
      };
      await widgets.apply(mine, m1);
      await widgets.apply({ metadata: { name: "a" }, spec: { map: { two: 2 } } }, m2);
      const live = await widgets.get("a");
      const extracted = await extract(live, "m1");
      const { apiVersion, kind } = live;
      assert.deepEqual(extracted, {
        apiVersion,
        kind,
        ...mine,
        metadata: { ...mine.metadata, namespace },
      });
      assert.deepEqual((await extract(live, "m2"))["spec"], { map: { two: 2 } });
      const applied = await widgets.apply(
        { ...extracted, spec: { ...mine.spec, map: { one: 1 } } },
        m1,
      );
      assert.deepEqual(applied["spec"], { ...mine.spec, map: { one: 1, two: 2 } });
    },
  },
  {
    id: "extract-empty-map",
    name: "extract returns an owned map empty if other managers own its keys",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.apply({ metadata: { name: "a" }, data: {} }, m1);
      await configMaps.apply(configMap("a", { theirs: "1" }), { ...m2, force: true });
      const live = await configMaps.get("a");
      const { data = {} } = await extract(live, "m1");
      assert.deepEqual(data, {});
      const widgets = widgetsIn(client, namespace);
      await widgets.apply({ metadata: { name: "a" }, spec: { map: {} } }, m1);
      await widgets.apply({ metadata: { name: "a" }, spec: { map: { k: 1 } } }, m2);
      const widget = await extract(await widgets.get("a"), "m1");
      assert.deepEqual(widget["spec"] ?? { map: {} }, { map: {} });
    },
  },
  {
    id: "extract-status",
    name: "extract with a subresource returns the applied status",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      await deployments.apply(deployment("a", 2), m1);
      const status = {
        observedGeneration: 1,
        conditions: [{ type: "Available", status: "True", reason: "r", message: "m" }],
      };
      await deployments.status.apply("a", { metadata: { name: "a" }, status } as never, m1);
      const live = await deployments.get("a");
      const extracted = await extract(live, "m1", { subresource: "status" });
      assert.deepEqual(extracted, {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "a", namespace },
        status,
      });
      assert.equal((await extract(live, "m1")).status, undefined);
      const again = await deployments.status.apply("a", extracted, m1);
      assert.equal(again.metadata?.resourceVersion, live.metadata.resourceVersion);
    },
  },
  {
    id: "extract-random",
    name: "applying an extract of any applied object changes nothing and loses nothing",
    async run({ client, namespace }) {
      const templates = client.resource(PodTemplate, namespace);
      const random = seededRandom(5);
      for (let round = 0; round < 20; round++) {
        const name = `random-${round}`;
        const template = () => withoutEmpty(randomPodTemplate(name, random, ["TCP", "UDP"]));
        await templates.apply(template() as never, m1);
        const { finalizers: _, ...metadata } = template().metadata ?? {};
        await templates.apply({ metadata } as never, { ...m2, force: true });
        const live = await templates.get(name);
        for (const options of [m1, m2]) {
          const part = await extract(live, options.fieldManager);
          const again = await templates.apply(part, options);
          assert.deepEqual(again, live, `${options.fieldManager} in round ${round}`);
        }
        assert.equal((await extract(live, "m2")).template, undefined);
      }
    },
  },
];

/**
 * Removes empty lists and maps. The server drops them except for their ownership, so the object does not show that they
 * were applied.
 */
function withoutEmpty(template: PodTemplate): PodTemplate {
  const isEmpty = (key: string, value: unknown) =>
    key !== "emptyDir" &&
    typeof value === "object" &&
    value !== null &&
    Object.keys(value).length === 0;
  const text = JSON.stringify(template, (key, value: unknown) =>
    isEmpty(key, value) ? undefined : value,
  );
  return JSON.parse(text) as PodTemplate;
}
