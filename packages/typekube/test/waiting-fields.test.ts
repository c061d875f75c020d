import { type ApiServer, startApiServer, type VirtualClock } from "@typekube/apiserver";
import {
  type Client,
  conditions,
  defineResource,
  type Encoding,
  type KubeObject,
  mergePatch,
} from "typekube";
import { DaemonSet, Deployment, StatefulSet } from "typekube/api/apps/v1";
import { Job } from "typekube/api/batch/v1";
import { ConfigMap, Node, Pod } from "typekube/api/core/v1";
import { describe, expect, test } from "vitest";

const encodings: readonly Encoding[] = ["json", "protobuf", "cbor"];
const containers = [{ name: "c", image: "i" }];
const template = { metadata: { labels: { a: "b" } }, spec: { containers } };
const selector = { matchLabels: { a: "b" } };
const met = [{ type: "Ready", status: "True" }];

async function withClient(
  use: (client: Client, api: ApiServer<VirtualClock>) => Promise<void>,
): Promise<void> {
  await using api = await startApiServer({
    clock: "virtual",
    resources: [widgets],
  });
  await using client = await api.client();
  await use(client, api);
}

const widgets = defineResource({ group: "example.com", version: "v1", kind: "Widget" });

describe.each(encodings)("waitFor of a resource client keeps fields, read as %s", (encoding) => {
  test("the condition sees them and what identifies the object, and nothing else", () =>
    withClient(async (client) => {
      const pods = client.resource(Pod, "default");
      const seen: unknown[] = [];
      const waiting = pods.waitFor(
        "a",
        (pod) => {
          seen.push(pod && [Object.keys(pod).sort(), Object.keys(pod.spec ?? {})]);
          return pod?.spec?.nodeName === "n";
        },
        { fields: ["spec.nodeName"], encoding },
      );
      await pods.create({ metadata: { name: "a" }, spec: { containers, nodeName: "n" } });
      const pod = await waiting;
      expect(pod?.spec).toEqual({ nodeName: "n" });
      expect(Object.keys(pod ?? {}).sort()).toEqual(["apiVersion", "kind", "metadata", "spec"]);
      expect(seen.at(-1)).toEqual([["apiVersion", "kind", "metadata", "spec"], ["nodeName"]]);
      await expect(pods.update(pod as never)).rejects.toThrow(/read with `fields`/);
    }));

  test("a condition of `conditions` reads its own fields too, of kinds that lack some of them", () =>
    withClient(async (client) => {
      const options = { fields: ["metadata.labels"], encoding, timeoutMs: 600_000 } as const;
      const nodes = client.resource(Node);
      await nodes.create({ metadata: { name: "n" } });
      await nodes.status.apply("n", { status: { conditions: met as never } });
      const node = await nodes.waitFor("n", conditions.ready(), options);
      expect(node?.metadata.name).toBe("n");

      const pods = client.resource(Pod, "default");
      await pods.create({
        metadata: { name: "a", finalizers: ["x.io/f"] },
        spec: {
          containers: [
            { ...(containers[0] as (typeof containers)[number]), ports: [{ containerPort: 80 }] },
          ],
        },
      });
      await pods.status.apply("a", { status: { phase: "Running", conditions: met as never } });
      await pods.waitFor("a", conditions.ready(), options);
      await pods.waitFor("a", conditions.exists(), options);
      await pods.waitFor("a", conditions.jsonPath(".status.phase", "Running"), options);
      for (const path of [
        '.status.conditions[?(@.type=="Ready")].status',
        "{.status['conditions'][0].status}",
      ]) {
        await pods.waitFor("a", conditions.jsonPath(path, "True"), options);
      }
      await pods.waitFor(
        "a",
        conditions.jsonPath(".spec.containers[0].ports[-1].containerPort", 80),
        options,
      );

      const jobs = client.resource(Job, "default");
      await jobs.create({
        metadata: { name: "j" },
        spec: { template: { spec: { containers, restartPolicy: "Never" } } },
      });
      const failed = [
        { type: "FailureTarget", status: "True" },
        { type: "Failed", status: "True" },
      ];
      await jobs.status.apply("j", {
        status: { conditions: failed as never, startTime: "2030-01-01T00:00:00Z" },
      });
      await jobs.waitFor("j", conditions.failed(), options);
      await expect(jobs.waitFor("j", conditions.complete(), options)).rejects.toMatchObject({
        code: "NeverMet",
      });

      const maps = client.resource(ConfigMap, "default");
      await maps.create({ metadata: { name: "m" }, data: { "a.b": "c" } });
      const map = await maps.waitFor("m", conditions.jsonPath(".data['a.b']", "c"), options);
      expect(map?.metadata.name).toBe("m");
    }));

  test("rolledOut reads what decides about a rollout", () =>
    withClient(async (client) => {
      const options = { fields: ["metadata.labels"], encoding } as const;
      const metadata = { name: "w" };
      const status = { observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1 };
      const deployments = client.resource(Deployment, "default");
      await deployments.create({ metadata, spec: { replicas: 1, selector, template } });
      await deployments.status.apply("w", { status: { ...status, availableReplicas: 1 } });
      expect((await deployments.waitFor("w", conditions.rolledOut(), options))?.kind).toBe(
        "Deployment",
      );

      const sets = client.resource(StatefulSet, "default");
      await sets.create({
        metadata,
        spec: { replicas: 1, selector, template, serviceName: "s" },
      });
      const revisions = { currentRevision: "r", updateRevision: "r" };
      await sets.status.apply("w", { status: { ...status, ...revisions } });
      await sets.waitFor("w", conditions.rolledOut(), options);
      await sets.create({
        metadata: { name: "x" },
        spec: { selector, template, serviceName: "s", updateStrategy: { type: "OnDelete" } },
      });
      await sets.status.apply("x", { status: { ...status, ...revisions } });
      await expect(sets.waitFor("x", conditions.rolledOut(), options)).rejects.toThrow(/OnDelete/);

      const daemons = client.resource(DaemonSet, "default");
      await daemons.create({ metadata, spec: { selector, template } });
      const counts = { currentNumberScheduled: 1, numberMisscheduled: 0, numberReady: 1 };
      await daemons.status.apply("w", {
        status: {
          ...counts,
          observedGeneration: 1,
          desiredNumberScheduled: 1,
          updatedNumberScheduled: 1,
          numberAvailable: 1,
        },
      });
      await daemons.waitFor("w", conditions.rolledOut(), options);
    }));
});

test("a wait for a deletion names the finalizers, although its caller keeps other fields", () =>
  withClient(async (client, api) => {
    const maps = client.resource(ConfigMap, "default");
    await maps.create({ metadata: { name: "m", finalizers: ["x.io/f"] } });
    await maps.delete("m");
    const waiting = maps
      .waitFor("m", conditions.deleted(), { fields: ["data"], timeoutMs: 1_000 })
      .catch((error: unknown) => error);
    await api.clock.advance(1_000);
    expect(await waiting).toMatchObject({
      code: "DeadlineExceeded",
      message: expect.stringContaining("finalizers x.io/f"),
    });
  }));

test("the fields of a condition that a program describes are read", () =>
  withClient(async (client) => {
    const maps = client.resource(ConfigMap, "default");
    await maps.create({ metadata: { name: "m" }, data: { a: "1", b: "2" } });
    const holds = (map: KubeObject | undefined) =>
      (map as ConfigMap | undefined)?.data?.["a"] === "1";
    const described = (fields?: readonly string[]) =>
      Object.assign(holds.bind(null), { description: "a=1", seen: () => "another a", fields });
    await maps.waitFor("m", described(['data["a"]']), { fields: ["metadata.labels"] });
    await expect(
      maps.waitFor("m", described(["data..a"]), { fields: ["metadata.labels"] }),
    ).rejects.toThrow(/"data\.\.a" is not a path/);
  }));

test("a wrong path of the caller is refused, with any condition, before anything is sent", () =>
  withClient(async (client) => {
    const wrong = { fields: ["spec.nodName"] as unknown as ["spec.nodeName"] };
    for (const condition of [conditions.ready(), conditions.exists(), () => true]) {
      await expect(
        client.resource(Pod, "default").waitFor("a", condition, wrong),
      ).rejects.toMatchObject({ code: "InvalidArgument", hint: 'did you mean "spec.nodeName"?' });
    }
    const dynamic = client.resource({ apiVersion: "v1", kind: "Pod" }, "default");
    await expect(dynamic.waitFor("a", conditions.ready(), wrong)).rejects.toThrow(/spec\.nodName/);
  }));

test("kinds that are not built in take any path and any condition", () =>
  withClient(async (client) => {
    const objects = client.resource({ apiVersion: "example.com/v1", kind: "Widget" }, "default");
    await objects.create({ metadata: { name: "w" }, spec: { size: 1, other: 2 } });
    await objects.status.patch("w", mergePatch({ status: { conditions: met } }));
    const widget = await objects.waitFor("w", conditions.ready(), { fields: ["spec.size"] });
    expect((widget as { spec?: unknown }).spec).toEqual({ size: 1 });
  }));
