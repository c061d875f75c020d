import { admission, defineController } from "@typekube/controller";
import { Counter, Registry } from "prom-client";
import { expect, test, vi } from "vitest";
import { families } from "../../src/metrics/families.js";
import { createManagerMetrics } from "../../src/metrics/manager-metrics.js";
import { prefersOpenMetrics } from "../../src/metrics/openmetrics.js";
import { Shop } from "../shop.js";
import { shopTest } from "../shop-test.js";
import { get, samplesOf } from "./metrics-test.js";

const metrics = { port: 0, host: "127.0.0.1" };
const shops = defineController(Shop, { reconcile() {} });

test("CM24: metrics are text 0.0.4, or OpenMetrics for a client that prefers it, with the same values", async () => {
  await using t = await shopTest(shops, { manager: { metrics } });
  await t.open("tea");
  const { metrics: port } = t.manager.ports;
  const text = await get(port, "/metrics");
  expect(text.status).toBe(200);
  expect(text.headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
  const accept =
    "application/openmetrics-text;version=1.0.0;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2";
  const open = await get(port, "/metrics", { accept });
  expect(open.headers["content-type"]).toBe(
    "application/openmetrics-text; version=1.0.0; charset=utf-8",
  );
  expect(open.body.endsWith("\n# EOF\n")).toBe(true);
  expect(open.body).toContain("# TYPE controller_runtime_reconcile counter\n");
  expect(open.body).toContain(
    'controller_runtime_reconcile_time_seconds_bucket{le="1.0",controller="shop"}',
  );
  const total = 'controller_runtime_reconcile_total{controller="shop",result="success"}';
  expect(samplesOf(open.body).get(total)).toBe(1);
  // Writing the one format does not change the other.
  const again = await get(port, "/metrics");
  expect(samplesOf(again.body).get(total)).toBe(1);
  expect(samplesOf(open.body).size).toBe(samplesOf(again.body).size);
});

test("CM24: a client that accepts gzip gets it", async () => {
  await using t = await shopTest(shops, { manager: { metrics } });
  const { metrics: port } = t.manager.ports;
  const zipped = await get(port, "/metrics", { "accept-encoding": "gzip, deflate" });
  expect(zipped.headers["content-encoding"]).toBe("gzip");
  expect(zipped.body).toContain("controller_runtime_reconcile_total");
  const plain = await get(port, "/metrics", { "accept-encoding": "gzip;q=0" });
  expect(plain.headers["content-encoding"]).toBeUndefined();
});

test("CM24: the Accept header decides by its weights", () => {
  expect(prefersOpenMetrics("application/openmetrics-text")).toBe(true);
  expect(prefersOpenMetrics("text/plain,application/openmetrics-text;q=0.5")).toBe(false);
  expect(prefersOpenMetrics("application/openmetrics-text;q=0")).toBe(false);
  expect(prefersOpenMetrics("*/*")).toBe(false);
  expect(prefersOpenMetrics(undefined)).toBe(false);
});

test("CM23: no label of any family is the name, namespace or uid of an object", async () => {
  const allowed = [
    "code",
    "controller",
    "host",
    "method",
    "name",
    "priority",
    "reason",
    "result",
    "verb",
    "webhook",
  ];
  const labels = Object.values(families).flatMap((family) => [...family.labels]);
  expect(labels.filter((label) => !allowed.includes(label))).toEqual([]);
  await using t = await shopTest(shops, {
    manager: { metrics: { ...metrics, requestDurations: true } },
  });
  await t.open("a-name-that-is-nowhere-else");
  const { body } = await get(t.manager.ports.metrics, "/metrics");
  const [shop] = (await t.client.resource(Shop, "default").list()).items;
  expect(body).not.toContain("a-name-that-is-nowhere-else");
  expect(body).not.toContain('="default"');
  expect(body).not.toContain(shop?.metadata.uid ?? "no uid");
});

test("CM22: requests are counted by code, method and host; durations and retries only on request", async () => {
  await using t = await shopTest(shops, { manager: { metrics } });
  await t.open("tea");
  await t.client.resource(Shop, "default").find("milk");
  const { body } = await get(t.manager.ports.metrics, "/metrics");
  const requests = [...samplesOf(body)].filter(([name]) =>
    name.startsWith("rest_client_requests_total"),
  );
  const labelled = requests.map(([name]) => name);
  expect(labelled.some((name) => /code="201",method="POST",host="[^"]+"/.test(name))).toBe(true);
  expect(labelled.some((name) => /code="404",method="GET"/.test(name))).toBe(true);
  expect(body).not.toContain("rest_client_request_duration_seconds");
  await using more = await shopTest(shops, {
    manager: { metrics: { ...metrics, requestDurations: true } },
  });
  await more.open("tea");
  const all = samplesOf((await get(more.manager.ports.metrics, "/metrics")).body);
  const durations = [...all].find(([name]) =>
    /^rest_client_request_duration_seconds_count\{verb="POST"/.test(name),
  );
  expect(durations?.[1]).toBeGreaterThanOrEqual(1);
});

test("CM22: elections are shown by the name of their lease, as in controller-runtime", async () => {
  const registry = new Registry();
  const metrics = await createManagerMetrics({ registry }, {} as never);
  metrics.election.leading("shops", true);
  metrics.election.slowPath("shops");
  metrics.election.leading("teas", false);
  const all = samplesOf(await registry.metrics());
  expect(all.get('leader_election_master_status{name="shops"}')).toBe(1);
  expect(all.get('leader_election_master_status{name="teas"}')).toBe(0);
  expect(all.get('leader_election_slowpath_total{name="shops"}')).toBe(1);
  metrics.close();
});

test("CM18: a registry of the user is served at the same port, and is left as it was at the stop", async () => {
  const registry = new Registry();
  const sold = new Counter({ name: "shop_sold_total", help: "Cups sold", registers: [registry] });
  sold.inc(7);
  await using t = await shopTest(shops, { manager: { metrics: { ...metrics, registry } } });
  const all = samplesOf((await get(t.manager.ports.metrics, "/metrics")).body);
  expect(all.get("shop_sold_total")).toBe(7);
  expect(all.has('controller_runtime_active_workers{controller="shop"}')).toBe(true);
  await t.manager.stop();
  expect(registry.getMetricsAsArray().map(({ name }: { name: string }) => name)).toEqual([
    "shop_sold_total",
  ]);
});

test("CM26: without prom-client a manager has no metrics and says how to get them", async () => {
  vi.doMock("prom-client", () => {
    throw new Error("Cannot find package 'prom-client'");
  });
  vi.resetModules();
  try {
    await expect(shopTest(shops, { manager: { metrics } })).rejects.toMatchObject({
      code: "Config",
      message: expect.stringContaining("npm install prom-client"),
    });
    await using t = await shopTest(shops);
    await t.open("tea");
    expect(t.runs().length).toBe(1);
  } finally {
    vi.doUnmock("prom-client");
  }
});

test("CM11: metrics have no port unless asked for, and an invalid option is refused", async () => {
  await using t = await shopTest(shops);
  expect(t.manager.ports).toEqual({});
  for (const bad of [{ port: 70_000 }, { port: "8080" }, { registry: {} }, { prot: 1 }]) {
    await expect(shopTest(shops, { manager: { metrics: bad as never } })).rejects.toMatchObject({
      code: "InvalidArgument",
    });
  }
});

test("CA30: reviews of webhooks are counted by webhook and code, with their latency", async () => {
  const hooks = admission(Shop, { validate: ({ deny }) => deny("closed") });
  await using t = await shopTest([], {
    manager: {
      metrics,
      webhooks: { handlers: [hooks], url: "https://127.0.0.1:0", port: 0, lameDuckMs: 0 },
    },
  });
  const { body } = await get(t.manager.ports.metrics, "/metrics");
  for (const name of ["requests_total", "requests_in_flight", "latency_seconds", "panics_total"]) {
    expect(body).toContain(`# TYPE controller_runtime_webhook_${name}`);
  }
  expect(body).toMatch(/^certwatcher_read_certificate_total [1-9]/m);
});
