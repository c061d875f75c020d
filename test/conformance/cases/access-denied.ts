import assert from "node:assert/strict";
import { isForbidden, KubeError } from "@typekube/core";
import { untilAllowed } from "@typekube/test-support/real-server/until-allowed";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { rawRequest } from "../support/raw-request.js";

const rbac = "rbac.authorization.k8s.io";
const authentication = "/apis/authentication.k8s.io/v1";
const authorization = "/apis/authorization.k8s.io/v1";

/** Sends JSON and returns the status and message of the response. */
async function send(
  context: Pick<ConformanceContext, "client" | "signal">,
  method: "GET" | "POST",
  path: string,
  body?: unknown,
): Promise<readonly [status: number, message: string | undefined]> {
  const response = await rawRequest(context, { method, path, body });
  return [response.status, response.json<{ message?: string }>().message];
}

/** Cases for rejected requests: their messages, and privilege escalation. */
export const accessDenied: readonly ConformanceCase[] = [
  {
    id: "access-refusals",
    name: "a denied request responds with the same message whether or not the resource exists",
    needs: ["users"],
    async run({ clientOf, signal }) {
      await using client = await clientOf("viewer");
      const inDefault = 'in the namespace "default"';
      for (const [method, path, message] of [
        [
          "GET",
          "/api/v1/pods",
          'pods is forbidden: User "viewer" cannot list resource "pods" in API group "" at the cluster scope',
        ],
        [
          "GET",
          "/api/v1/namespaces/default/pods?watch=1",
          `pods is forbidden: User "viewer" cannot watch resource "pods" in API group "" ${inDefault}`,
        ],
        [
          "GET",
          "/api/v1/namespaces/default/pods?fieldSelector=metadata.name%3Dabc",
          `pods "abc" is forbidden: User "viewer" cannot list resource "pods" in API group "" ${inDefault}`,
        ],
        [
          "GET",
          "/apis/apps/v1/namespaces/default/deployments/web/scale",
          `deployments.apps "web" is forbidden: User "viewer" cannot get resource "deployments/scale" in API group "apps" ${inDefault}`,
        ],
        [
          "GET",
          "/api/v1/namespaces/default",
          `namespaces "default" is forbidden: User "viewer" cannot get resource "namespaces" in API group "" ${inDefault}`,
        ],
        [
          "GET",
          "/apis/foo.io/v1/namespaces/default/nosuch",
          `nosuch.foo.io is forbidden: User "viewer" cannot list resource "nosuch" in API group "foo.io" ${inDefault}`,
        ],
        ["GET", "/metrics", 'forbidden: User "viewer" cannot get path "/metrics"'],
        ["POST", "/version", 'forbidden: User "viewer" cannot post path "/version"'],
      ] as const) {
        assert.deepEqual(await send({ client, signal }, method, path), [403, message]);
      }
    },
  },
  {
    id: "access-escalation",
    name: "no user can grant permissions by a role or a binding that the user does not have",
    needs: ["users"],
    async run({ client, clientOf, namespace, signal }) {
      const metadata = { name: `grants-${namespace}` };
      const rules = [
        { apiGroups: [rbac], resources: ["*"], verbs: ["create"] },
        { apiGroups: [""], resources: ["configmaps"], verbs: ["get"] },
      ];
      const admin = { client, signal };
      await send(admin, "POST", `/apis/${rbac}/v1/namespaces/${namespace}/roles`, {
        metadata,
        rules,
      });
      await send(admin, "POST", `/apis/${rbac}/v1/namespaces/${namespace}/rolebindings`, {
        metadata,
        roleRef: { apiGroup: rbac, kind: "Role", name: metadata.name },
        subjects: [{ kind: "User", name: "viewer", apiGroup: rbac }],
      });
      await using them = await clientOf("viewer");
      const right = { verb: "create", resource: "roles", group: rbac, namespace };
      await untilAllowed(them, right, signal);
      const [status, message = ""] = await send(
        { client: them, signal },
        "POST",
        `/apis/${rbac}/v1/namespaces/${namespace}/roles`,
        {
          metadata: { name: "more" },
          rules: [{ apiGroups: [""], resources: ["configmaps", "pods"], verbs: ["get", "list"] }],
        },
      );
      assert.equal(status, 403);
      assert.match(
        message,
        /^roles\.rbac\.authorization\.k8s\.io "more" is forbidden: user "viewer" \(groups=\[.*\]\) is attempting to grant RBAC permissions not currently held:\n/,
      );
      assert.deepEqual(message.split("\n").slice(1), [
        '{APIGroups:[""], Resources:["configmaps"], Verbs:["list"]}',
        '{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}',
      ]);
      const bindings = `/apis/${rbac}/v1/namespaces/${namespace}/rolebindings`;
      const bound = (name: string, kind: string) => ({
        metadata: { name: "b" },
        roleRef: { apiGroup: rbac, kind, name },
      });
      const [, admins = ""] = await send(
        { client: them, signal },
        "POST",
        bindings,
        bound("cluster-admin", "ClusterRole"),
      );
      assert.match(
        admins,
        /\n\{APIGroups:\["\*"\], Resources:\["\*"\], Verbs:\["\*"\]\}\n\{NonResourceURLs:\["\*"\], Verbs:\["\*"\]\}$/,
      );
      assert.deepEqual(
        await send({ client: them, signal }, "POST", bindings, bound("missing", "Role")),
        [404, 'rolebindings.rbac.authorization.k8s.io "missing" not found'],
      );
    },
  },
  {
    id: "access-impersonation",
    name: "cluster-admin can impersonate any user; a user without permissions can impersonate none",
    needs: ["users"],
    async run({ client, clientOf, signal }) {
      const response = await rawRequest(
        { client, signal },
        {
          method: "POST",
          path: `${authentication}/selfsubjectreviews`,
          body: {},
          headers: { "impersonate-user": "jane", "impersonate-group": "dev" },
        },
      );
      const { status } = response.json<{ status: { userInfo: unknown } }>();
      assert.deepEqual(
        [response.status, status.userInfo],
        [201, { username: "jane", groups: ["dev", "system:authenticated"] }],
      );
      await using viewer = await clientOf("viewer");
      const refused = viewer.with({ impersonate: { user: "jane" } }).whoAmI({ signal });
      await assert.rejects(refused, (error) => isForbidden(error) && error instanceof KubeError);
    },
  },
  {
    id: "access-reviews",
    name: "access and token reviews without attributes are rejected; others return the reason for the decision",
    needs: ["users"],
    async run({ client, signal, namespace }) {
      const attributes = { verb: "get", resource: "pods" };
      for (const [path, spec, status, message] of [
        [
          `${authorization}/subjectaccessreviews`,
          { user: "x" },
          422,
          '.authorization.k8s.io "" is invalid: spec: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
        ],
        [
          `${authorization}/subjectaccessreviews`,
          { resourceAttributes: attributes },
          422,
          '.authorization.k8s.io "" is invalid: spec.user: Invalid value: "": at least one of user or group must be specified',
        ],
        [
          `${authorization}/namespaces/${namespace}/localsubjectaccessreviews`,
          { user: "x", resourceAttributes: { ...attributes, namespace: "other" } },
          422,
          '.authorization.k8s.io "" is invalid: spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace',
        ],
        [`${authorization}/selfsubjectrulesreviews`, {}, 400, "no namespace on request"],
        [
          `${authentication}/tokenreviews`,
          {},
          400,
          "token is required for TokenReview in authentication",
        ],
      ] as const) {
        assert.deepEqual(await send({ client, signal }, "POST", path, { spec }), [status, message]);
      }
      const nonResourceAttributes = { verb: "get", path: "/api/v1" };
      const spec = { user: "x", groups: ["system:authenticated"], nonResourceAttributes };
      const path = `${authorization}/subjectaccessreviews`;
      const response = await rawRequest(
        { client, signal },
        { method: "POST", path, body: { spec } },
      );
      assert.deepEqual(response.json<{ status: unknown }>().status, {
        allowed: true,
        reason:
          'RBAC: allowed by ClusterRoleBinding "system:discovery" of ClusterRole "system:discovery" to Group "system:authenticated"',
      });
    },
  },
];
