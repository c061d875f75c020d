import { createVirtualClock } from "@typekube/apiserver";
import type { EvictOptions, ResourceAccess } from "@typekube/client";
import { failure } from "@typekube/test-support/failure";
import {
  ScriptedServer,
  statusResponse,
  type TestResponse,
} from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";
import { DiscoveryServer } from "../helpers/discovery-server.js";

const responded = (status: object) => ({ body: { metadata: {}, status } });

describe("access reviews", () => {
  it("check a resource, in the terms of the API", async () => {
    const server = new ScriptedServer(responded({ allowed: true, reason: "RBAC: allowed by x" }));
    const response = await server.client().can({
      verb: "get",
      group: "apps",
      resource: "deployments",
      subresource: "scale",
      namespace: "prod",
      name: "web",
    });
    expect(response).toEqual({
      allowed: true,
      denied: false,
      reason: "RBAC: allowed by x",
      evaluationError: undefined,
    });
    expect(server.log).toEqual(["POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews"]);
    expect(JSON.parse(server.last.text)).toEqual({
      kind: "SelfSubjectAccessReview",
      apiVersion: "authorization.k8s.io/v1",
      spec: {
        resourceAttributes: {
          verb: "get",
          group: "apps",
          resource: "deployments",
          subresource: "scale",
          namespace: "prod",
          name: "web",
        },
      },
    });
  });

  it("check the permission for a path that is no resource", async () => {
    const server = new ScriptedServer(
      responded({ allowed: false, denied: true, evaluationError: "x" }),
    );
    expect(await server.client().can({ verb: "get", path: "/metrics" })).toEqual({
      allowed: false,
      denied: true,
      reason: "",
      evaluationError: "x",
    });
    expect(JSON.parse(server.last.text).spec).toEqual({
      nonResourceAttributes: { path: "/metrics", verb: "get" },
    });
  });

  it.each([
    { verb: "get" },
    { verb: "", resource: "pods" },
    { resource: "pods" },
    { verb: "get", resource: "pods", path: "/x" },
    { verb: "get", resource: "pods/log" },
  ])("reject %j before anything is sent", async (access) => {
    const server = new ScriptedServer({});
    const refused = server.client().can(access as unknown as ResourceAccess);
    expect((await failure(refused)).code).toBe("InvalidArgument");
    expect(server.sent).toHaveLength(0);
  });

  describe("warn of a resource that the server does not have, whatever the decision", () => {
    const kinds = [
      { group: "", version: "v1", kind: "Pod", plural: "pods" },
      { group: "", version: "v1", kind: "Node", plural: "nodes", cluster: true },
      { group: "apps", version: "v1", kind: "Deployment", plural: "deployments" },
      { group: "a.io", version: "v1", kind: "Widget", plural: "widgets" },
      { group: "b.io", version: "v1", kind: "Widget", plural: "widgets" },
    ];
    const requested = async (access: Omit<ResourceAccess, "verb">) => {
      const warnings: string[] = [];
      const server = new DiscoveryServer(kinds);
      const options = { onWarning: (text: string) => warnings.push(text) };
      await server.client().can({ verb: "list", ...access }, options);
      return warnings;
    };

    it.each<[Omit<ResourceAccess, "verb">, string]>([
      [{ resource: "podz" }, 'the server has no resource "podz" in the core group'],
      [
        { resource: "deployments" },
        'the server has no resource "deployments" in the core group; did you mean resource "deployments", group "apps" (Deployment in apps/v1)?',
      ],
      [
        { resource: "pod" },
        'the server has no resource "pod" in the core group; did you mean resource "pods" (Pod in v1)?',
      ],
      [{ resource: "widgets" }, 'the server has no resource "widgets" in the core group'],
      [{ resource: "pods", group: "x" }, 'the server has no resource "pods" in x'],
      [
        { resource: "nodes", namespace: "prod" },
        '"nodes" is not namespaced: permissions in "prod" do not apply to it',
      ],
    ])("a review of %j causes a warning that names the mistake", async (access, warning) => {
      expect(await requested(access)).toEqual([warning]);
    });

    it.each([
      { resource: "pods" },
      { resource: "pods", namespace: "prod", subresource: "log" },
      { resource: "nodes" },
      { resource: "deployments", group: "apps", version: "v1" },
      { resource: "*", group: "x" },
      { resource: "podz", group: "*" },
      { resource: "users" },
      { resource: "signers", group: "certificates.k8s.io" },
    ])("a review of %j causes no warning", async (access) => {
      expect(await requested(access)).toEqual([]);
    });

    it("neither warn nor fail when discovery is forbidden", async () => {
      const warnings: string[] = [];
      const server = new ScriptedServer(({ method }) =>
        method === "POST" ? responded({ allowed: true }) : statusResponse(403, "Forbidden"),
      );
      const options = { onWarning: (text: string) => warnings.push(text) };
      const response = await server.client().can({ verb: "list", resource: "podz" }, options);
      expect([response.allowed, warnings]).toEqual([true, []]);
    });
  });

  it("the rules of a namespace have empty lists instead of missing ones", async () => {
    const rule = { verbs: ["get"], apiGroups: [""], resources: ["pods"] };
    const status = {
      resourceRules: [rule],
      nonResourceRules: [{ verbs: ["get"] }],
      incomplete: true,
    };
    const rules = await new ScriptedServer(responded(status)).client().rulesIn("prod");
    expect(rules).toEqual({
      resourceRules: [{ ...rule, resourceNames: [] }],
      nonResourceRules: [{ verbs: ["get"], nonResourceURLs: [] }],
      incomplete: true,
      evaluationError: undefined,
    });
  });
});

describe("identity", () => {
  it("returns the user of this client", async () => {
    const userInfo = { username: "jane", groups: ["devs"], extra: { why: ["x"] } };
    const server = new ScriptedServer(responded({ userInfo }));
    expect(await server.client().whoAmI()).toEqual({ ...userInfo, uid: undefined });
    expect(server.log).toEqual(["POST /apis/authentication.k8s.io/v1/selfsubjectreviews"]);
    const nobody = await new ScriptedServer(responded({})).client().whoAmI();
    expect(nobody).toEqual({ username: "", uid: undefined, groups: [], extra: {} });
  });

  it("returns the user of a token; an invalid token is a result, and no message contains the token", async () => {
    const good = { authenticated: true, user: { username: "jane", uid: "7" }, audiences: ["a"] };
    const server = new ScriptedServer(
      responded(good),
      responded({ error: "expired" }),
      statusResponse(403, "Forbidden"),
    );
    const client = server.client();
    expect(await client.reviewToken("secret", { audiences: ["a", "b"] })).toMatchObject({
      user: { username: "jane", uid: "7" },
      audiences: ["a"],
      error: undefined,
    });
    expect(JSON.parse(server.last.text).spec).toEqual({ token: "secret", audiences: ["a", "b"] });
    expect(await client.reviewToken("secret")).toEqual({
      user: undefined,
      audiences: [],
      error: "expired",
    });
    expect((await failure(client.reviewToken("secret"))).message).not.toContain("secret");
  });
});

describe("eviction", () => {
  const budget = (retryAfterSeconds?: number) =>
    statusResponse(429, "TooManyRequests", {
      details: { retryAfterSeconds, causes: [{ reason: "DisruptionBudget" }] },
    });
  const done = { status: 201, body: { kind: "Status", apiVersion: "v1", status: "Success" } };
  const setUp = (...script: readonly TestResponse[]) => {
    const server = new ScriptedServer(...script);
    const clock = createVirtualClock();
    let turnedBackMs = 0;
    const turned = { ...clock, monotonic: clock.now, now: () => clock.now() - turnedBackMs };
    const turnBack = (ms: number) => {
      turnedBackMs += ms;
    };
    const evict = (more: Partial<EvictOptions> = {}) =>
      server.client({ clock: turned }).evict("web-0", { namespace: "prod", ...more });
    return { server, clock, turnBack, evict };
  };

  it("rejects a grace period below 0 before sending", async () => {
    const { server, evict } = setUp(done);
    expect((await failure(evict({ gracePeriodSeconds: -1 }))).code).toBe("InvalidArgument");
    expect(server.sent).toEqual([]);
  });

  it.each([Number.NaN, -1, "60s"])("rejects retryForMs: %s before sending", async (time) => {
    const { server, evict } = setUp(budget());
    const error = await failure(evict({ retryForMs: time as number }));
    expect([error.code, error.rawMessage]).toEqual([
      "InvalidArgument",
      "retryForMs: must be a number of at least 0",
    ]);
    expect(server.sent).toEqual([]);
  });

  it("is a POST to the pod's eviction subresource, with delete options", async () => {
    const { server, evict } = setUp(done);
    expect(await evict({ gracePeriodSeconds: 5, preconditions: { uid: "7" }, dryRun: "All" })).toBe(
      true,
    );
    expect(server.log).toEqual(["POST /api/v1/namespaces/prod/pods/web-0/eviction?dryRun=All"]);
    expect(JSON.parse(server.last.text)).toEqual({
      kind: "Eviction",
      apiVersion: "policy/v1",
      metadata: { name: "web-0", namespace: "prod" },
      deleteOptions: { gracePeriodSeconds: 5, preconditions: { uid: "7" } },
    });
  });

  it("makes one attempt with retryForMs: 0, whatever the server's Retry-After", async () => {
    const { server, evict } = setUp(budget(10));
    expect((await failure(evict({ retryForMs: 0 }))).code).toBe("TooManyRequests");
    expect(server.sent).toHaveLength(1);
  });

  it("is retried for 30 seconds by default; the error names the budget", async () => {
    const message = "The disruption budget web needs 2 healthy pods and has 2 currently";
    const refusal = statusResponse(429, "TooManyRequests", {
      details: { retryAfterSeconds: 10, causes: [{ reason: "DisruptionBudget", message }] },
    });
    const { server, clock, evict } = setUp(refusal);
    const late = failure(evict());
    await clock.advance(30_000);
    expect((await late).message).toContain(
      `the pod prod/web-0 was not evicted within 30000 ms: TooManyRequests it is ${message}`,
    );
    expect((await late).causes).toHaveLength(1);
    expect([server.sent.length, clock.pending]).toEqual([4, 0]);
  });

  it("is also retried while the server is overloaded", async () => {
    const busy = statusResponse(503, "ServiceUnavailable", { details: { retryAfterSeconds: 1 } });
    const { server, clock, evict } = setUp(busy, done);
    const evicted = evict();
    await clock.advance(1_000);
    expect(await evicted).toBe(true);
    expect(server.sent).toHaveLength(2);
  });

  it("is retried as the server advises, otherwise every five seconds, until the budget allows it", async () => {
    const { server, clock, evict } = setUp(budget(), budget(10), done);
    const evicted = evict({ retryForMs: 60_000 });
    await clock.advance(4_999);
    expect(server.sent).toHaveLength(1);
    await clock.advance(1);
    expect(server.sent).toHaveLength(2);
    await clock.advance(10_000);
    expect(await evicted).toBe(true);
    expect([server.sent.length, clock.pending]).toEqual([3, 0]);
  });

  it("ends in time, and on abort with the signal's own reason", async () => {
    const { server, clock, turnBack, evict } = setUp(budget());
    const late = failure(evict({ retryForMs: 12_000 }));
    await clock.advance(1_000);
    // A change of the time of day does not extend the wait.
    turnBack(3_600_000);
    await clock.advance(19_000);
    expect((await late).code).toBe("TooManyRequests");
    expect(server.sent).toHaveLength(3);
    const controller = new AbortController();
    const reason = new Error("enough");
    const aborted = evict({ retryForMs: 60_000, signal: controller.signal }).catch(
      (e: unknown) => e,
    );
    await clock.advance(1_000);
    controller.abort(reason);
    expect(await aborted).toBe(reason);
    expect(clock.pending).toBe(0);
  });

  it("is not retried after other refusals; a pod that is gone counts as evicted", async () => {
    const busy = setUp(statusResponse(429, "TooManyRequests"));
    expect((await failure(busy.evict({ retryForMs: 60_000 }))).code).toBe("TooManyRequests");
    expect(busy.server.sent).toHaveLength(1);
    const gone = setUp(
      statusResponse(404, "NotFound", { details: { name: "web-0", kind: "pods" } }),
    );
    expect(await gone.evict()).toBe(false);
    const unserved = setUp(statusResponse(404, "NotFound", { details: {} }));
    expect((await failure(unserved.evict())).code).toBe("NotFound");
  });
});

describe("certificate signing requests", () => {
  const request = (...types: readonly string[]) => ({
    body: {
      kind: "CertificateSigningRequest",
      apiVersion: "certificates.k8s.io/v1",
      metadata: { name: "a", resourceVersion: "3" },
      status: { conditions: types.map((type) => ({ type, status: "True" })) },
    },
  });

  it("are approved by a condition in their approval subresource, despite conflicts", async () => {
    const server = new ScriptedServer(
      request(),
      statusResponse(409, "Conflict"),
      request(),
      request("Approved"),
    );
    const decided = await server
      .client()
      .decideCertificate("a", "Approved", { message: "why not" });
    expect(decided.status?.conditions).toHaveLength(1);
    expect(server.log.map((line) => line.replace(/\/apis.*requests\//, ""))).toEqual([
      "GET a",
      "PUT a/approval",
      "GET a",
      "PUT a/approval",
    ]);
    expect(JSON.parse(server.last.text)).toMatchObject({
      metadata: { resourceVersion: "3" },
      status: {
        conditions: [
          { type: "Approved", status: "True", reason: "TypeKubeApprove", message: "why not" },
        ],
      },
    });
  });

  it("are unchanged when already decided that way; a refusal is thrown", async () => {
    const decided = new ScriptedServer(request("Denied"));
    await decided.client().decideCertificate("a", "Denied");
    expect(decided.sent).toHaveLength(1);
    const refused = new ScriptedServer(request("Denied"), statusResponse(422, "Invalid"));
    const error = await failure(refused.client().decideCertificate("a", "Approved"));
    expect(error.code).toBe("Invalid");
  });

  it("fail after repeated conflicts", async () => {
    const server = new ScriptedServer(({ method }) =>
      method === "GET" ? request() : statusResponse(409, "Conflict"),
    );
    expect((await failure(server.client().decideCertificate("a", "Approved"))).code).toBe(
      "Conflict",
    );
    expect(server.sent).toHaveLength(10);
  });
});
