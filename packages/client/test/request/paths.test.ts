import type { ResourceDescriptor } from "@typekube/api";
import { Deployment } from "@typekube/api/apps/v1";
import { Job } from "@typekube/api/batch/v1";
import { ConfigMap, Namespace, Node, Pod } from "@typekube/api/core/v1";
import { ClusterRole } from "@typekube/api/rbac/v1";
import { mergePatch } from "@typekube/client";
import { resourcePath } from "@typekube/client/internal";
import { failure } from "@typekube/test-support/failure";
import { podPage, ScriptedServer } from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";

describe("paths", () => {
  it.each<[ResourceDescriptor, Parameters<typeof resourcePath>[1], string]>([
    [Namespace, {}, "/api/v1/namespaces"],
    [Pod, {}, "/api/v1/pods"],
    [Pod, { namespace: "my-namespace" }, "/api/v1/namespaces/my-namespace/pods"],
    [Deployment, {}, "/apis/apps/v1/deployments"],
    [
      Deployment,
      { namespace: "my-namespace" },
      "/apis/apps/v1/namespaces/my-namespace/deployments",
    ],
    [
      Deployment,
      { namespace: "my-namespace", name: "my-deployment" },
      "/apis/apps/v1/namespaces/my-namespace/deployments/my-deployment",
    ],
    [Job, { namespace: "a", name: "b" }, "/apis/batch/v1/namespaces/a/jobs/b"],
    [Node, { name: "n1", subresource: "status" }, "/api/v1/nodes/n1/status"],
    [Namespace, { name: "x", subresource: "finalize" }, "/api/v1/namespaces/x/finalize"],
    [
      ClusterRole,
      { name: "system:node" },
      "/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node",
    ],
    [Pod, { namespace: "a", name: "UPPER.Case" }, "/api/v1/namespaces/a/pods/UPPER.Case"],
    [
      Pod,
      { namespace: "a", name: "b c?d#e&f+ü;=@" },
      "/api/v1/namespaces/a/pods/b%20c%3Fd%23e%26f%2B%C3%BC%3B%3D%40",
    ],
    [Pod, { namespace: "a", name: "..." }, "/api/v1/namespaces/a/pods/..."],
  ])(
    "GRP6, GRP7, GRP21, GRP26, GRP27, N28: builds the path %#: $2",
    (descriptor, location, expected) => {
      expect(resourcePath(descriptor, location)).toBe(expected);
    },
  );

  it.each(["", ".", "..", "a/b", "/", "a%2f", "%", "%2e%2e", "\ud800"])(
    "H3, H31: rejects %j as a segment of a path",
    async (value) => {
      const server = new ScriptedServer({});
      const pods = server.client().resource(Pod, value);
      const named = server.client().resource(Pod, "prod");
      for (const call of [
        () => pods.get("a"),
        () => pods.list(),
        () => named.get(value),
        () => named.delete(value),
        () => named.patch(value, mergePatch({})),
        () => named.status.get(value),
        () => named.update({ metadata: { name: value } }),
      ]) {
        expect((await failure(call())).code).toBe("InvalidArgument");
      }
      expect(server.sent).toEqual([]);
    },
  );

  it("a missing name never causes a call on the whole collection", async () => {
    const server = new ScriptedServer({});
    const pods = server.client().resource(Pod, "prod");
    const nothing = undefined as unknown as string;
    for (const call of [
      () => pods.get(nothing),
      () => pods.find(nothing),
      () => pods.delete(nothing),
      () => pods.patch(nothing, mergePatch({})),
      () => pods.status.get(nothing),
      () => pods.status.patch(nothing, mergePatch({})),
      () => pods.delete(null as unknown as string),
    ]) {
      const error = await failure(call());
      expect(error.code).toBe("InvalidArgument");
      expect(error.message).toContain("name");
    }
    expect(server.sent).toEqual([]);
  });

  it("GRP22: without a namespace, lists everything and creates in the object's namespace", async () => {
    const server = new ScriptedServer(podPage([]));
    const everywhere = server.client().resource(ConfigMap);
    await everywhere.list();
    expect(server.last.url).toBe("/api/v1/configmaps");
    await everywhere.create({ metadata: { name: "a", namespace: "b" } });
    expect(server.last.url).toBe("/api/v1/namespaces/b/configmaps");
    expect((await failure(everywhere.create({ metadata: { name: "a" } }))).message).toContain(
      "has no namespace",
    );
    const named = everywhere as unknown as {
      get(name: string): Promise<unknown>;
      delete(name: string): Promise<unknown>;
    };
    expect((await failure(named.get("a"))).message).toContain("needs a namespace");
    expect((await failure(named.delete("a"))).message).toContain("needs a namespace");
    expect(server.sent).toHaveLength(2);
  });

  it("GRP21: rejects a namespace for a cluster-scoped kind", async () => {
    const server = new ScriptedServer({});
    const resource = server.client().resource as (
      descriptor: unknown,
      namespace: string,
    ) => typeof nodes;
    const nodes = server.client().resource(Node);
    const wrong = resource.call(server.client(), Node, "prod");
    for (const call of [
      () => wrong.get("n1"),
      () => wrong.list(),
      () => wrong.create({ metadata: { name: "n1" } }),
    ]) {
      expect((await failure(call())).message).toContain("nodes are not namespaced");
    }
    expect(server.sent).toEqual([]);
    await nodes.get("n1");
    expect(server.log).toEqual(["GET /api/v1/nodes/n1"]);
  });
});
