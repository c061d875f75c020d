import type { Live } from "@typekube/api";
import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap, Node, Pod, Secret } from "@typekube/api/core/v1";
import { type Client, mergePatch } from "typekube";
import {
  anyOf,
  type Controller,
  defineController,
  defineKeyController,
  generationChanged,
  keepFields,
  labelsChanged,
  rbacOf,
} from "typekube/controller";
import { expectTypeOf, test } from "vitest";

declare const client: Client;
const pods = keepFields(Pod, ["metadata.labels", "spec.nodeName", "status.phase"]);

test("fields: the paths of a kind that a controller keeps are checked", () => {
  // @ts-expect-error no such field
  keepFields(Pod, ["spec.nodName"]);
  // @ts-expect-error a list needs no index
  keepFields(Pod, ["spec.containers[0].image"]);
  const wide: string[] = ["spec"];
  // @ts-expect-error the compiler cannot know which fields are there
  keepFields(Pod, wide);
  // @ts-expect-error not a kind
  keepFields("Pod", ["spec"]);
  keepFields({ apiVersion: "example.com/v1", kind: "Shop" }, ["spec.anything"]);
  // @ts-expect-error a known kind, named by its apiVersion and kind
  keepFields({ apiVersion: "v1", kind: "Pod" }, ["spec.nodName"]);
});

test("fields: a reconciler sees the fields that its own kind keeps, and no other", () => {
  const nodes = defineController(pods, {
    when: anyOf(generationChanged, labelsChanged),
    pauseWhen: (pod) => pod.metadata.labels?.["paused"] === "yes",
    reconcile(pod, run) {
      expectTypeOf(pod.spec?.nodeName).toEqualTypeOf<string | undefined>();
      expectTypeOf(pod.metadata.name).toEqualTypeOf<string>();
      expectTypeOf(pod.metadata.labels).toEqualTypeOf<Record<string, string> | undefined>();
      // @ts-expect-error the containers are not kept
      pod.spec?.containers;
      // @ts-expect-error the annotations are not kept
      pod.metadata.annotations;
      run.events.normal(pod, "Seen", "it is there");
      return { status: { message: "of the whole status" } };
    },
  });
  expectTypeOf(nodes).toExtend<Controller>();
  rbacOf([nodes]);
  defineController(pods, {
    when: (pod, previous) => pod.spec?.nodeName !== previous?.spec?.nodeName,
    // @ts-expect-error the annotations are not kept
    pauseWhen: (pod) => pod.metadata.annotations?.["a"] === "b",
    reconcile() {},
  });
  defineController(
    { kind: pods, namespaces: ["prod"], unchanged: "deliver" },
    {
      reconcile(pod) {
        expectTypeOf(pod.status?.phase).not.toBeNever();
        // @ts-expect-error the IP is not kept
        pod.status?.podIP;
      },
      finalize(pod) {
        // @ts-expect-error the containers are not kept
        pod.spec?.containers;
      },
    },
  );
});

test("fields: reads of a run have the fields of the kind as it was declared", () => {
  const configs = keepFields(ConfigMap, ["data"]);
  const webs = keepFields(Deployment, ["status.readyReplicas"]);
  defineController(Node, {
    owns: [webs],
    watches: [
      { kind: pods, map: (pod) => (pod.spec?.nodeName ? [pod.spec.nodeName] : []) },
      {
        kind: { kind: configs, namespaces: ["prod"] },
        by: (node) => [`prod/${node.metadata.name}`],
      },
    ],
    reads: [Secret],
    async reconcile(_node, run) {
      const pod = run.get(pods, "a/b");
      expectTypeOf(pod?.spec?.nodeName).toEqualTypeOf<string | undefined>();
      // @ts-expect-error the containers are not kept
      pod?.spec?.containers;
      // @ts-expect-error the IP is not kept
      run.list(pods, { namespace: "*" })[0]?.status?.podIP;
      expectTypeOf(run.get(configs, "a")?.data).toEqualTypeOf<Record<string, string> | undefined>();
      expectTypeOf(run.get(Secret, "a")).toEqualTypeOf<Live<Secret> | undefined>();
      // @ts-expect-error declared with some fields only
      run.get(Pod, "a");
      // @ts-expect-error not declared with these fields
      run.get(keepFields(Pod, ["spec.containers"]), "a");
      run.get(keepFields(Pod, ["spec.nodeName"]), "a");
      expectTypeOf(await run.live.get(pods, "a")).toEqualTypeOf<Live<Pod> | undefined>();
      const web = await run.apply(webs, {
        metadata: { name: "web" },
        spec: { replicas: 3, selector: {}, template: {} },
      });
      expectTypeOf(web.status?.readyReplicas).toEqualTypeOf<number | undefined>();
      // @ts-expect-error the spec is not kept
      web.spec;
    },
  });
  defineController(Node, {
    watches: [
      {
        kind: pods,
        // @ts-expect-error the containers are not kept
        map: (pod) => pod.spec?.containers.map(({ name }) => name),
      },
    ],
    reconcile() {},
  });
  defineKeyController(pods, { reconcileKey: (key, run) => void run.get(pods, key)?.status?.phase });
});

test("fields: a projected object is not written as a whole", () => {
  defineController(Node, {
    reads: [pods],
    async reconcile(_node, run) {
      const pod = run.get(pods, "a/b");
      const whole = await run.live.get(pods, "a/b");
      if (pod === undefined || whole === undefined) {
        return;
      }
      await run.update(pods, whole);
      // @ts-expect-error it would lose the other fields
      await run.update(pods, pod);
      // @ts-expect-error it would lose the other fields
      await run.update(pods, { ...pod });
      // @ts-expect-error it would lose the other fields
      await run.create(pods, pod);
      // @ts-expect-error it would lose the other fields
      await run.apply(pods, pod);
      // @ts-expect-error it would lose the other fields
      await client.resource(Pod, "a").update(pod);
      const { metadata } = pod;
      // @ts-expect-error it would lose the other metadata
      await run.update(pods, { metadata });
      // @ts-expect-error it would lose the other metadata
      await run.update(pods, { metadata: { ...metadata, labels: {} } });
      // @ts-expect-error it would lose the other metadata
      await run.create(pods, { metadata });
      // @ts-expect-error it would lose the other metadata
      await run.apply(pods, { metadata });
      await run.patch(pods, pod, mergePatch({ metadata }));
      await run.update(pods, { metadata: whole.metadata });
      await run.delete(pods, pod);
      await run.createOrUpdate(pods, "a", (draft) => {
        expectTypeOf(draft.spec?.containers[0]?.image).toEqualTypeOf<string | undefined>();
      });
    },
  });
});

test("fields: clients don't take a kind with some fields", () => {
  // @ts-expect-error a client has the option `fields`
  client.informer(pods);
  // @ts-expect-error a client has the option `fields`
  client.resource(pods, "a");
  // @ts-expect-error nor as a descriptor in the place of a kind
  void client.apply({ ...pods, metadata: { name: "a" } });
});

test("fields: a kind that is named in the declaration keeps its paths", () => {
  const controller = defineController(keepFields(Pod, ["spec.nodeName"]), {
    owns: [keepFields(ConfigMap, ["data"])],
    watches: [
      {
        kind: keepFields(Node, ["spec.unschedulable"]),
        map: (node) => (node.spec?.unschedulable ? [node.metadata.name] : []),
      },
    ],
    reconcile(pod, run) {
      expectTypeOf(pod.spec?.nodeName).toEqualTypeOf<string | undefined>();
      // @ts-expect-error the status is not kept
      pod.status;
      const data = run.get(keepFields(ConfigMap, ["data"]), "a")?.data;
      expectTypeOf(data).toEqualTypeOf<Record<string, string> | undefined>();
      // @ts-expect-error not declared with these fields
      run.get(keepFields(ConfigMap, ["binaryData"]), "a");
    },
  });
  expectTypeOf(controller).toExtend<Controller>();
  const narrowed = { kind: keepFields(Pod, ["spec.nodeName"]), namespaces: ["prod"] } as const;
  defineController(narrowed, {
    reconcile: (pod) => void expectTypeOf(pod.spec?.nodeName).toEqualTypeOf<string | undefined>(),
  });
});
