import type { Review } from "@typekube/apiserver";
import { call } from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import {
  configMaps,
  createConfigMap,
  register,
  reply,
  rule,
  startWith,
  validating,
  webhook,
} from "./configurations.js";

const denied = (name: string, why: string) =>
  `admission webhook "${name}.example.com" denied the request: ${why}`;

describe("validating webhooks", () => {
  test("CT9: webhooks are called at the same time, and the first of the list that denies decides", async () => {
    let waiting = 0;
    let release = () => {};
    const all = new Promise<void>((resolve) => {
      release = resolve;
    });
    await using api = await startWith(async (review, { path }) => {
      waiting += 1;
      if (waiting === 3) {
        release();
      }
      await all;
      return reply(review, { allowed: path === "/a", status: { message: path } });
    });
    await register(api, validating, webhook("a"), webhook("b"), webhook("c"));
    const { status, body } = await createConfigMap(api, "x");
    expect([status, body.message]).toEqual([400, denied("b", "/b")]);
  });

  test("CT9: a generated name and uid are the same in all reviews and in the stored object", async () => {
    const seen: string[] = [];
    await using api = await startWith((review, { path }) => {
      seen.push(`${path} ${JSON.stringify(review.request.object?.metadata)}`);
      return reply(review, { allowed: true });
    });
    await register(api, validating, webhook("a"), webhook("b"));
    const { body } = await call(api, "POST", configMaps, { metadata: { generateName: "x-" } });
    const { resourceVersion: _, ...sent } = body.metadata;
    expect(seen).toEqual([`/a ${JSON.stringify(sent)}`, `/b ${JSON.stringify(sent)}`]);
  });

  test("CT9: a webhook that takes too long fails when the virtual clock reaches its deadline", async () => {
    let signal: AbortSignal | undefined;
    await using api = await startWith((_review, given) => {
      signal = given.signal;
      return new Promise(() => {});
    });
    await register(api, validating, webhook("a", { timeoutSeconds: 7 }));
    const created = createConfigMap(api, "x");
    await api.clock.advance(6_999);
    expect(signal?.aborted).toBe(false);
    await api.clock.advance(1);
    const { status, body } = await created;
    expect(status).toBe(500);
    expect(body.message).toBe(
      'Internal error occurred: failed calling webhook "a.example.com": failed to call webhook: Post "https://hooks.default.svc:443/a?timeout=7s": context deadline exceeded',
    );
    expect(signal?.aborted).toBe(true);
  });

  test("CT9: a failure is ignored if the failure policy says so, and noted in the journal", async () => {
    await using api = await startWith(() => {
      throw new Error("broken");
    });
    await register(api, validating, webhook("a", { failurePolicy: "Ignore" }));
    expect((await createConfigMap(api, "x")).status).toBe(201);
    expect(api.requests.at(-1)?.auditAnnotations).toEqual({
      "failed-open.validating.webhook.admission.k8s.io/round_0_index_0": "a.example.com",
    });
  });

  test("CT9: a function that throws is like a server that responds with 500", async () => {
    await using api = await startWith(() => {
      throw new Error("broken");
    });
    await register(api, validating, webhook("a"));
    const { body } = await createConfigMap(api, "x");
    expect(body.message).toBe(
      'Internal error occurred: failed calling webhook "a.example.com": failed to call webhook: an error on the server ("broken") has prevented the request from succeeding',
    );
  });

  test("CT9: a Service without a webhook in process is a failed call that names the option", async () => {
    await using api = await startWith(() => ({}));
    const service = { namespace: "ops", name: "other" };
    await register(api, validating, webhook("a", { clientConfig: { service } }));
    const { status, body } = await createConfigMap(api, "x");
    expect(status).toBe(500);
    expect(body.message).toContain(
      'Post "https://other.ops.svc:443/?timeout=10s": service "other" not found (this embedded API server calls it through the option webhooks: { "ops/other": ... })',
    );
  });

  test("DRY4: a dry run passes the whole admission and stores nothing", async () => {
    const reviews: Review[] = [];
    await using api = await startWith((review) => {
      reviews.push(review);
      return reply(review, { allowed: true, warnings: ["seen"] });
    });
    await register(api, validating, webhook("a"));
    const before = api.resourceVersion;
    const { status, headers } = await createConfigMap(api, "x", {}, "?dryRun=All");
    expect([status, headers["warning"]]).toEqual([201, '299 - "seen"']);
    expect(reviews.map(({ request }) => request.dryRun)).toEqual([true]);
    expect(api.resourceVersion).toBe(before);
  });

  test("CT9: a deleted collection stops at the first object whose deletion is denied", async () => {
    await using api = await startWith((review) => {
      const isKept = review.request.oldObject?.metadata?.name === "b";
      return reply(review, { allowed: !isKept, status: { message: "kept" } });
    });
    for (const name of ["a", "b", "c"]) {
      await createConfigMap(api, name);
    }
    await register(api, validating, webhook("a", { rules: [rule(["configmaps"], ["DELETE"])] }));
    const { status } = await call(api, "DELETE", configMaps);
    expect(status).toBe(400);
    const left = await call(api, "GET", configMaps);
    expect(left.body.items.map((one: { metadata: { name: string } }) => one.metadata.name)).toEqual(
      ["b", "c"],
    );
  });

  test("CT9: quotas are charged only for admitted objects", async () => {
    await using api = await startWith((review) => reply(review, { allowed: false }));
    await call(api, "POST", "/api/v1/namespaces/default/resourcequotas", {
      metadata: { name: "q" },
      spec: { hard: { "count/configmaps": "5" } },
    });
    const path = "/api/v1/namespaces/default/resourcequotas/q";
    const quota = { hard: { "count/configmaps": "5" }, used: { "count/configmaps": "0" } };
    const merge = { "content-type": "application/merge-patch+json" };
    await call(api, "PATCH", `${path}/status`, { status: quota }, merge);
    await register(api, validating, webhook("a"));
    expect((await createConfigMap(api, "x")).status).toBe(400);
    const { body } = await call(api, "GET", path);
    expect(body.status.used).toEqual({ "count/configmaps": "0" });
  });

  test.each([
    ["1.37", 0],
    ["1.36", 1],
  ])("CT9: in %s, %i reviews of access are sent to webhooks", async (version, count) => {
    const kinds: (string | undefined)[] = [];
    await using api = await startWith(
      (review) => {
        kinds.push(review.request.kind?.kind);
        return reply(review, { allowed: true });
      },
      { version },
    );
    const rules = [
      { apiGroups: ["*"], apiVersions: ["*"], operations: ["CREATE"], resources: ["*"] },
    ];
    await register(api, validating, webhook("a", { rules }));
    const path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    const spec = { resourceAttributes: { verb: "get", resource: "pods" } };
    expect((await call(api, "POST", path, { spec })).status).toBe(201);
    expect(kinds).toEqual(Array.from({ length: count }, () => "SelfSubjectAccessReview"));
  });

  test("CT9: a connection that webhooks allow is made; reading a log is not reviewed", async () => {
    const operations: string[] = [];
    await using api = await startWith((review) => {
      operations.push(`${review.request.operation} ${review.request.subResource}`);
      return reply(review, { allowed: true });
    });
    const pods = "/api/v1/namespaces/default/pods";
    await call(api, "POST", pods, {
      metadata: { name: "p" },
      spec: { containers: [{ name: "c", image: "i" }], nodeName: "n" },
    });
    await register(api, validating, webhook("a", { rules: [rule(["pods/*"], ["*"])] }));
    const exec = await call(api, "POST", `${pods}/p/exec?command=ls&stdout=true`);
    // The server of this test has no handlers for containers.
    expect(exec.status).toBe(501);
    await call(api, "GET", `${pods}/p/log`);
    expect(operations).toEqual(["CONNECT exec"]);
  });

  test("CT9: a fork calls the webhooks of its parent's options", async () => {
    await using api = await startWith((review) =>
      reply(review, { allowed: false, status: { message: "no" } }),
    );
    await register(api, validating, webhook("a"));
    await using fork = api.fork();
    const { body } = await call(fork, "POST", configMaps, { metadata: { name: "x" } });
    expect(body.message).toBe(denied("a", "no"));
  });
});
