import { ConfigMap } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import { defineController, rbacOf } from "@typekube/controller";
import { mergePatch, toYaml } from "typekube";
import { defineResource, install } from "typekube/crd";
import { expect, test } from "vitest";
import * as z from "zod";

const names = { group: "example.com", version: "v1" } as const;
const Widget = defineResource({
  ...names,
  kind: "Widget",
  spec: z.object({ size: z.int() }),
  status: z.object({ ready: z.boolean().optional() }),
});
const Zone = defineResource({ ...names, kind: "Zone", scope: "Cluster", spec: z.object({}) });

const rights = [
  Widget.rights(["get", "list", "watch", "patch"]),
  Widget.rights(["patch", "get"], { subresource: "status" }),
  Zone.rights(["get"], { name: "eu" }),
  Widget.rights(["create"], { namespace: "prod" }),
];

test("ZD10: rbacOf prints the rules for rights on custom resources", () => {
  const { clusterRole, roles } = rbacOf(rights);
  expect([clusterRole, ...roles].map((role) => toYaml(role)).join("---\n")).toBe(`\
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: widgets-zones
rules:
- apiGroups:
  - example.com
  resources:
  - widgets
  verbs:
  - get
  - list
  - patch
  - watch
- apiGroups:
  - example.com
  resources:
  - widgets/status
  verbs:
  - get
  - patch
- apiGroups:
  - example.com
  resourceNames:
  - eu
  resources:
  - zones
  verbs:
  - get
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: widgets-zones
  namespace: prod
rules:
- apiGroups:
  - example.com
  resources:
  - widgets
  verbs:
  - create
`);
});

test("ZD10: rights are added to those of controllers, whose events and names stay", () => {
  const controller = defineController(ConfigMap, { name: "maps", reconcile() {} });
  const { clusterRole } = rbacOf([controller, Widget.rights(["get"])], { events: false });
  expect(clusterRole?.metadata?.name).toBe("maps");
  expect(clusterRole?.rules?.map(({ resources, verbs }) => [resources, verbs])).toEqual([
    [["configmaps"], ["get", "list", "watch"]],
    [["widgets"], ["get"]],
  ]);
  const withEvents = rbacOf([controller, Widget.rights(["get"])]);
  expect(withEvents.clusterRole?.rules?.flatMap(({ resources }) => resources)).toContain("events");
});

test("ZD10: a user with these roles may do exactly that", async () => {
  await using api = await startApiServer({ authorization: "RBAC", users: [{ name: "user" }] });
  await using admin = await api.client({ as: { name: "admin", groups: ["system:masters"] } });
  await install(admin, [Widget, Zone]);
  const { clusterRole } = rbacOf(rights, { name: "user" });
  const apiGroup = "rbac.authorization.k8s.io";
  await admin.applyAll([
    clusterRole ?? {},
    {
      apiVersion: `${apiGroup}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name: "user" },
      roleRef: { kind: "ClusterRole", name: "user", apiGroup },
      subjects: [{ kind: "User", name: "user", apiGroup }],
    },
  ]);
  await admin.resource(Widget, "default").create({ metadata: { name: "a" }, spec: { size: 1 } });
  await using client = await api.client({ as: "user" });
  const widgets = client.resource(Widget, "default");
  await widgets.patch("a", mergePatch({ spec: { size: 2 } }));
  await widgets.status.patch("a", mergePatch({ status: { ready: true } }));
  expect((await widgets.list()).items[0]).toMatchObject({
    spec: { size: 2 },
    status: { ready: true },
  });
  for (const refused of [
    () => widgets.delete("a"),
    () => widgets.create({ metadata: { name: "b" }, spec: { size: 1 } }),
    () => client.resource(Zone).get("us"),
  ]) {
    await expect(refused()).rejects.toMatchObject({ code: "Forbidden" });
  }
  await expect(client.resource(Zone).get("eu")).rejects.toMatchObject({ code: "NotFound" });
});

test("ZD10: rights that a resource does not have are refused", () => {
  const texts = [
    () => Widget.rights([]),
    () => Widget.rights("get" as never),
    () => Widget.rights(undefined as never),
    () => Widget.rights(["fly" as "get"]),
    () => Widget.rights(["create"], { subresource: "status" }),
    () => Widget.rights(["get"], { subresource: "scale" as "status" }),
    () => Zone.rights(["get"], { namespace: "prod" }),
    () => Zone.rights(["get"], { names: "eu" } as object),
  ].map((call) => {
    try {
      return call();
    } catch (error) {
      return (error as Error).message.replace(/^\[InvalidArgument\] /, "");
    }
  });
  expect(texts).toEqual([
    "rights() needs verbs: use create, delete, deletecollection, get, list, patch, update, watch",
    'rights() needs a list of verbs: such as ["get", "list"]',
    'rights() needs a list of verbs: such as ["get", "list"]',
    'rights(): unknown verb "fly": use create, delete, deletecollection, get, list, patch, update, watch',
    'rights(): unknown verb "create": use get, patch, update',
    'rights(): Widget has no subresource "scale": it has status, finalizers',
    "rights(): Zone has no namespaces: leave namespace out",
    expect.stringContaining('"names"'),
  ]);
  expect(Widget.rights(["update"], { subresource: "finalizers" }).resource).toBe(
    "widgets/finalizers",
  );
});
