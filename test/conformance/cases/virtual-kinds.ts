import assert from "node:assert/strict";
import { SelfSubjectReview } from "@typekube/api/authentication/v1";
import { SelfSubjectAccessReview, SubjectAccessReview } from "@typekube/api/authorization/v1";
import { Pod } from "@typekube/api/core/v1";
import type { ConformanceCase } from "../conformance-case.js";
import { pod } from "../support/objects.js";

/** Kinds that stand for a question or an operation. */
export const virtualKinds: readonly ConformanceCase[] = [
  {
    id: "GRP13",
    name: "an access review is created without a name and answers at once",
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
    name: "a user without a role may do nothing",
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
    name: "a user learns who it is",
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
    id: "binding",
    name: "a binding puts the pod on a node, once",
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
