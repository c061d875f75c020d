import { request } from "node:https";
import { defineController } from "@typekube/controller";
import { authority } from "@typekube/test-support/certificates";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { shopTest } from "../shop-test.js";
import { get } from "./metrics-test.js";

const shops = defineController(Shop, { reconcile() {} });
const users = {
  authorization: "RBAC",
  users: [
    { name: "root", groups: ["system:masters"], token: "admin-token" },
    { name: "reader", token: "reader-token" },
  ],
} as const;
const metrics = { port: 0, host: "127.0.0.1", protect: true };

test("CM13: protected metrics need a token whose user may get /metrics; a decision holds for a minute", async () => {
  await using t = await shopTest(shops, { manager: { metrics }, ...users });
  const { metrics: port } = t.manager.ports;
  const status = async (token?: string) =>
    (await get(port, "/metrics", token === undefined ? {} : { authorization: `Bearer ${token}` }))
      .status;
  expect(await status()).toBe(401);
  expect(await status("nobody's")).toBe(401);
  expect(await status("admin-token")).toBe(200);
  expect(await status("reader-token")).toBe(403);
  const reviews = () =>
    t.api.requests.filter(({ resource }) => /reviews$/.test(resource ?? "")).length;
  const before = reviews();
  expect(await status("admin-token")).toBe(200);
  expect(reviews()).toBe(before);
  await t.advance(60_000);
  expect(await status("admin-token")).toBe(200);
  expect(reviews()).toBeGreaterThan(before);
});

test("CM13: nothing is served while the API server cannot be asked", async () => {
  await using t = await shopTest(shops, { manager: { metrics }, ...users });
  t.api.fault({ resource: "tokenreviews", status: 403, times: Number.POSITIVE_INFINITY });
  const { status, body } = await get(t.manager.ports.metrics, "/metrics", {
    authorization: "Bearer admin-token",
  });
  expect(status).toBe(500);
  expect(body).not.toContain("controller_runtime");
  expect(t.lines("warn")).toContainEqual(
    expect.stringMatching(/^cannot serve \/metrics: .*Forbidden/),
  );
});

test("CM13: metrics are served by HTTPS with a certificate; an unusable one is refused at the start", async () => {
  await using ca = await authority();
  const { cert, key } = await ca.server();
  await using t = await shopTest(shops, {
    manager: { metrics: { port: 0, host: "127.0.0.1", tls: { cert, key } } },
  });
  const status = await new Promise<number | undefined>((resolve, reject) => {
    request(
      {
        host: "127.0.0.1",
        port: t.manager.ports.metrics,
        path: "/metrics",
        ca: ca.ca,
        agent: false,
      },
      (response) => resolve(response.resume().statusCode),
    )
      .once("error", reject)
      .end();
  });
  expect(status).toBe(200);
  await expect(
    shopTest(shops, { manager: { metrics: { port: 0, tls: { cert: "no", key: "no" } } } }),
  ).rejects.toMatchObject({ code: "Config", message: expect.stringMatching(/tls: /) });
});
