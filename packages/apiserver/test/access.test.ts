import { ServiceAccount } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import { call, configMaps, type Json, pods } from "@typekube/test-support/api-calls";
import { describe, expect, it } from "vitest";

const reviews = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const tokenReviews = "/apis/authentication.k8s.io/v1/tokenreviews";
const accounts = "/api/v1/namespaces/default/serviceaccounts";

/** Returns the user that the server derives from a request. */
async function whoAmI(
  api: Parameters<typeof call>[0],
  headers: Readonly<Record<string, string>> = {},
): Promise<Json> {
  const { status, body } = await call(api, "POST", reviews, {}, headers);
  return status === 201 ? body.status.userInfo : body;
}

describe("users", () => {
  it("§3.20: are identified by their token; another token gets 401 without details", async () => {
    await using api = await startApiServer({
      users: [
        { name: "jane", uid: "7", groups: ["dev"], extra: { "example.com/a": ["b"] }, token: "t1" },
      ],
    });
    expect(await whoAmI(api, { authorization: "Bearer t1" })).toEqual({
      username: "jane",
      uid: "7",
      groups: ["dev", "system:authenticated"],
      extra: { "example.com/a": ["b"] },
    });
    const { status, body } = await call(api, "GET", configMaps, undefined, {
      authorization: "Bearer t2",
    });
    expect(status).toBe(401);
    expect(body).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "Unauthorized",
      reason: "Unauthorized",
      code: 401,
    });
    expect(api.requests.map(({ user }) => user)).toEqual(["jane", undefined]);
  });

  it("an in-process client can use any user", async () => {
    await using api = await startApiServer({ users: [{ name: "jane", groups: ["dev"] }] });
    await using jane = await api.client({ as: "jane" });
    await using bob = await api.client({ as: { name: "bob", groups: ["ops"] } });
    await using admin = await api.client();
    expect((await jane.whoAmI()).groups).toEqual(["dev", "system:authenticated"]);
    expect(await bob.whoAmI()).toMatchObject({
      username: "bob",
      groups: ["ops", "system:authenticated"],
    });
    expect((await admin.whoAmI()).groups).toContain("system:masters");
    expect(api.requests.map(({ user }) => user)).toEqual(["jane", "bob", "system:admin"]);
  });

  it("§3.20: can be impersonated with names beyond ASCII", async () => {
    await using api = await startApiServer();
    await using client = await api.client();
    const impersonate = {
      user: "jäne",
      uid: "ü",
      groups: ["grüppe", "%C3"],
      extra: { kü: ["日"] },
    };
    expect(await client.with({ impersonate }).whoAmI()).toEqual({
      username: "jäne",
      uid: "ü",
      groups: ["grüppe", "%C3", "system:authenticated"],
      extra: { kü: ["日"] },
    });
  });

  it("§3.20: can be impersonated with groups, uid and extras", async () => {
    await using api = await startApiServer({ authorization: "RBAC" });
    const as = (name: string, more: Readonly<Record<string, string>> = {}) =>
      whoAmI(api, { "impersonate-user": name, ...more });
    expect(
      await as("jane", {
        "impersonate-group": "a\nb, c",
        "impersonate-uid": "u1",
        "impersonate-extra-scopes.k8s.io%2fx": "v",
      }),
    ).toEqual({
      username: "jane",
      uid: "u1",
      groups: ["a", "b, c", "system:authenticated"],
      extra: { "scopes.k8s.io/x": ["v"] },
    });
    const account = "system:serviceaccount:default:x";
    expect((await as(account)).groups).toEqual([
      "system:serviceaccounts",
      "system:serviceaccounts:default",
      "system:authenticated",
    ]);
    expect((await as(account, { "impersonate-group": "q" })).groups).toEqual([
      "q",
      "system:authenticated",
    ]);
    expect((await as("system:anonymous")).message).toContain(
      'User "system:anonymous" cannot create',
    );
    const nobody = await call(api, "POST", reviews, {}, { "impersonate-group": "a" });
    expect([nobody.status, nobody.body.message]).toEqual([
      400,
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"a"}, Extra:map[string][]string(nil)} without impersonating a user name',
    ]);
  });

  it("§3.20: impersonation needs one permission for everything or, since 1.36, one for the action and one for the user", async () => {
    await using api = await startApiServer({
      authorization: "RBAC",
      users: [{ name: "viewer", token: "v" }],
    });
    const rbac = "/apis/rbac.authorization.k8s.io/v1";
    const bind = async (name: string, rules: Json[]) => {
      await call(api, "POST", `${rbac}/clusterroles`, { metadata: { name }, rules });
      await call(api, "POST", `${rbac}/clusterrolebindings`, {
        metadata: { name },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
        subjects: [{ kind: "User", name: "viewer", apiGroup: "rbac.authorization.k8s.io" }],
      });
    };
    const as = (name: string, more: Readonly<Record<string, string>> = {}) =>
      whoAmI(api, { authorization: "Bearer v", "impersonate-user": name, ...more });
    const refused = (verb: string) =>
      `selfsubjectreviews.authentication.k8s.io is forbidden: User "viewer" cannot ${verb} resource "selfsubjectreviews" in API group "authentication.k8s.io" at the cluster scope`;
    expect((await as("jane")).message).toBe(refused("impersonate-on:user-info:create"));
    expect((await as("system:serviceaccount:default:x")).message).toBe(
      refused("impersonate-on:serviceaccount:create"),
    );
    expect((await as("system:node:n1")).message).toBe(
      refused("impersonate-on:arbitrary-node:create"),
    );
    expect(
      (await as("system:serviceaccount:default:x", { "impersonate-group": "g" })).message,
    ).toBe(
      'serviceaccounts "x" is forbidden: User "viewer" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "default"',
    );
    const kind = { apiGroups: ["authentication.k8s.io"] };
    await bind("constrained", [
      { ...kind, resources: ["selfsubjectreviews"], verbs: ["impersonate-on:user-info:create"] },
      { ...kind, resources: ["users"], resourceNames: ["jane"], verbs: ["impersonate:user-info"] },
    ]);
    expect((await as("jane")).username).toBe("jane");
    expect((await as("bob")).message).toBe(
      'users.authentication.k8s.io "bob" is forbidden: User "viewer" cannot impersonate:user-info resource "users" in API group "authentication.k8s.io" at the cluster scope',
    );
    await bind("legacy", [{ apiGroups: [""], resources: ["users"], verbs: ["impersonate"] }]);
    expect((await as("bob")).username).toBe("bob");
  });

  it("§3.11: a token request returns a signed token, valid until it expires on the server's clock", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    await using admin = await api.client();
    const { metadata } = await admin
      .resource(ServiceAccount, "default")
      .create({ metadata: { name: "sa" } });
    const ask = (spec: Json, path = `${accounts}/sa/token`) => call(api, "POST", path, { spec });
    const { body } = await ask({ expirationSeconds: 600 });
    expect(body).toMatchObject({
      kind: "TokenRequest",
      apiVersion: "authentication.k8s.io/v1",
      metadata: { name: "sa", namespace: "default", uid: metadata.uid },
      spec: { expirationSeconds: 600, boundObjectRef: null },
      status: { expirationTimestamp: "2026-01-01T00:10:00Z" },
    });
    const authorization = `Bearer ${body.status.token}`;
    expect(await whoAmI(api, { authorization })).toMatchObject({
      username: "system:serviceaccount:default:sa",
      uid: metadata.uid,
      groups: ["system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated"],
    });
    const review = async (token: string, audiences?: string[]) =>
      (await call(api, "POST", tokenReviews, { spec: { token, audiences } })).body.status;
    expect((await review(body.status.token)).authenticated).toBe(true);
    const elsewhere = (await ask({ audiences: ["vault"] })).body.status.token;
    expect((await whoAmI(api, { authorization: `Bearer ${elsewhere}` })).code).toBe(401);
    expect(await review(elsewhere, ["vault", "other"])).toMatchObject({
      authenticated: true,
      audiences: ["vault"],
    });
    expect(await review(elsewhere)).toEqual({ user: {}, error: "invalid bearer token" });
    const [head, claims = "", signature] = String(body.status.token).split(".");
    const forged = Buffer.from(claims, "base64url").toString().replace("default:sa", "default:sb");
    const broken = `${head}.${Buffer.from(forged).toString("base64url")}.${signature}`;
    expect((await whoAmI(api, { authorization: `Bearer ${broken}` })).code).toBe(401);
    await api.clock.advance(600_000);
    expect((await whoAmI(api, { authorization })).code).toBe(401);
    for (const [spec, status, message] of [
      [
        { expirationSeconds: 5 },
        422,
        'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes',
      ],
      [
        { boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "pp" } },
        404,
        'pods "pp" not found',
      ],
      [
        { boundObjectRef: { kind: "ConfigMap", apiVersion: "v1", name: "pp" } },
        400,
        "cannot bind token to object of type /v1, Kind=ConfigMap",
      ],
    ] as const) {
      const refused = await ask(spec);
      expect([refused.status, refused.body.message]).toEqual([status, message]);
    }
    expect((await ask({}, `${accounts}/nope/token`)).status).toBe(404);
  });

  it("§3.11: a token ends with its service account and with the pod that it is bound to", async () => {
    await using api = await startApiServer();
    for (const name of ["sa", "other"]) {
      await call(api, "POST", accounts, { metadata: { name } });
    }
    const containers = [{ name: "c", image: "x" }];
    const pod = { metadata: { name: "p" }, spec: { serviceAccountName: "sa", containers } };
    expect((await call(api, "POST", pods, pod)).status).toBe(201);
    const boundObjectRef = { kind: "Pod", apiVersion: "v1", name: "p" };
    const ask = async (name: string, spec: Json) =>
      (await call(api, "POST", `${accounts}/${name}/token`, { spec })).body;
    expect((await ask("other", { boundObjectRef })).message).toBe(
      'cannot bind token for serviceaccount "other" to pod running with different serviceaccount name.',
    );
    const bound = `Bearer ${(await ask("sa", { boundObjectRef })).status.token}`;
    const plain = `Bearer ${(await ask("sa", {})).status.token}`;
    expect((await whoAmI(api, { authorization: bound })).extra).toMatchObject({
      "authentication.kubernetes.io/pod-name": ["p"],
    });
    await call(api, "DELETE", `${pods}/p?gracePeriodSeconds=0`);
    expect((await whoAmI(api, { authorization: bound })).code).toBe(401);
    expect((await whoAmI(api, { authorization: plain })).username).toContain("sa");
    await call(api, "DELETE", `${accounts}/sa`);
    await call(api, "POST", accounts, { metadata: { name: "sa" } });
    expect((await whoAmI(api, { authorization: plain })).code).toBe(401);
  });

  it("§3.11: a certificate signing request records the real requester, and is decided once", async () => {
    await using api = await startApiServer({ users: [{ name: "jane", uid: "7", token: "t" }] });
    const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
    const spec = { request: "eA==", signerName: "example.com/a", usages: ["client auth"] };
    const metadata = { name: "c" };
    const jane = { authorization: "Bearer t" };
    const claimed = { ...spec, username: "admin", groups: ["system:masters"] };
    const made = await call(api, "POST", path, { metadata, spec: claimed }, jane);
    expect(made.body.spec).toEqual({
      ...spec,
      username: "jane",
      uid: "7",
      groups: ["system:authenticated"],
    });
    const decide = (subresource: string, ...types: string[]) =>
      call(api, "PUT", `${path}/c/${subresource}`, {
        metadata,
        spec,
        status: { conditions: types.map((type) => ({ type, status: "True", reason: "r" })) },
      });
    const early = await decide("status", "Approved");
    expect([early.status, early.body.message]).toEqual([
      422,
      'CertificateSigningRequest.certificates.k8s.io "c" is invalid: status.conditions: Forbidden: updates may not add a condition of type "Approved"',
    ]);
    expect((await decide("approval", "Approved")).status).toBe(200);
    expect((await decide("approval", "Denied")).body.message).toContain(
      'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
    );
    expect((await decide("approval", "Approved", "Denied")).body.message).toContain(
      'must specify at most one of: `conditions[{"type": "Approved"}]`, `conditions[{"type": "Denied"}]`',
    );
  });

  it("rejects reviews without attributes as real servers do", async () => {
    await using api = await startApiServer();
    const group = "/apis/authorization.k8s.io/v1";
    const attributes = { verb: "get", resource: "pods" };
    for (const [path, spec, status, message] of [
      [
        `${group}/subjectaccessreviews`,
        { user: "x" },
        422,
        '.authorization.k8s.io "" is invalid: spec: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ],
      [
        `${group}/subjectaccessreviews`,
        { resourceAttributes: attributes },
        422,
        '.authorization.k8s.io "" is invalid: spec.user: Invalid value: "": at least one of user or group must be specified',
      ],
      [
        `${group}/namespaces/default/localsubjectaccessreviews`,
        { user: "x", resourceAttributes: { ...attributes, namespace: "other" } },
        422,
        '.authorization.k8s.io "" is invalid: spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace',
      ],
      [`${group}/selfsubjectrulesreviews`, {}, 400, "no namespace on request"],
      [tokenReviews, {}, 400, "token is required for TokenReview in authentication"],
    ] as const) {
      const { status: is, body } = await call(api, "POST", path, { spec });
      expect([is, body.message]).toEqual([status, message]);
    }
    const { body } = await call(api, "POST", tokenReviews, { spec: { token: "zzz" } });
    expect(body.status).toEqual({ user: {}, error: "invalid bearer token" });
  });
});

describe("faults", () => {
  it("§3.25: strike the requests of one user", async () => {
    await using api = await startApiServer({ users: [{ name: "jane", token: "t" }] });
    api.fault({ user: "jane", status: 429, times: 2 });
    expect((await call(api, "GET", configMaps)).status).toBe(200);
    const jane = { authorization: "Bearer t" };
    expect((await call(api, "GET", configMaps, undefined, jane)).status).toBe(429);
  });
});

describe("the journal", () => {
  it("§3.26: records user, size, duration and protocol", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    const object = { metadata: { name: "a" } };
    await call(api, "POST", configMaps, object);
    expect(api.requests[0]).toMatchObject({
      verb: "create",
      user: "system:admin",
      protocol: "in-process",
      bodyBytes: JSON.stringify(object).length,
      status: 201,
      durationMs: 0,
    });
  });

  it("§3.19: /metrics counts requests by verb, resource and code, and open watches", async () => {
    await using api = await startApiServer();
    await call(api, "GET", configMaps);
    await call(api, "GET", `${configMaps}/none`);
    const abort = new AbortController();
    const watch = await api.send({
      method: "GET",
      path: `${configMaps}?watch=1&resourceVersion=0&allowWatchBookmarks=true`,
      headers: {},
      mode: "stream",
      signal: abort.signal,
    });
    await watch.body[Symbol.asyncIterator]().next();
    const { text, headers } = await call(api, "GET", "/metrics");
    expect(headers["content-type"]).toContain("text/plain; version=0.0.4");
    const common = 'component="apiserver"';
    expect(text.split("\n")).toEqual(
      expect.arrayContaining([
        `apiserver_request_total{code="200",${common},dry_run="",group="",resource="configmaps",scope="namespace",subresource="",verb="LIST",version="v1"} 1`,
        `apiserver_request_total{code="404",${common},dry_run="",group="",resource="configmaps",scope="resource",subresource="",verb="GET",version="v1"} 1`,
        `apiserver_longrunning_requests{${common},group="",resource="configmaps",scope="namespace",subresource="",verb="WATCH",version="v1"} 1`,
      ]),
    );
    abort.abort();
  });
});
