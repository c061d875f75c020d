import { ConfigMap, Node, Pod } from "@typekube/api/core/v1";
import { type ApiServer, startApiServer } from "@typekube/apiserver";
import {
  defineController,
  keepFields,
  labelsChanged,
  type Manager,
  startManager,
} from "@typekube/controller";
import { type Client, type Encoding, mergePatch } from "typekube";
import { expect, test } from "vitest";

const encodings: readonly Encoding[] = ["json", "protobuf", "cbor"];

const pod = (name: string, nodeName: string): Pod => ({
  metadata: { name, labels: { app: "web" }, annotations: { note: "x" } },
  spec: { nodeName, containers: [{ name: "main", image: "web:1" }] },
});

async function withNodes(use: (api: ApiServer, client: Client) => Promise<void>): Promise<void> {
  await using api = await startApiServer({ clock: "virtual", seed: 1 });
  await using client = await api.client();
  for (const name of ["node-1", "node-2"]) {
    await client.resource(Node).create({ metadata: { name } });
  }
  for (const [name, node] of [
    ["a", "node-1"],
    ["b", "node-1"],
    ["c", "node-2"],
  ] as const) {
    await client.resource(Pod, "default").create(pod(name, node));
  }
  await use(api, client);
}

const pods = keepFields(Pod, ["spec.nodeName", "status.phase"]);

/** Waits until no cache is behind the server and no run is going on. */
async function idle(api: ApiServer, manager: Manager): Promise<void> {
  await api.settled();
  await expect.poll(() => manager.busy).toEqual([]);
}

/** A controller of nodes that reads the pods of each, and what its runs saw. */
function nodesController(unchanged?: "deliver" | "skip") {
  const seen: string[] = [];
  const controller = defineController(Node, {
    when: labelsChanged,
    watches: [
      {
        kind: { kind: pods, ...(unchanged === undefined ? {} : { unchanged }) },
        map: ({ spec }) => (spec?.nodeName ? [spec.nodeName] : []),
      },
    ],
    reconcile({ metadata: { name } }, run) {
      const own = run
        .list(pods, { namespace: "*" })
        .filter(({ spec }) => spec?.nodeName === name)
        .map(({ metadata, status }) => `${metadata.name}:${status?.phase}`);
      seen.push(`${name} ${own.sort().join()}`);
    },
  });
  return { controller, seen };
}

test.each(encodings)(
  "fields: a change of a watched object outside of the kept fields causes no run, read as %s",
  (encoding) =>
    withNodes(async (api, client) => {
      const { controller, seen } = nodesController();
      await using manager = await startManager(client.with({ encoding }), {
        controllers: [controller],
        log() {},
      });
      await expect.poll(() => seen.length).toBe(2);
      await idle(api, manager);
      expect(seen.sort()).toEqual(["node-1 a:Pending,b:Pending", "node-2 c:Pending"]);
      const all = client.resource(Pod, "default");
      await all.patch("a", mergePatch({ metadata: { annotations: { note: "y" } } }));
      await all.status.patch("a", mergePatch({ status: { podIP: "10.0.0.1" } }));
      await idle(api, manager);
      await all.status.patch("c", mergePatch({ status: { phase: "Running" } }));
      await expect.poll(() => seen.length).toBe(3);
      await idle(api, manager);
      expect(seen.slice(2)).toEqual(["node-2 c:Running"]);
      const [cache] = manager.controller("node").caches.filter(({ kind }) => kind === "v1/Pod");
      expect(cache).toMatchObject({ fields: ["spec.nodeName", "status.phase"], addedFields: [] });
    }),
);

test("fields: with unchanged: deliver each change of a watched object causes a run", () =>
  withNodes(async (api, client) => {
    const { controller, seen } = nodesController("deliver");
    await using _manager = await startManager(client, { controllers: [controller], log() {} });
    await expect.poll(() => seen.length).toBe(2);
    await api.settled();
    const all = client.resource(Pod, "default");
    await all.patch("a", mergePatch({ metadata: { annotations: { note: "y" } } }));
    await expect.poll(() => seen.slice(2)).toEqual(["node-1 a:Pending,b:Pending"]);
  }));

test("fields: a cache has the kept fields and nothing else, and refuses what needs others", () =>
  withNodes(async (_api, client) => {
    const results: unknown[] = [];
    const errors: string[] = [];
    const wider = keepFields(Pod, ["spec.nodeName", "spec.containers"]);
    const controller = defineController(Node, {
      reads: [pods],
      async reconcile(node, run) {
        if (node.metadata.name !== "node-1") {
          return;
        }
        results.push(run.get(pods, "default/a"), (await run.live.get(pods, "default/a"))?.spec);
        results.push(run.get(keepFields(Pod, ["status.phase"]), "default/a"));
        const refused = [
          () => run.get(Pod as never, "default/a"),
          () => run.list(wider as never),
          () => run.list(pods, { labelSelector: "app=web" }),
          () => run.list(pods, { ownedBy: true }),
          () => run.update(pods, run.get(pods, "default/a") as never),
          () => run.create(pods, run.get(pods, "default/a") as never),
        ];
        for (const call of refused) {
          try {
            await call();
          } catch (error) {
            errors.push(String(error));
          }
        }
      },
    });
    await using _manager = await startManager(client, { controllers: [controller], log() {} });
    await expect.poll(() => errors.length).toBe(6);
    const { metadata } = await client.resource(Pod, "default").get("a");
    const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata;
    const kept = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
      spec: { nodeName: "node-1" },
      status: { phase: "Pending" },
    };
    expect(results).toEqual([
      kept,
      expect.objectContaining({ containers: [expect.objectContaining({ image: "web:1" })] }),
      kept,
    ]);
    expect(errors).toEqual([
      expect.stringMatching(
        /v1\/Pod keeps some fields only: spec.nodeName, status.phase.*run.live/s,
      ),
      expect.stringMatching(/does not keep all of spec.nodeName, spec.containers/),
      expect.stringMatching(/does not keep the labels.*add "metadata.labels"/s),
      expect.stringMatching(/does not keep the owners.*add "metadata.ownerReferences"/s),
      expect.stringMatching(/was read with `fields`/),
      expect.stringMatching(/was read with `fields`/),
    ]);
  }));

test("fields: two controllers of one kind share a watch of the union of their fields", () =>
  withNodes(async (api, client) => {
    const phases = keepFields(Pod, ["status.phase"]);
    const places = keepFields(Pod, ["spec.nodeName"]);
    const runs: string[] = [];
    const before = api.requests.length;
    await using manager = await startManager(client, {
      controllers: [
        defineController(phases, {
          name: "phases",
          reconcile: ({ metadata }) => void runs.push(`phases ${metadata.name}`),
        }),
        defineController(places, {
          name: "places",
          reconcile: ({ metadata }) => void runs.push(`places ${metadata.name}`),
        }),
      ],
      log() {},
    });
    await expect.poll(() => runs.length).toBe(6);
    await api.settled();
    const watches = api.requests
      .slice(before)
      .filter(({ path, verb }) => verb === "watch" && path.includes("/pods"));
    expect(watches.length).toBe(1);
    const { caches } = manager.controller("phases");
    expect(caches).toMatchObject([
      {
        kind: "v1/Pod",
        fields: ["status.phase"],
        addedFields: [
          "metadata.generation",
          "metadata.finalizers",
          'metadata.annotations["typekube.dev/paused"]',
        ],
        health: [
          { informers: 2, fields: expect.arrayContaining(["spec.nodeName", "status.phase"]) },
        ],
      },
    ]);
    await client
      .resource(Pod, "default")
      .status.patch("a", mergePatch({ status: { phase: "Running" } }));
    await expect.poll(() => runs.slice(6)).toContain("phases a");
    await idle(api, manager);
    expect(runs.slice(6)).toEqual(["phases a"]);
  }));

test("fields: a kind that one declaration keeps whole is whole, and the others skip as declared", () =>
  withNodes(async (api, client) => {
    const seen: string[] = [];
    const names = keepFields(ConfigMap, ["metadata.labels"]);
    const controller = defineController(Node, {
      when: labelsChanged,
      watches: [{ kind: names, map: () => ["node-1"] }],
      reads: [ConfigMap],
      reconcile({ metadata: { name } }, run) {
        const whole = run.get(ConfigMap, "default/c");
        const kept = run.get(names, "default/c");
        seen.push(`${name} ${whole?.data?.["a"]} ${kept?.metadata.labels?.["app"]}`);
      },
    });
    const configs = client.resource(ConfigMap, "default");
    await configs.create({ metadata: { name: "c", labels: { app: "x" } }, data: { a: "1" } });
    await using manager = await startManager(client, { controllers: [controller], log() {} });
    await expect.poll(() => seen.sort()).toEqual(["node-1 1 x", "node-2 1 x"]);
    expect(manager.controller("node").caches.map(({ fields }) => fields)).toEqual([
      undefined,
      undefined,
    ]);
    await configs.patch("c", mergePatch({ data: { a: "2" } }));
    await idle(api, manager);
    await configs.patch("c", mergePatch({ metadata: { labels: { app: "y" } } }));
    await expect.poll(() => seen.slice(2)).toEqual(["node-1 2 y"]);
  }));
