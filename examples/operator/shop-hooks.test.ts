import { createWebhook, review } from "typekube/controller";
import { expect, test } from "vitest";
import type { Shop } from "./shop.js";
import { shopHooks } from "./shop-hooks.js";

const tea = (spec: Partial<Shop["spec"]> = {}): Shop => ({
  apiVersion: "example.com/v1",
  kind: "Shop",
  metadata: { name: "tea", namespace: "default" },
  spec: { image: "tea:1", host: "tea.example.com", ...spec },
});

test("a shop gets one replica unless it says how many", async () => {
  expect((await review(shopHooks, { object: tea() })).object?.spec.replicas).toBe(1);
  const many = await review(shopHooks, { object: tea({ replicas: 60 }) });
  expect([many.object?.spec.replicas, many.warnings]).toEqual([
    60,
    ["more than 50 replicas are slow to roll out"],
  ]);
});

test("the host of a shop cannot change, everything else can", async () => {
  const moved = await review(shopHooks, { object: tea({ host: "new" }), oldObject: tea() });
  expect(moved.allowed).toBe(false);
  const scaled = await review(shopHooks, { object: tea({ replicas: 2 }), oldObject: tea() });
  expect(scaled.allowed).toBe(true);
});

test("reviews are answered as an API server sends them", async () => {
  const webhook = createWebhook([shopHooks]);
  const post = async (path: string, request: object) => {
    const body = JSON.stringify({
      apiVersion: "admission.k8s.io/v1",
      kind: "AdmissionReview",
      request: { uid: "1", name: "tea", namespace: "default", userInfo: {}, ...request },
    });
    const sent = new Request(`https://shop-operator${path}`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    });
    const { response } = (await (await webhook.fetch(sent)).json()) as { response: object };
    return response;
  };
  const [mutate = "", validate = ""] = webhook.paths;
  const created = { operation: "CREATE", object: tea() };
  expect(await post(mutate, created)).toMatchObject({ uid: "1", allowed: true, patch: /./ });
  expect(await post(validate, created)).toMatchObject({ uid: "1", allowed: true });
  const moved = { operation: "UPDATE", object: tea({ host: "new" }), oldObject: tea() };
  expect(await post(validate, moved)).toMatchObject({
    allowed: false,
    status: { code: 422, details: { causes: [{ field: "spec.host" }] } },
  });
});
