import { ConfigMap, Secret } from "@typekube/api/core/v1";
import { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from "@typekube/api/rbac/v1";
import { type ApiServer, startApiServer } from "@typekube/apiserver";
import { call, configMaps, type Json } from "@typekube/test-support/api-calls";
import { KubeError } from "typekube";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const group = "rbac.authorization.k8s.io";
const jane = { kind: "User", name: "jane", apiGroup: group };
const roles = `/apis/${group}/v1/namespaces/default/roles`;
const bindings = `/apis/${group}/v1/namespaces/default/rolebindings`;
const who = { "impersonate-user": "jane" };

let api: ApiServer;
beforeEach(async () => {
  api = await startApiServer({
    clock: "virtual",
    authorization: "RBAC",
    users: [{ name: "jane", groups: ["dev"], token: "jane-token" }],
  });
});
afterEach(() => api.close());

/** Grants rules to jane in the whole cluster. */
async function grant(rules: Json[], name = "granted"): Promise<void> {
  await using admin = await api.client();
  await admin.resource(ClusterRole).create({ metadata: { name }, rules });
  const roleRef = { apiGroup: group, kind: "ClusterRole", name };
  await admin
    .resource(ClusterRoleBinding)
    .create({ metadata: { name }, roleRef, subjects: [jane] });
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(KubeError);
  return (error as KubeError).status?.message ?? "";
}

describe("RBAC", () => {
  it("§3.20: rejects with the messages of real servers, also for paths and missing objects", async () => {
    const token = { authorization: "Bearer jane-token" };
    for (const [method, path, message] of [
      [
        "GET",
        configMaps,
        'configmaps is forbidden: User "jane" cannot list resource "configmaps" in API group "" in the namespace "default"',
      ],
      [
        "GET",
        "/api/v1/pods",
        'pods is forbidden: User "jane" cannot list resource "pods" in API group "" at the cluster scope',
      ],
      [
        "GET",
        `${configMaps}?watch=1`,
        'configmaps is forbidden: User "jane" cannot watch resource "configmaps" in API group "" in the namespace "default"',
      ],
      [
        "GET",
        `${configMaps}?fieldSelector=metadata.name%3Da`,
        'configmaps "a" is forbidden: User "jane" cannot list resource "configmaps" in API group "" in the namespace "default"',
      ],
      [
        "GET",
        "/api/v1/namespaces/default",
        'namespaces "default" is forbidden: User "jane" cannot get resource "namespaces" in API group "" in the namespace "default"',
      ],
      [
        "GET",
        "/apis/apps/v1/namespaces/default/deployments/web/scale",
        'deployments.apps "web" is forbidden: User "jane" cannot get resource "deployments/scale" in API group "apps" in the namespace "default"',
      ],
      [
        "DELETE",
        configMaps,
        'configmaps is forbidden: User "jane" cannot deletecollection resource "configmaps" in API group "" in the namespace "default"',
      ],
      [
        "GET",
        "/apis/foo.io/v1/namespaces/default/nosuch",
        'nosuch.foo.io is forbidden: User "jane" cannot list resource "nosuch" in API group "foo.io" in the namespace "default"',
      ],
      ["GET", "/metrics", 'forbidden: User "jane" cannot get path "/metrics"'],
      ["POST", "/version", 'forbidden: User "jane" cannot post path "/version"'],
    ] as const) {
      const { status, body } = await call(api, method, path, undefined, token);
      expect([status, body.reason, body.message]).toEqual([403, "Forbidden", message]);
    }
    expect((await call(api, "GET", "/version", undefined, token)).status).toBe(200);
    expect((await call(api, "GET", "/api", undefined, token)).status).toBe(200);
  });

  it("GRP23: a role applies only in its namespace, by its resource names", async () => {
    await using admin = await api.client();
    const rules = [
      { apiGroups: [""], resources: ["configmaps"], resourceNames: ["a"], verbs: ["get"] },
    ];
    await admin.resource(Role, "default").create({ metadata: { name: "r" }, rules });
    const roleRef = { apiGroup: group, kind: "Role", name: "r" };
    await admin.resource(RoleBinding, "default").create({
      metadata: { name: "r" },
      roleRef,
      subjects: [{ kind: "Group", name: "dev", apiGroup: group }],
    });
    await admin.resource(ConfigMap, "default").create({ metadata: { name: "a" } });
    await using them = await api.client({ as: "jane" });
    expect((await them.resource(ConfigMap, "default").get("a")).metadata.name).toBe("a");
    await refusal(them.resource(ConfigMap, "default").get("b"));
    await refusal(them.resource(ConfigMap, "kube-system").get("a"));
  });

  it("GRP20: an apply or PUT that creates an object requires create", async () => {
    await grant([
      { apiGroups: [""], resources: ["configmaps"], verbs: ["patch"] },
      { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["update"] },
    ]);
    await using them = await api.client({ as: "jane" });
    const apply = them
      .resource(ConfigMap, "default")
      .apply({ metadata: { name: "a" } }, { fieldManager: "m" });
    expect(await refusal(apply)).toBe(
      'configmaps "a" is forbidden: User "jane" cannot create resource "configmaps" in API group "" in the namespace "default"',
    );
    const put = await call(
      api,
      "PUT",
      "/apis/coordination.k8s.io/v1/namespaces/default/leases/a",
      { metadata: { name: "a" } },
      who,
    );
    expect([put.status, put.body.message]).toEqual([
      403,
      'leases.coordination.k8s.io "a" is forbidden: User "jane" cannot create resource "leases" in API group "coordination.k8s.io" in the namespace "default"',
    ]);
  });

  it("view, edit and admin have the usual rules; aggregated roles include new roles", async () => {
    await using admin = await api.client();
    const roleRef = { apiGroup: group, kind: "ClusterRole", name: "view" };
    await admin
      .resource(RoleBinding, "default")
      .create({ metadata: { name: "v" }, roleRef, subjects: [jane] });
    await using them = await api.client({ as: "jane" });
    expect((await them.resource(ConfigMap, "default").list()).items).toEqual([]);
    await refusal(them.resource(Secret, "default").list());
    await refusal(them.resource(ConfigMap, "default").create({ metadata: { name: "a" } }));
    const metadata = {
      name: "secrets-too",
      labels: { "rbac.authorization.k8s.io/aggregate-to-view": "true" },
    };
    const rules = [{ apiGroups: [""], resources: ["secrets"], verbs: ["list"] }];
    await admin.resource(ClusterRole).create({ metadata, rules });
    expect((await them.resource(Secret, "default").list()).items).toEqual([]);
  });

  it("reports why a request is allowed, and that a bound role is missing", async () => {
    await grant([{ apiGroups: [""], resources: ["pods/log"], verbs: ["*"] }]);
    await using admin = await api.client();
    const reviews = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    const ask = async (resourceAttributes: Json) =>
      (await call(api, "POST", reviews, { spec: { user: "jane", resourceAttributes } })).body
        .status;
    expect(await ask({ verb: "get", resource: "pods", subresource: "log" })).toEqual({
      allowed: true,
      reason:
        'RBAC: allowed by ClusterRoleBinding "granted" of ClusterRole "granted" to User "jane"',
    });
    expect(await ask({ verb: "get", resource: "pods" })).toEqual({ allowed: false });
    await admin.resource(ClusterRole).delete("granted");
    expect(await ask({ verb: "get", resource: "pods" })).toEqual({
      allowed: false,
      reason: 'rbac: RBAC: clusterrole.rbac.authorization.k8s.io "granted" not found',
    });
  });

  it("rejects granting permissions that the user lacks, unless the user may escalate or bind", async () => {
    await grant([
      { apiGroups: [group], resources: ["*"], verbs: ["create", "get", "update", "patch"] },
      { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list"] },
    ]);
    const post = async (path: string, body: Json) =>
      (await call(api, "POST", path, body, who)).body;
    const role = (name: string, rules: Json[]) => post(roles, { metadata: { name }, rules });
    expect(
      (await role("ok", [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get"] }])).kind,
    ).toBe("Role");
    const refused = await role("more", [
      { apiGroups: [""], resources: ["configmaps", "pods"], verbs: ["get", "create"] },
      { apiGroups: ["apps"], resources: ["deployments"], resourceNames: ["a"], verbs: ["get"] },
    ]);
    expect([refused.code, refused.message]).toEqual([
      403,
      'roles.rbac.authorization.k8s.io "more" is forbidden: user "jane" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n' +
        '{APIGroups:[""], Resources:["configmaps"], Verbs:["create"]}\n' +
        '{APIGroups:[""], Resources:["pods"], Verbs:["get" "create"]}\n' +
        '{APIGroups:["apps"], Resources:["deployments"], ResourceNames:["a"], Verbs:["get"]}',
    ]);
    const bind = (name: string, kind: string, to: string) =>
      post(bindings, {
        metadata: { name },
        roleRef: { apiGroup: group, kind, name: to },
        subjects: [jane],
      });
    expect((await bind("b", "ClusterRole", "cluster-admin")).message).toContain(
      '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}\n{NonResourceURLs:["*"], Verbs:["*"]}',
    );
    expect((await bind("b", "Role", "missing")).message).toBe(
      'rolebindings.rbac.authorization.k8s.io "missing" not found',
    );
    expect((await bind("b", "Role", "ok")).kind).toBe("RoleBinding");
    const aggregated = await post(`/apis/${group}/v1/clusterroles`, {
      metadata: { name: "x" },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] },
    });
    expect(aggregated.message).toContain(
      "must have cluster-admin privileges to use the aggregationRule",
    );
    await grant([{ apiGroups: [group], resources: ["*"], verbs: ["escalate", "bind"] }], "more");
    expect((await role("more", [{ apiGroups: ["x"], resources: ["y"], verbs: ["z"] }])).kind).toBe(
      "Role",
    );
    expect((await bind("c", "ClusterRole", "cluster-admin")).kind).toBe("RoleBinding");
  });

  it("DEL9: deleting an unreadable object requires its own verb; so does approving for a signer", async () => {
    const certificates = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
    const kind = { apiGroups: ["certificates.k8s.io"] };
    await grant([
      { apiGroups: [""], resources: ["configmaps"], verbs: ["delete"] },
      { ...kind, resources: ["certificatesigningrequests/approval"], verbs: ["update"] },
    ]);
    const path = `${configMaps}/p?ignoreStoreReadErrorWithClusterBreakingPotential=true`;
    const remove = async () => (await call(api, "DELETE", path, undefined, who)).body.message;
    expect(await remove()).toBe(
      'configmaps "p" is forbidden: not permitted to do "unsafe-delete-ignore-read-errors", reason: ',
    );
    const spec = { request: "eA==", signerName: "example.com/a", usages: ["client auth"] };
    const object = { metadata: { name: "c" }, spec };
    await call(api, "POST", certificates, object);
    const conditions = [{ type: "Approved", status: "True", reason: "r" }];
    const body = { ...object, status: { conditions } };
    const approve = () => call(api, "PUT", `${certificates}/c/approval`, body, who);
    expect((await approve()).body.message).toBe(
      'certificatesigningrequests.certificates.k8s.io "c" is forbidden: user not permitted to approve requests with signerName "example.com/a"',
    );
    await grant(
      [
        { apiGroups: [""], resources: ["configmaps"], verbs: ["unsafe-delete-ignore-read-errors"] },
        { ...kind, resources: ["signers"], resourceNames: ["example.com/*"], verbs: ["approve"] },
      ],
      "more",
    );
    expect(await remove()).toBe('configmaps "p" not found');
    expect((await approve()).status).toBe(200);
  });

  it("returns the rules that are bound to a user", async () => {
    await using them = await api.client({ as: "jane" });
    const { resourceRules, nonResourceRules } = await them.rulesIn("default");
    expect(resourceRules.flatMap(({ resources }) => resources)).toEqual([
      "selfsubjectaccessreviews",
      "selfsubjectrulesreviews",
      "selfsubjectreviews",
    ]);
    expect(nonResourceRules.flatMap(({ nonResourceURLs }) => nonResourceURLs)).toContain("/api/*");
  });
});

describe("aggregated ClusterRoles", () => {
  const clusterRoles = `/apis/${group}/v1/clusterroles`;
  const versions = async (server: ApiServer) =>
    (await call(server, "GET", clusterRoles)).body.items.map(({ metadata }: Json) => [
      metadata.name,
      metadata.resourceVersion,
    ]);

  it("ES22: the controller changes nothing in the initial ones", async () => {
    const authorization = "RBAC";
    await using controlled = await startApiServer({ authorization, controllers: true });
    const first = await versions(controlled);
    await controlled.settled();
    expect(await versions(controlled)).toEqual(first);
  });

  it("ES22: the controller adds the rules of a new role; without it stored rules stay unchanged", async () => {
    const part = {
      metadata: {
        name: "more",
        labels: { [`rbac.authorization.k8s.io/aggregate-to-view`]: "true" },
      },
      rules: [{ apiGroups: ["x.io"], resources: ["gadgets"], verbs: ["get"] }],
    };
    const resourcesOf = async (controllers: boolean) => {
      await using server = await startApiServer({ authorization: "RBAC", controllers });
      await call(server, "POST", clusterRoles, part);
      await server.settled();
      const { body } = await call(server, "GET", `${clusterRoles}/admin`);
      return body.rules.flatMap(({ resources }: Json) => resources);
    };
    expect(await resourcesOf(true)).toContain("gadgets");
    expect(await resourcesOf(false)).not.toContain("gadgets");
  });
});
