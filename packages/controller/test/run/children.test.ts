import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap, Namespace, Secret } from "@typekube/api/core/v1";
import { controllerReference, defineController } from "@typekube/controller";
import { isInvalid, type KubeError } from "@typekube/core";
import { mergePatch } from "typekube";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { shopTest } from "../shop-test.js";

const config = (data: Record<string, string> = {}, name = "c") => ({ metadata: { name }, data });

/** Patches that the server received, but for those of the definition. */
const patches = (t: Awaited<ReturnType<typeof shopTest>>) =>
  t.api.requests.filter(
    ({ verb, resource }) => verb === "patch" && resource !== "customresourcedefinitions",
  );

/** A controller that applies a ConfigMap with the shop's image. */
const applying = (more: (run: { causes: unknown }) => void = () => {}) =>
  defineController(Shop, {
    owns: [ConfigMap],
    async reconcile({ spec }, run) {
      more(run);
      await run.apply(ConfigMap, config({ image: spec?.image ?? "" }));
    },
  });

test("CD1: an applied object has the owner, the namespace, the field manager and the kind", async () => {
  await using t = await shopTest(applying());
  await t.open("tea", { image: "1" });
  const child = await t.client.resource(ConfigMap, "default").get("c");
  expect(child.metadata.ownerReferences).toEqual([
    {
      apiVersion: "example.com/v1",
      kind: "Shop",
      name: "tea",
      uid: (await t.shop("tea"))?.metadata?.uid,
      controller: true,
      blockOwnerDeletion: true,
    },
  ]);
  expect(child.metadata.managedFields).toMatchObject([{ manager: "shop", operation: "Apply" }]);
  const apply = t.api.requests.find(
    ({ verb, resource }) => verb === "patch" && resource === "configmaps",
  );
  expect(apply?.path).toContain("force=true");
});

test("CD1: an apply takes fields from other managers", async () => {
  await using t = await shopTest(applying());
  const configs = t.client.resource(ConfigMap, "default");
  await configs.create(config({ image: "theirs" }), { fieldManager: "them" });
  await t.open("tea", { image: "ours" });
  expect((await configs.get("c")).data).toEqual({ image: "ours" });
});

test.each([
  [
    "in another namespace",
    ConfigMap,
    { namespace: "kube-public" },
    /in the namespace "kube-public"/,
  ],
  ["cluster-wide", Namespace, {}, /cluster-wide/],
])("CD2: an object %s is refused before anything is sent", async (_, kind, place, message) => {
  let error: KubeError | undefined;
  const controller = defineController(Shop, {
    owns: [kind as typeof ConfigMap],
    async reconcile(__, run) {
      try {
        await run.apply(kind as typeof ConfigMap, { metadata: { name: "c", ...place } });
      } catch (thrown) {
        error = thrown as KubeError;
      }
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  expect(error).toMatchObject({ code: "InvalidArgument" });
  expect(error?.message).toMatch(message);
  expect(error?.message).toContain('track: "label"');
  expect(patches(t).length).toBe(0);
});

test('CD2: track: "label" marks an object of another namespace, whose changes run the owner; it is pruned', async () => {
  const controller = defineController(Shop, {
    owns: [ConfigMap],
    async reconcile({ spec }, run) {
      if (spec?.image !== "none") {
        const there = { metadata: { name: "c", namespace: "kube-public" }, data: { a: "1" } };
        await run.apply(ConfigMap, there, { track: "label" });
      }
    },
    finalize() {},
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  const there = t.client.resource(ConfigMap, "kube-public");
  const child = await there.get("c");
  expect(child.metadata.ownerReferences).toBeUndefined();
  await there.patch("c", mergePatch({ data: { a: "2" } }));
  await t.settled();
  expect((await there.get("c")).data).toEqual({ a: "1" });
  await t.change("tea", (draft) => {
    draft.spec = { image: "none" };
  });
  expect(await there.find("c")).toBeUndefined();
  await t.change("tea", (draft) => {
    draft.spec = {};
  });
  expect(await there.find("c")).toBeDefined();
  await t.client.resource(Shop, "default").delete("tea");
  await t.settled();
  await t.advance(1_000);
  expect(await there.find("c")).toBeUndefined();
  expect(await t.shop("tea")).toBeUndefined();
});

test("CD3: an object of another controller is not touched", async () => {
  await using t = await shopTest(applying(), {
    before: async (client) => {
      const owner = await client.resource(ConfigMap, "default").create(config({}, "owner"));
      const ownerReferences = [controllerReference(owner)];
      await client
        .resource(ConfigMap, "default")
        .create({ metadata: { name: "c", ownerReferences }, data: { image: "theirs" } });
    },
  });
  await t.open("tea", { image: "1" });
  expect(t.runs("default/tea")[0]?.error).toMatchObject({
    code: "AlreadyOwned",
    message: expect.stringContaining('ConfigMap "owner"'),
  });
  expect(patches(t).length).toBe(0);
});

test("CD4: applying the same again sends nothing; a foreign change of our field is undone", async () => {
  await using t = await shopTest(applying());
  await t.open("tea", { image: "1" });
  const applies = () => patches(t).length;
  expect(applies()).toBe(1);
  for (let n = 0; n < 5; n++) {
    t.manager.controller("shop").trigger("default/tea");
    await t.settled();
  }
  expect(applies()).toBe(1);
  const configs = t.client.resource(ConfigMap, "default");
  await configs.patch("c", mergePatch({ data: { other: "x" } }));
  await t.settled();
  const afterTheirs = applies();
  await configs.patch("c", mergePatch({ data: { image: "changed" } }));
  await t.settled();
  expect((await configs.get("c")).data).toEqual({ image: "1", other: "x" });
  // Theirs and ours.
  expect(applies()).toBe(afterTheirs + 2);
});

test("CD5: defaults, other forms of quantities, empty maps and stringData cause no loop", async () => {
  const controller = defineController(Shop, {
    owns: [Deployment, Secret],
    async reconcile(_, run) {
      const labels = { app: "tea" };
      const resources = { requests: { cpu: "1000m", memory: "1024Mi" } };
      await run.apply(Deployment, {
        metadata: { name: "tea", annotations: {} },
        spec: {
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: { containers: [{ name: "web", image: "tea:1", resources, env: [] }] },
          },
        },
      });
      await run.apply(Secret, { metadata: { name: "tea" }, stringData: { password: "x" } });
      return { requeueAfterMs: 1_000 };
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  await t.advance(10_000);
  expect(t.runs("default/tea").length).toBe(11);
  expect(patches(t).length).toBe(2);
});

test("CD6: objects that a run does not apply any more are deleted, unless the run failed or they are somebody else's", async () => {
  let outcome: "fail" | "keep" | "none" | "wait" = "keep";
  const controller = defineController(Shop, {
    owns: [ConfigMap],
    retry: { maxAttempts: 1 },
    async reconcile(_, run) {
      if (outcome === "keep") {
        await run.apply(ConfigMap, config());
        await run.create(ConfigMap, { metadata: { name: "created" } }).catch(() => {});
      } else if (outcome === "fail") {
        throw new Error("no");
      } else if (outcome === "wait") {
        return run.notReady("Waiting");
      }
      return undefined;
    },
  });
  await using t = await shopTest(controller);
  const run = async (next: typeof outcome) => {
    outcome = next;
    t.manager.controller("shop").trigger("default/tea");
    await t.settled();
  };
  await t.open("tea");
  const configs = t.client.resource(ConfigMap, "default");
  await run("fail");
  expect(await configs.find("c")).toBeDefined();
  await run("wait");
  expect(await configs.find("c")).toBeDefined();
  await run("none");
  expect(await configs.find("c")).toBeUndefined();
  expect(await configs.find("created")).toBeDefined();
  const deletes = t.api.requests.filter(({ verb }) => verb === "delete");
  expect(deletes.length).toBe(1);
});

test("CD6: an object that carries our label but that somebody else applied is not deleted", async () => {
  await using t = await shopTest(defineController(Shop, { owns: [ConfigMap], reconcile() {} }));
  await t.open("tea");
  const owner = await t.client.resource(Shop, "default").get("tea");
  await t.client.resource(ConfigMap, "default").create({
    metadata: {
      name: "c",
      labels: { "typekube.dev/controller": "shop" },
      ownerReferences: [controllerReference(owner)],
    },
  });
  await t.settled();
  expect(t.runs("default/tea").length).toBe(2);
  expect(await t.client.resource(ConfigMap, "default").find("c")).toBeDefined();
});

test("CD6: prune: false deletes nothing", async () => {
  let applies = true;
  const controller = defineController(Shop, {
    owns: [ConfigMap],
    prune: false,
    async reconcile(_, run) {
      if (applies) {
        await run.apply(ConfigMap, config());
      }
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  applies = false;
  t.manager.controller("shop").trigger("default/tea");
  await t.settled();
  expect(await t.client.resource(ConfigMap, "default").find("c")).toBeDefined();
});

test("CD7: a child that is being deleted is not patched; it is created again once it is gone", async () => {
  await using t = await shopTest(applying());
  await t.open("tea", { image: "1" });
  const configs = t.client.resource(ConfigMap, "default");
  await configs.patch("c", mergePatch({ metadata: { finalizers: ["example.com/slow"] } }));
  await t.settled();
  await configs.delete("c");
  await t.settled();
  const before = patches(t).length;
  await t.change("tea", (draft) => {
    draft.spec = { image: "2" };
  });
  expect(patches(t).length).toBe(before);
  expect(t.runs("default/tea").at(-1)).toMatchObject({ reason: "WaitingForDeletion" });
  await configs.patch("c", mergePatch({ metadata: { finalizers: null } }));
  await t.settled();
  expect((await configs.get("c")).data).toEqual({ image: "2" });
});

test.each(["fail", "recreate"] as const)(
  "CD8: an immutable field with onImmutable: %s",
  async (onImmutable) => {
    const controller = defineController(Shop, {
      owns: [ConfigMap],
      retry: { maxAttempts: 1 },
      async reconcile({ spec }, run) {
        const desired = {
          metadata: { name: "c" },
          immutable: true,
          data: { image: `${spec?.image}` },
        };
        await run.apply(ConfigMap, desired, { onImmutable });
      },
    });
    // Its garbage collector ends a deletion in the foreground.
    await using t = await shopTest(controller, { controllers: true });
    await t.open("tea", { image: "1" });
    await t.change("tea", (draft) => {
      draft.spec = { image: "2" };
    });
    await t.advance(1_000);
    const child = await t.client.resource(ConfigMap, "default").get("c");
    expect(child.data).toEqual({ image: onImmutable === "fail" ? "1" : "2" });
    const failed = t.runs("default/tea").filter(({ error }) => isInvalid(error)).length;
    expect(failed).toBe(onImmutable === "fail" ? 1 : 0);
  },
);

test("CD9: an object that comes after another one is applied once that is ready", async () => {
  const controller = defineController(Shop, {
    owns: [ConfigMap],
    async reconcile(_, run) {
      const db = await run.apply(ConfigMap, config({}, "db"), {
        readyWhen: ({ metadata }) => metadata.annotations?.["ready"] === "yes",
      });
      await run.apply(ConfigMap, config({}, "web"), { after: [db] });
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  const configs = t.client.resource(ConfigMap, "default");
  expect(await configs.find("web")).toBeUndefined();
  expect(t.runs("default/tea").at(-1)).toMatchObject({ reason: "WaitingForDependency" });
  await configs.patch("db", mergePatch({ metadata: { annotations: { ready: "yes" } } }));
  await t.settled();
  expect(await configs.find("web")).toBeDefined();
});
