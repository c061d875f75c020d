import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap } from "@typekube/api/core/v1";
import { defineController } from "@typekube/controller";
import { mergePatch } from "typekube";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { gate, type ShopTest, shopTest } from "../shop-test.js";

/** Changes something in the middle of a run, outside of it, in such a way that the cache gets both writes as one. */
async function together(
  t: ShopTest,
  resource: string,
  meet: Meeting,
  change: () => Promise<unknown>,
) {
  t.api.fault({ verb: "watch", resource, status: 500, times: 1 });
  t.api.dropWatches({ resource });
  meet.isNext = true;
  t.manager.controller("shop").trigger("default/tea");
  await meet.begun.passed;
  await change();
  meet.changed.open();
  await t.clock.advance(20);
  await t.api.settled();
  t.api.compact();
  await t.advance(60_000);
}

interface Meeting {
  isNext: boolean;
  readonly begun: ReturnType<typeof gate>;
  readonly changed: ReturnType<typeof gate>;
}

const meeting = (): Meeting => ({ isNext: false, begun: gate(), changed: gate() });

/** Waits for the change in the middle of one run; returns whether it is that run. */
async function pause(meet: Meeting): Promise<boolean> {
  const { isNext } = meet;
  meet.isNext = false;
  if (isNext) {
    meet.begun.open();
    await meet.changed.passed;
  }
  return isNext;
}

test("a condition of somebody else that a new list shows together with our own causes a run", async () => {
  const meet = meeting();
  const seen: string[] = [];
  const controller = defineController(Shop, {
    async reconcile({ status }, run) {
      seen.push((status?.conditions ?? []).map(({ type }) => type).join());
      if (await pause(meet)) {
        await run.status.set({
          conditions: [{ type: "Ready", status: "True", reason: "Ok", message: "" } as never],
        });
      }
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  const shops = t.client.resource(Shop, "default");
  const approved = {
    type: "Approved",
    status: "True",
    reason: "Ok",
    message: "",
    lastTransitionTime: "2026-01-01T00:00:00Z",
  };
  await together(t, "shops", meet, () =>
    shops.status.patch("tea", mergePatch({ status: { conditions: [approved] } })),
  );
  expect((await t.shop("tea"))?.status?.conditions?.length).toBe(2);
  expect(seen.at(-1)).toContain("Approved");
});

test("an item of somebody else in a list that we apply causes a run", async () => {
  let image = "web:1";
  const meet = meeting();
  const seen: number[] = [];
  const spec = (name: string, image: string) => ({
    selector: { matchLabels: { app: "web" } },
    template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name, image }] } },
  });
  const controller = defineController(Shop, {
    owns: [Deployment],
    async reconcile(_, run) {
      seen.push(run.get(Deployment, "web")?.spec?.template.spec?.containers.length ?? 0);
      await pause(meet);
      await run.apply(Deployment, { metadata: { name: "web" }, spec: spec("web", image) });
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  const deployments = t.client.resource(Deployment, "default");
  image = "web:2";
  await together(t, "deployments", meet, () =>
    deployments.apply(
      { metadata: { name: "web" }, spec: spec("sidecar", "s") },
      { fieldManager: "injector" },
    ),
  );
  const { spec: now } = await deployments.get("web");
  expect(now?.template.spec?.containers.length).toBe(2);
  expect(seen.at(-1)).toBe(2);
});

test("an edit of somebody else that createOrUpdate met causes a run", async () => {
  const meet = meeting();
  const seen: unknown[] = [];
  const controller = defineController(Shop, {
    watches: [{ kind: ConfigMap, by: (shop: Shop) => [shop.metadata?.name ?? ""] }],
    async reconcile(_, run) {
      seen.push(run.get(ConfigMap, run.name)?.data?.["theirs"]);
      const isSecond = await pause(meet);
      await run.createOrUpdate(ConfigMap, run.name, (draft) => {
        draft.data = {
          ...draft.data,
          ours: isSecond ? "1" : (draft.data?.["ours"] ?? "0"),
        };
      });
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  const configs = t.client.resource(ConfigMap, "default");
  await together(t, "configmaps", meet, () =>
    configs.patch("tea", mergePatch({ data: { theirs: "1" } })),
  );
  expect((await configs.get("tea")).data).toEqual({ ours: "1", theirs: "1" });
  expect(seen.at(-1)).toBe("1");
});
