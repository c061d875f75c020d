import assert from "node:assert/strict";
import { CertificateSigningRequest } from "@typekube/api/certificates/v1";
import { Pod, ServiceAccount } from "@typekube/api/core/v1";
import { PodDisruptionBudget } from "@typekube/api/policy/v1";
import { strategicPatch } from "@typekube/client";
import { isInvalid, isTooManyRequests } from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";
import { pod } from "../support/objects.js";
import { signingRequest } from "../support/signing-request.js";

/** Cases for reviews and operations through the client's own methods. */
export const reviews: readonly ConformanceCase[] = [
  {
    id: "can",
    name: "can() allows cluster-admin everything",
    async run({ client, namespace, signal }) {
      const access = { verb: "list", resource: "pods", namespace };
      assert.equal((await client.can(access, { signal })).allowed, true);
      assert.equal((await client.can({ verb: "get", path: "/metrics" }, { signal })).allowed, true);
    },
  },
  {
    id: "can-unserved",
    name: "can() responds for an unserved resource and warns that it is not served",
    async run({ client, namespace, signal }) {
      const warnings: string[] = [];
      const options = { signal, onWarning: (text: string) => warnings.push(text) };
      const ask = (resource: string, group?: string) =>
        client.can({ verb: "list", resource, group, namespace }, options);
      assert.equal((await ask("podz")).allowed, true);
      assert.equal((await ask("deployments")).allowed, true);
      assert.equal((await ask("deployments", "apps")).allowed, true);
      assert.equal((await ask("nodes")).allowed, true);
      assert.deepEqual(
        warnings.map((text) => text.replace(namespace, "NAMESPACE")),
        [
          'the server has no resource "podz" in the core group',
          'the server has no resource "deployments" in the core group; did you mean resource "deployments", group "apps" (Deployment in apps/v1)?',
          '"nodes" is not namespaced: permissions in "NAMESPACE" do not apply to it',
        ],
      );
    },
  },
  {
    id: "can-denied",
    name: "can() without a role is neither allowed nor explicitly denied",
    needs: ["users"],
    async run({ clientOf, namespace, signal }) {
      await using viewer = await clientOf("viewer");
      const access = { verb: "get", resource: "pods", subresource: "log", namespace, name: "a" };
      const { allowed, denied } = await viewer.can(access, { signal });
      assert.deepEqual([allowed, denied], [false, false]);
      const rules = await viewer.rulesIn(namespace, { signal });
      assert.ok(!rules.resourceRules.some(({ resources }) => resources.includes("pods")));
    },
  },
  {
    id: "rules",
    name: "the rules of cluster-admin contain wildcards for everything",
    async run({ client, namespace, signal }) {
      const { resourceRules, nonResourceRules } = await client.rulesIn(namespace, { signal });
      const all = resourceRules.find(({ resources }) => resources.includes("*"));
      assert.deepEqual([all?.verbs, all?.apiGroups], [["*"], ["*"]]);
      assert.ok(nonResourceRules.some(({ nonResourceURLs }) => nonResourceURLs.includes("*")));
    },
  },
  {
    id: "who-am-i",
    name: "whoAmI() returns the user and the groups of the client",
    async run({ client, signal }) {
      const { username, groups } = await client.whoAmI({ signal });
      assert.ok(username.length > 0);
      assert.ok(groups.includes("system:masters"));
    },
  },
  {
    id: "token-request",
    name: "a service account gets a token that the server authenticates",
    needs: ["users"],
    async run({ client, namespace, signal }) {
      const accounts = client.resource(ServiceAccount, namespace);
      const { metadata } = await accounts.create({ metadata: { name: "builder" } });
      const request = { spec: { audiences: [], expirationSeconds: 600 } };
      const { status } = await accounts.token.create("builder", request);
      assert.ok(Date.parse(String(status?.expirationTimestamp)) > 0);
      const response = await client.reviewToken(status?.token ?? "", { signal });
      assert.equal(response.user?.username, `system:serviceaccount:${namespace}:builder`);
      assert.equal(response.user.uid, metadata.uid);
      const nobodys = await client.reviewToken("nobodys", { signal });
      assert.equal(nobodys.user, undefined);
    },
  },
  {
    id: "eviction-client",
    name: "evict() returns whether the pod existed",
    async run({ client, namespace, signal }) {
      await client.resource(Pod, namespace).create(pod("a"));
      assert.equal(await client.evict("a", { namespace, signal }), true);
      assert.equal(await client.evict("a", { namespace, signal }), false);
    },
  },
  {
    id: "eviction-budget",
    name: "evict() waits until the disruption budget allows an eviction",
    async run({ client, namespace, signal }) {
      const pods = client.resource(Pod, namespace);
      await pods.create(pod("a", { app: "web" }));
      const conditions = [{ type: "Ready", status: "True" }];
      await pods.status.apply("a", { status: { phase: "Running", conditions } });
      const budgets = client.resource(PodDisruptionBudget, namespace);
      const selector = { matchLabels: { app: "web" } };
      const budget = await budgets.create({
        metadata: { name: "web" },
        spec: { minAvailable: 1, selector },
      });
      const status = {
        observedGeneration: budget.metadata.generation ?? 1,
        currentHealthy: 1,
        desiredHealthy: 1,
        expectedPods: 1,
        disruptionsAllowed: 0,
      };
      const held = await budgets.status.update("web", { ...budget, status });
      await assert.rejects(client.evict("a", { namespace, signal }), (error) => {
        assert.ok(isTooManyRequests(error));
        assert.deepEqual(
          error.causes.map(({ reason }) => reason),
          ["DisruptionBudget"],
        );
        return true;
      });
      const evicted = client.evict("a", { namespace, signal, retryForMs: 20_000 });
      const allowed = { ...status, disruptionsAllowed: 1, desiredHealthy: 0 };
      await budgets.status.update("web", { ...held, status: allowed });
      assert.equal(await evicted, true);
    },
  },
  {
    id: "certificate-approval",
    name: "approving a certificate request again adds no condition",
    async run({ client, namespace, signal }) {
      const name = `request-${namespace}`;
      const requests = client.resource(CertificateSigningRequest);
      await requests.create(signingRequest(name));
      const approved = await client.decideCertificate(name, "Approved", {
        reason: "Known",
        signal,
      });
      const [condition] = approved.status?.conditions ?? [];
      assert.deepEqual(
        [condition?.type, condition?.status, condition?.reason],
        ["Approved", "True", "Known"],
      );
      const again = await client.decideCertificate(name, "Approved", { signal });
      assert.equal(again.status?.conditions?.length, 1);
      await requests.delete(name);
    },
  },
  {
    id: "certificate-denial",
    name: "an approved certificate request cannot be denied",
    needs: ["users"],
    async run({ client, namespace, signal }) {
      const name = `request-${namespace}`;
      const requests = client.resource(CertificateSigningRequest);
      await requests.create(signingRequest(name));
      await client.decideCertificate(name, "Approved", { signal });
      await assert.rejects(client.decideCertificate(name, "Denied", { signal }), isInvalid);
      await requests.delete(name);
    },
  },
  {
    id: "ephemeral-containers",
    name: "a debug container can be added to a pod",
    async run({ client, namespace }) {
      const pods = client.resource(Pod, namespace);
      await pods.create(pod("a"));
      const debugging = { name: "debug", image: "registry.k8s.io/pause:3.10" };
      const body = { spec: { ephemeralContainers: [debugging] } };
      const patched = await pods.ephemeralcontainers.patch("a", strategicPatch(body));
      assert.deepEqual(
        patched.spec?.ephemeralContainers?.map(({ name }) => name),
        ["debug"],
      );
      assert.equal((await pods.get("a")).spec?.containers.length, 1);
    },
  },
  {
    id: "resize",
    name: "the resize subresource changes the resources of a running pod's container",
    async run({ client, namespace }) {
      const pods = client.resource(Pod, namespace);
      const resources = { requests: { cpu: "100m" }, limits: { cpu: "200m" } };
      const { spec } = pod("a");
      const [container] = spec?.containers ?? [];
      await pods.create({
        metadata: { name: "a" },
        spec: { containers: [{ name: "main", image: container?.image ?? "", resources }] },
      });
      const larger = { requests: { cpu: "150m" }, limits: { cpu: "300m" } };
      const body = { spec: { containers: [{ name: "main", resources: larger }] } };
      const resized = await pods.resize.patch("a", strategicPatch(body));
      assert.deepEqual(resized.spec?.containers[0]?.resources?.requests, { cpu: "150m" });
      const outside = pods.patch(
        "a",
        strategicPatch({ spec: { containers: [{ name: "main", resources }] } }),
      );
      await assert.rejects(outside, isInvalid);
    },
  },
];
