import assert from "node:assert/strict";
import { Deployment } from "@typekube/api/apps/v1";
import { CertificateSigningRequest } from "@typekube/api/certificates/v1";
import { ConfigMap, Namespace, Pod, type PodSpec, ServiceAccount } from "@typekube/api/core/v1";
import { mergePatch, strategicPatch } from "@typekube/client";
import type { ConformanceCase } from "../conformance-case.js";
import { expectFailure } from "../support/expect-failure.js";
import { configMap, deployment, pod } from "../support/objects.js";
import { expectRefusal } from "../support/raw-request.js";
import { widgetsIn } from "../support/widgets.js";

/** A PKCS #10 request for CN=a, as base64 of its PEM. */
const certificateRequest =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIRk1HNENBUUF3RERFS01BZ0dBMVVFQXd3QllUQlpNQk1HQnlxR1NNNDlBZ0VHQ0NxR1NNNDlBd0VIQTBJQQpCTFFlTzdwSDAwRzhMblhZbkx0VzZpOUh4WUdEQkI1YnprcUV1cm9BYmZETFpKMmI0dHcvNzd2eVVyS0Fnb0xsCndRdGU2VFE5NnQ4MHZ4YVJDV25CMHV1Z0FEQUtCZ2dxaGtqT1BRUURBZ05IQURCRUFpQXFsa2d5dUZqZUw4Q3EKREoxT3lpSGxVd0lIa1B2ZHJlaDU4MDhHUUhZRGJRSWdaVnlKUVcycUhIVHV4MXdsUkV1MkNLTHVram11T1RGQQo1YXVocXdjMTVIND0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==";

/** Cases for the subresources status and scale. */
export const statusSubresource: readonly ConformanceCase[] = [
  {
    id: "status-update",
    name: "an update of the status changes only the status",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      const created = await deployments.create(deployment("a", 2));
      const response = await deployments.status.update("a", {
        ...created,
        spec: { ...deployment("a", 5).spec } as Deployment["spec"],
        status: { replicas: 2, observedGeneration: 1 },
      });
      assert.equal(response.status?.replicas, 2);
      const now = await deployments.get("a");
      assert.equal(now.spec?.replicas, 2);
      assert.equal(now.status?.observedGeneration, 1);
      assert.equal(now.metadata.generation, 1);
    },
  },
  {
    id: "status-untouched",
    name: "an update of the object keeps its status",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      await deployments.create(deployment("a"));
      await deployments.status.patch("a", mergePatch({ status: { replicas: 1 } }));
      const now = await deployments.get("a");
      const updated = await deployments.update({ ...now, status: { replicas: 9 } });
      assert.equal(updated.status?.replicas, 1);
      assert.equal(updated.metadata.resourceVersion, now.metadata.resourceVersion);
    },
  },
  {
    id: "status-patch",
    name: "a merge patch of the status does not change the spec",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      await deployments.create(deployment("a", 2));
      const patch = mergePatch({ spec: { replicas: 9 }, status: { replicas: 2 } });
      const patched = await deployments.status.patch("a", patch);
      assert.equal(patched.spec?.replicas, 2);
      assert.equal(patched.status?.replicas, 2);
    },
  },
  {
    id: "status-conflict",
    name: "a stale update of the status responds with Conflict",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      const stale = await deployments.create(deployment("a"));
      await deployments.status.patch("a", mergePatch({ status: { replicas: 1 } }));
      const late = deployments.status.update("a", { ...stale, status: { replicas: 2 } });
      await expectFailure(late, {
        code: 409,
        reason: "Conflict",
        message:
          /^Operation cannot be fulfilled on deployments\.apps "a": the object has been modified/,
        details: { name: "a", group: "apps", kind: "deployments" },
      });
    },
  },
  {
    id: "status-get",
    name: "a get of the status returns the whole object",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      const created = await deployments.create(deployment("a"));
      assert.deepEqual(await deployments.status.get("a"), created);
    },
  },
  {
    id: "status-custom",
    name: "a custom resource has a status subresource too",
    async run({ client, namespace }) {
      const widgets = widgetsIn(client, namespace);
      const created = await widgets.create({
        metadata: { name: "a" },
        spec: { size: 1 },
        status: { seen: 9 },
      });
      assert.equal(created["status"], undefined);
      const patch = mergePatch({ spec: { size: 9 }, status: { seen: 1 } });
      const patched = await widgets.status.patch("a", patch);
      assert.deepEqual(patched["spec"], { size: 1 });
      assert.deepEqual(patched["status"], { seen: 1 });
      assert.equal(patched.metadata?.generation, 1);
    },
  },
  {
    id: "status-absent",
    name: "a kind without a status has no status path",
    async run(context) {
      const { client, namespace } = context;
      await client.resource(ConfigMap, namespace).create(configMap("a"));
      await expectRefusal(
        context,
        { path: `/api/v1/namespaces/${namespace}/configmaps/a/status` },
        {
          code: 404,
          reason: "NotFound",
          message: "the server could not find the requested resource",
        },
      );
    },
  },
  {
    id: "scale-get",
    name: "the scale of a Deployment has its replicas and its selector",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      const { metadata } = await deployments.create(deployment("a", 3));
      const scale = await deployments.scale.get("a");
      assert.equal(scale.kind, "Scale");
      assert.equal(scale.apiVersion, "autoscaling/v1");
      assert.equal(scale.spec?.replicas, 3);
      assert.equal(scale.status?.selector, "app=a");
      assert.equal(scale.metadata?.uid, metadata.uid);
      assert.equal(scale.metadata?.resourceVersion, metadata.resourceVersion);
    },
  },
  {
    id: "scale-update",
    name: "an update and a patch of the scale change the replicas",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      await deployments.create(deployment("a", 3));
      const scale = await deployments.scale.get("a");
      const updated = await deployments.scale.update("a", { ...scale, spec: { replicas: 4 } });
      assert.equal(updated.spec?.replicas, 4);
      assert.equal((await deployments.get("a")).spec?.replicas, 4);
      await deployments.scale.patch("a", mergePatch({ spec: { replicas: 5 } }));
      const now = await deployments.get("a");
      assert.equal(now.spec?.replicas, 5);
      assert.equal(now.metadata.generation, 3);
    },
  },
  {
    id: "scale-refusals",
    name: "a Scale must have the name and namespace of its object and must not be negative",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      const { scale } = deployments;
      await deployments.create(deployment("a"));
      const spec = { replicas: 2 };
      const tooFew = {
        code: 422,
        reason: "Invalid",
        message:
          'Scale.autoscaling "a" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
      } as const;
      await expectFailure(scale.update("a", { spec: { replicas: -1 } }), tooFew);
      await expectFailure(scale.patch("a", mergePatch({ spec: { replicas: -1 } })), tooFew);
      await expectFailure(
        scale.apply("a", { spec: { replicas: -1 } }, { fieldManager: "m", force: true }),
        tooFew,
      );
      await expectFailure(scale.update("a", { metadata: { name: "b" }, spec }), {
        code: 400,
        reason: "BadRequest",
        message: "the name of the object (b) does not match the name on the URL (a)",
      });
      await expectFailure(scale.update("a", { metadata: { namespace: "b" }, spec }), {
        code: 400,
        reason: "BadRequest",
        message:
          "the namespace of the provided object does not match the namespace sent on the request",
      });
    },
  },
  {
    id: "scale-conflict",
    name: "a stale update of the scale responds with Conflict",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      await deployments.create(deployment("a"));
      const scale = await deployments.scale.get("a");
      await deployments.patch("a", mergePatch({ metadata: { labels: { l: "x" } } }));
      const late = deployments.scale.update("a", { ...scale, spec: { replicas: 4 } });
      await expectFailure(late, { code: 409, reason: "Conflict" });
    },
  },
  {
    id: "GRP27-ephemeralcontainers",
    name: "an ephemeral container is added through its subresource",
    async run({ client, namespace }) {
      const pods = client.resource(Pod, namespace);
      await pods.create(pod("a"));
      const debug = { name: "debug", image: "registry.k8s.io/debug:1" };
      const modified = await pods.ephemeralcontainers.modify("a", (object) => {
        object.spec = { ...(object.spec as PodSpec), ephemeralContainers: [debug] };
      });
      assert.equal(modified.spec?.ephemeralContainers?.[0]?.name, "debug");
      const second = { name: "second", image: "registry.k8s.io/debug:1" };
      const patched = await pods.ephemeralcontainers.patch(
        "a",
        strategicPatch({ spec: { ephemeralContainers: [second] } }),
      );
      assert.deepEqual(patched.spec?.ephemeralContainers?.map(({ name }) => name).sort(), [
        "debug",
        "second",
      ]);
    },
  },
  {
    id: "GRP27-ephemeralcontainers-stay",
    name: "an existing ephemeral container can be neither changed nor removed",
    async run({ client, namespace }) {
      const pods = client.resource(Pod, namespace);
      await pods.create(pod("a"));
      const set = (...images: readonly string[]) =>
        pods.ephemeralcontainers.modify("a", ({ spec }) => {
          if (spec) {
            spec.ephemeralContainers = images.map((image, i) => ({ name: `c${i}`, image }));
          }
        });
      await set("busybox:1");
      assert.equal((await set("busybox:1", "busybox:1")).spec?.ephemeralContainers?.length, 2);
      const refused = (image: readonly string[], message: RegExp) =>
        expectFailure(set(...image), { code: 422, reason: "Invalid", message });
      await refused(["busybox:1"], /existing ephemeral containers "c1" may not be removed/);
      await refused(
        ["busybox:2", "busybox:1"],
        /existing ephemeral containers "c0" may not be changed/,
      );
    },
  },
  {
    id: "GRP27-resize",
    name: "the resources of a container are changed through the resize subresource",
    async run({ client, namespace }) {
      const pods = client.resource(Pod, namespace);
      const small = pod("a");
      const [container] = small.spec?.containers ?? [];
      Object.assign(container ?? {}, { resources: { requests: { cpu: "1" } } });
      await pods.create(small);
      const resized = await pods.resize.modify("a", (object) => {
        for (const one of object.spec?.containers ?? []) {
          one.resources = { requests: { cpu: "2" } };
        }
      });
      assert.deepEqual(resized.spec?.containers[0]?.resources, { requests: { cpu: "2" } });
    },
  },
  {
    id: "GRP27-approval",
    name: "a certificate is approved through the approval subresource",
    async run({ client, namespace }) {
      const requests = client.resource(CertificateSigningRequest);
      const name = `${namespace}-request`;
      await requests.create({
        metadata: { name },
        spec: {
          request: certificateRequest,
          signerName: "example.com/signer",
          usages: ["client auth"],
        },
      });
      const approved = await requests.approval.modify(name, (object) => {
        const condition = { type: "Approved", status: "True", reason: "r", message: "m" };
        object.status = { ...object.status, conditions: [condition] };
      });
      assert.equal(approved.status?.conditions?.[0]?.type, "Approved");
      assert.equal((await requests.get(name)).status?.conditions?.[0]?.reason, "r");
      await requests.delete(name);
    },
  },
  {
    id: "GRP27-token",
    name: "a token of a service account is requested as a TokenRequest",
    async run({ client, namespace }) {
      const accounts = client.resource(ServiceAccount, namespace);
      await accounts.create({ metadata: { name: "a" } });
      const { kind, status } = await accounts.token.create("a", {
        spec: { audiences: [], expirationSeconds: 600 },
      });
      assert.equal(kind, "TokenRequest");
      assert.ok((status?.token ?? "") !== "");
    },
  },
  {
    id: "GRP27-finalize",
    name: "the finalizers of a namespace are written through the finalize subresource",
    async run({ client, namespace }) {
      const namespaces = client.resource(Namespace);
      const name = `${namespace}-finalized`;
      const created = await namespaces.create({ metadata: { name } });
      const response = await namespaces.finalize.update(name, {
        ...created,
        spec: { finalizers: ["kubernetes", "example.com/a"] },
      });
      assert.deepEqual([...(response.spec?.finalizers ?? [])].sort(), [
        "example.com/a",
        "kubernetes",
      ]);
    },
  },
];
