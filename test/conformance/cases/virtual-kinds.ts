import assert from "node:assert/strict";
import { Deployment } from "@typekube/api/apps/v1";
import { SelfSubjectReview } from "@typekube/api/authentication/v1";
import { SelfSubjectAccessReview, SubjectAccessReview } from "@typekube/api/authorization/v1";
import { Pod } from "@typekube/api/core/v1";
import type { ConformanceCase } from "../conformance-case.js";
import { expectFailure } from "../support/expect-failure.js";
import { deployment, pod } from "../support/objects.js";
import { expectRefusal } from "../support/raw-request.js";

/** Cases for virtual kinds, which represent a query or an operation. */
export const virtualKinds: readonly ConformanceCase[] = [
  {
    id: "GRP13",
    name: "an access review is created without a name and returns its result immediately",
    async run({ client, namespace }) {
      const review = await client.resource(SelfSubjectAccessReview).create({
        spec: { resourceAttributes: { namespace, verb: "list", resource: "pods" } },
      });
      assert.equal(review.kind, "SelfSubjectAccessReview");
      assert.equal(review.status?.allowed, true);
    },
  },
  {
    id: "access-review-denied",
    name: "an access review denies a user without a role",
    needs: ["users"],
    async run({ client, namespace }) {
      const review = await client.resource(SubjectAccessReview).create({
        spec: {
          user: "viewer",
          resourceAttributes: { namespace, verb: "list", resource: "pods" },
        },
      });
      assert.equal(review.status?.allowed, false);
    },
  },
  {
    id: "self-review",
    name: "a SelfSubjectReview returns the user",
    needs: ["users"],
    async run({ client, clientOf }) {
      await using viewer = await clientOf("viewer");
      const mine = await viewer.resource(SelfSubjectReview).create({});
      assert.equal(mine.status?.userInfo?.username, "viewer");
      const admin = await client.resource(SelfSubjectReview).create({});
      assert.ok(admin.status?.userInfo?.groups?.includes("system:masters"));
    },
  },
  {
    id: "eviction",
    name: "an eviction deletes the pod",
    async run({ client, namespace }) {
      const pods = client.resource(Pod, namespace);
      await pods.create(pod("a"));
      await pods.eviction.create("a", { metadata: { name: "a", namespace } });
      assert.equal(await pods.find("a"), undefined);
    },
  },
  {
    id: "SSA5-subresource",
    name: "the client adds the object's name to a body for a subresource",
    async run({ client, namespace }) {
      const pods = client.resource(Pod, namespace);
      const deployments = client.resource(Deployment, namespace);
      await pods.create(pod("a"));
      await deployments.create(deployment("d"));
      await pods.binding.create("a", { target: { name: "n" } });
      await pods.eviction.create("a", {});
      assert.equal(
        (await deployments.scale.update("d", { spec: { replicas: 3 } })).spec?.replicas,
        3,
      );
      const elsewhere = `not-there-${namespace}`;
      const nowhere = client.resource(Pod, elsewhere).eviction.create("a", {});
      await expectFailure(nowhere, {
        code: 404,
        reason: "NotFound",
        message: `namespaces "${elsewhere}" not found`,
      });
    },
  },
  {
    id: "subresource-names",
    name: "the server rejects a Binding or Eviction with another name or namespace, or without a target",
    async run(context) {
      const { client, namespace } = context;
      await client.resource(Pod, namespace).create(pod("a"));
      const refused = (body: object, code: number, message: string) =>
        expectRefusal(
          context,
          {
            method: "POST",
            path: `/api/v1/namespaces/${namespace}/pods/a/${"target" in body ? "binding" : "eviction"}`,
            contentType: "application/json",
            body,
          },
          { code, message },
        );
      const binding = { apiVersion: "v1", kind: "Binding", target: { kind: "Node", name: "n" } };
      const eviction = { apiVersion: "policy/v1", kind: "Eviction" };
      for (const body of [binding, eviction]) {
        const other = `name in URL does not match name in ${body.kind} object`;
        await refused(body, 400, other);
        await refused({ ...body, metadata: { name: "b" } }, 400, other);
        await refused(
          { ...body, metadata: { name: "a", namespace: "b" } },
          400,
          "the namespace of the provided object does not match the namespace sent on the request",
        );
      }
      const metadata = { name: "a" };
      await refused({ ...binding, metadata, target: {} }, 500, "target.name: Required value");
      await refused(
        { ...binding, metadata, target: { kind: "Foo", name: "n" } },
        500,
        'target.kind: Unsupported value: "Foo": supported values: "Node", "<empty>"',
      );
    },
  },
  {
    id: "binding",
    name: "a binding assigns the pod to a node, once",
    async run({ client, namespace }) {
      const pods = client.resource(Pod, namespace);
      await pods.create(pod("a"));
      const binding = { metadata: { name: "a" }, target: { kind: "Node", name: "node-1" } };
      await pods.binding.create("a", binding);
      const { spec, status } = await pods.get("a");
      assert.equal(spec?.nodeName, "node-1");
      const scheduled = status?.conditions?.find(({ type }) => type === "PodScheduled");
      assert.equal(scheduled?.status, "True");
    },
  },
];
