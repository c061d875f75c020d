import { readFile } from "node:fs/promises";
import { runPods } from "@typekube/apiserver/controllers";
import { controllerTest } from "@typekube/apiserver/testing";
import { addControllerMatchers } from "@typekube/apiserver/vitest";
import { Deployment } from "typekube/api/apps/v1";
import { Secret, Service } from "typekube/api/core/v1";
import { expect, test } from "vitest";
import { memoryDns } from "./dns.js";
import { Shop } from "./shop.js";
import { shopController } from "./shops.js";

addControllerMatchers();
const definition = await readFile(new URL("manifests/crd.yaml", import.meta.url), "utf8");

/** Starts the operator in a cluster whose pods run. */
async function start() {
  const dns = memoryDns();
  const t = await controllerTest(shopController(dns), {
    load: definition,
    controllers: true,
    stages: runPods({ readyAfterMs: 0 }),
  });
  return { t, dns, shops: t.client.resource(Shop, "default") };
}

const tea = (more: Partial<Shop["spec"]> = {}) => ({
  metadata: { name: "tea" },
  spec: { image: "tea:1", host: "tea.example.com", ...more },
});

test("a shop gets a Deployment, a Service, a name and a URL", async () => {
  const { t, dns, shops } = await start();
  await shops.create(tea());
  await t.settled();
  expect((await shops.get("tea")).status).toMatchObject({
    url: "https://tea.example.com",
    readyReplicas: 1,
    conditions: [{ type: "Ready", status: "True" }],
  });
  expect([...dns.hosts]).toEqual(["tea.example.com"]);
  expect(await t.client.resource(Service, "default").find("tea")).toBeDefined();
  await t[Symbol.asyncDispose]();
});

test("a shop waits for its Secret, and goes on as soon as it exists", async () => {
  const { t, shops } = await start();
  await shops.create(tea({ credentials: "db" }));
  await t.settled();
  expect(t.runs("default/tea").at(-1)).toMatchObject({ outcome: "notReady" });
  await t.client.resource(Secret, "default").create({ metadata: { name: "db" } });
  await t.settled();
  expect((await shops.get("tea")).status?.url).toBe("https://tea.example.com");
  await t[Symbol.asyncDispose]();
});

test("a deleted shop takes its name with it", async () => {
  const { t, dns, shops } = await start();
  await shops.create(tea());
  await t.settled();
  await shops.delete("tea");
  await t.settled();
  expect([...dns.hosts]).toEqual([]);
  expect(await t.client.resource(Deployment, "default").find("tea")).toBeUndefined();
  await t[Symbol.asyncDispose]();
});

test("a shop at rest causes no writes", async () => {
  const { t, shops } = await start();
  await shops.create(tea());
  await t.settled();
  await expect(t).toStayQuiet({ atMost: 0 });
  await t[Symbol.asyncDispose]();
});
