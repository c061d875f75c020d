import assert from "node:assert/strict";
import { ConfigMap, Pod, Secret } from "@typekube/api/core/v1";
import type { ConformanceCase } from "../conformance-case.js";
import { expectFailure } from "../support/expect-failure.js";
import { configMap, createConfigMaps, namesOf, pod } from "../support/objects.js";
import { expectRefusal } from "../support/raw-request.js";
import { widgetsIn } from "../support/widgets.js";

const labelCases: readonly (readonly [selector: string, expected: readonly string[]])[] = [
  ["tier=gold", ["a"]],
  ["tier==gold", ["a"]],
  ["tier!=gold", ["b", "c"]],
  ["tier in (gold, silver)", ["a", "b"]],
  ["tier notin (gold, silver)", ["c"]],
  ["tier", ["a", "b"]],
  ["!tier", ["c"]],
  ["tier,app=web", ["a"]],
  ["size>1", ["b"]],
  ["size<2", ["a"]],
  ["app=", ["c"]],
  ["nothing=here", []],
];

/** Cases for the objects that a list selects. */
export const selectors: readonly ConformanceCase[] = [
  ...labelCases.map(
    ([labelSelector, expected], index): ConformanceCase => ({
      id: `labels-${index}`,
      name: `label selector ${labelSelector}`,
      async run({ client, namespace }) {
        const configMaps = client.resource(ConfigMap, namespace);
        await configMaps.create(configMap("a", {}, { tier: "gold", app: "web", size: "1" }));
        await configMaps.create(configMap("b", {}, { tier: "silver", app: "db", size: "2" }));
        await configMaps.create(configMap("c", {}, { app: "" }));
        const { items } = await configMaps.list({ labelSelector });
        assert.deepEqual(namesOf(items), expected);
      },
    }),
  ),
  {
    id: "labels-object",
    name: "a label selector selects the same as an object and as a string",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await createConfigMaps(client, namespace, 4, (index) => ({ n: String(index), app: "web" }));
      const byLabels = await configMaps.list({ labelSelector: { app: "web", n: "1" } });
      assert.deepEqual(namesOf(byLabels.items), ["cm-01"]);
      const byExpressions = await configMaps.list({
        labelSelector: {
          matchLabels: { app: "web" },
          matchExpressions: [{ key: "n", operator: "NotIn", values: ["0", "3"] }],
        },
      });
      assert.deepEqual(namesOf(byExpressions.items), ["cm-01", "cm-02"]);
    },
  },
  {
    id: "labels-bad",
    name: "an invalid label selector responds with BadRequest",
    async run(context) {
      await expectRefusal(
        context,
        { path: `/api/v1/namespaces/${context.namespace}/configmaps?labelSelector=a%20b%20c` },
        { code: 400, reason: "BadRequest", message: /unable to parse requirement|found 'b'/ },
      );
    },
  },
  {
    id: "fields-name",
    name: "a field selector selects by name and namespace",
    async run({ client, namespace }) {
      await createConfigMaps(client, namespace, 3);
      const everywhere = client.resource(ConfigMap);
      const fieldSelector = { "metadata.name": "cm-01", "metadata.namespace": namespace };
      assert.deepEqual(namesOf((await everywhere.list({ fieldSelector })).items), ["cm-01"]);
      const others = await client
        .resource(ConfigMap, namespace)
        .list({ fieldSelector: "metadata.name!=cm-01" });
      assert.deepEqual(namesOf(others.items), ["cm-00", "cm-02"]);
    },
  },
  {
    id: "fields-pod",
    name: "a field selector selects pods by node and phase",
    async run({ client, namespace }) {
      const pods = client.resource(Pod, namespace);
      await pods.create(pod("loose"));
      await pods.create({
        ...pod("bound"),
        spec: { ...pod("bound").spec, nodeName: "n1", containers: pod("x").spec?.containers ?? [] },
      });
      const names = async (fieldSelector: string) =>
        namesOf((await pods.list({ fieldSelector })).items);
      assert.deepEqual(await names("spec.nodeName=n1"), ["bound"]);
      assert.deepEqual(await names("spec.nodeName="), ["loose"]);
      assert.deepEqual(await names("status.phase=Pending"), ["bound", "loose"]);
      assert.deepEqual(await names("status.phase=Running"), []);
      assert.deepEqual(await names("status.phase!=Running,spec.nodeName=n1"), ["bound"]);
    },
  },
  {
    id: "fields-secret-type",
    name: "a field selector selects Secrets by type",
    async run({ client, namespace }) {
      const secrets = client.resource(Secret, namespace);
      await secrets.create({ metadata: { name: "a" }, type: "Opaque" });
      await secrets.create({ metadata: { name: "b" }, type: "example.com/other" });
      const { items } = await secrets.list({ fieldSelector: "type=example.com/other" });
      assert.deepEqual(namesOf(items), ["b"]);
    },
  },
  {
    id: "fields-unsupported",
    name: "a field selector with an unsupported field responds with BadRequest",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await expectFailure(configMaps.list({ fieldSelector: "data.k=v" }), {
        code: 400,
        reason: "BadRequest",
        message:
          /"data\.k" is not a known field selector: only "metadata\.name", "metadata\.namespace"/,
      });
    },
  },
  {
    id: "fields-unsupported-pod",
    name: "the error for an unsupported field of a pod names the field",
    async run({ client, namespace }) {
      const pods = client.resource(Pod, namespace);
      await expectFailure(pods.list({ fieldSelector: "spec.hostname=x" }), {
        code: 400,
        reason: "BadRequest",
        message: /field label not supported: spec\.hostname/,
      });
    },
  },
  {
    id: "fields-custom",
    name: "custom resources without selectableFields support field selectors for the name only",
    async run({ client, namespace }) {
      const widgets = widgetsIn(client, namespace);
      await widgets.create({ metadata: { name: "a" } });
      await widgets.create({ metadata: { name: "b" } });
      const { items } = await widgets.list({ fieldSelector: "metadata.name=b" });
      assert.deepEqual(namesOf(items), ["b"]);
      await expectFailure(widgets.list({ fieldSelector: "spec.x=y" }), {
        code: 400,
        reason: "BadRequest",
        message: /field label not supported: spec\.x/,
      });
    },
  },
];
