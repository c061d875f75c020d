import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap, Secret } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import { defineController, rbacOf, startManager } from "@typekube/controller";
import { mergePatch } from "typekube";
import { expect, test } from "vitest";
import { Shop, shopDefinition } from "../shop.js";

const shops = defineController(Shop, {
  owns: [ConfigMap],
  watches: [{ kind: Secret, by: ({ spec }) => (spec?.credentials ? [spec.credentials] : []) }],
  async reconcile({ spec }, run) {
    if (spec?.image) {
      await run.apply(ConfigMap, { metadata: { name: "c" }, data: { image: spec.image } });
    }
    return { status: { url: "x" } };
  },
  finalize() {},
});

test("CW22: the roles follow from what the controllers declare", () => {
  const web = defineController(
    { kind: Deployment, namespaces: ["prod", "test"] },
    { reads: [{ kind: Secret, cached: false, verbs: ["create"] }], reconcile() {} },
  );
  const options = { leaderElection: { namespace: "ops" }, name: "operator" };
  expect(rbacOf([shops, web], options)).toMatchInlineSnapshot(`
    {
      "clusterRole": {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {
          "name": "operator",
        },
        "rules": [
          {
            "apiGroups": [
              "",
            ],
            "resources": [
              "configmaps",
            ],
            "verbs": [
              "create",
              "delete",
              "get",
              "list",
              "patch",
              "update",
              "watch",
            ],
          },
          {
            "apiGroups": [
              "",
            ],
            "resources": [
              "events",
            ],
            "verbs": [
              "create",
              "patch",
            ],
          },
          {
            "apiGroups": [
              "",
            ],
            "resources": [
              "secrets",
            ],
            "verbs": [
              "create",
              "get",
              "list",
              "watch",
            ],
          },
          {
            "apiGroups": [
              "events.k8s.io",
            ],
            "resources": [
              "events",
            ],
            "verbs": [
              "create",
              "patch",
            ],
          },
          {
            "apiGroups": [
              "example.com",
            ],
            "resources": [
              "shops",
            ],
            "verbs": [
              "get",
              "list",
              "patch",
              "watch",
            ],
          },
          {
            "apiGroups": [
              "example.com",
            ],
            "resources": [
              "shops/finalizers",
            ],
            "verbs": [
              "update",
            ],
          },
          {
            "apiGroups": [
              "example.com",
            ],
            "resources": [
              "shops/status",
            ],
            "verbs": [
              "patch",
            ],
          },
        ],
      },
      "roles": [
        {
          "apiVersion": "rbac.authorization.k8s.io/v1",
          "kind": "Role",
          "metadata": {
            "name": "operator",
            "namespace": "ops",
          },
          "rules": [
            {
              "apiGroups": [
                "coordination.k8s.io",
              ],
              "resources": [
                "leases",
              ],
              "verbs": [
                "create",
                "get",
                "list",
                "update",
                "watch",
              ],
            },
          ],
        },
        {
          "apiVersion": "rbac.authorization.k8s.io/v1",
          "kind": "Role",
          "metadata": {
            "name": "operator",
            "namespace": "prod",
          },
          "rules": [
            {
              "apiGroups": [
                "apps",
              ],
              "resources": [
                "deployments",
              ],
              "verbs": [
                "get",
                "list",
                "watch",
              ],
            },
            {
              "apiGroups": [
                "apps",
              ],
              "resources": [
                "deployments/status",
              ],
              "verbs": [
                "patch",
              ],
            },
          ],
        },
        {
          "apiVersion": "rbac.authorization.k8s.io/v1",
          "kind": "Role",
          "metadata": {
            "name": "operator",
            "namespace": "test",
          },
          "rules": [
            {
              "apiGroups": [
                "apps",
              ],
              "resources": [
                "deployments",
              ],
              "verbs": [
                "get",
                "list",
                "watch",
              ],
            },
            {
              "apiGroups": [
                "apps",
              ],
              "resources": [
                "deployments/status",
              ],
              "verbs": [
                "patch",
              ],
            },
          ],
        },
      ],
    }
  `);
});

test("CW22: a kind without a descriptor is refused, because its plural is not known", () => {
  const dynamic = defineController({ apiVersion: "a.com/v1", kind: "Mouse" }, { reconcile() {} });
  expect(() => rbacOf(dynamic)).toThrow(/plural of a.com\/v1\/Mouse/);
});

test("CW22: an operator works with exactly its roles", async () => {
  const { clusterRole, roles } = rbacOf(shops, {
    name: "operator",
    leaderElection: { namespace: "default" },
  });
  await using api = await startApiServer({
    authorization: "RBAC",
    users: [{ name: "operator" }],
    clock: "virtual",
  });
  await using admin = await api.client({ as: { name: "admin", groups: ["system:masters"] } });
  const subjects = [{ kind: "User", name: "operator", apiGroup: "rbac.authorization.k8s.io" }];
  const binding = (kind: string) => ({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: `${kind}Binding`,
    metadata: { name: "operator", ...(kind === "Role" ? { namespace: "default" } : {}) },
    roleRef: { kind, name: "operator", apiGroup: "rbac.authorization.k8s.io" },
    subjects,
  });
  const manifests = [
    shopDefinition,
    clusterRole,
    ...roles,
    binding("ClusterRole"),
    binding("Role"),
  ];
  await admin.applyAll(manifests as never);
  await using client = await api.client({ as: "operator" });
  const log: unknown[] = [];
  await using _ = await startManager(client, {
    controllers: [shops],
    leaderElection: { name: "operator", namespace: "default" },
    log: (entry) => log.push(entry.message),
  });
  const own = admin.resource(Shop, "default");
  await own.create({ metadata: { name: "tea" }, spec: { image: "1" } });
  await api.settled();
  expect(await admin.resource(ConfigMap, "default").find("c")).toBeDefined();
  await own.patch("tea", mergePatch({ spec: { image: null } }));
  await api.settled();
  expect(await admin.resource(ConfigMap, "default").find("c")).toBeUndefined();
  await own.delete("tea");
  await api.settled();
  expect(await own.find("tea")).toBeUndefined();
  const refused = api.requests.filter(({ status }) => status === 403);
  expect(refused).toEqual([]);
});

test("CH11: a sharding needs rights on Leases in its namespace, and nothing else", () => {
  const controller = defineController(ConfigMap, { reconcile() {} });
  const { roles } = rbacOf(controller, { shards: { namespace: "ops" } });
  expect(roles.map(({ metadata, rules }) => [metadata?.namespace, rules])).toEqual([
    [
      "ops",
      [
        {
          apiGroups: ["coordination.k8s.io"],
          resources: ["leases"],
          verbs: ["create", "delete", "get", "list", "update", "watch"],
        },
      ],
    ],
  ]);
});
