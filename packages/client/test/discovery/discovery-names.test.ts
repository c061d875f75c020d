import { compareApiVersions } from "@typekube/client";
import { failure } from "@typekube/test-support/failure";
import {
  ScriptedServer,
  statusResponse,
  type TestResponse,
} from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";
import { aggregatedResponse, core, group, groups, serving } from "../helpers/aggregated-groups.js";

describe("resources by name", () => {
  it.each([
    ["deploy", "apps/v1 deployments"],
    ["deployment", "apps/v1 deployments"],
    ["Deployment", "apps/v1 deployments"],
    ["DEPLOYMENTS", "apps/v1 deployments"],
    ["deployments.apps", "apps/v1 deployments"],
    ["deploy.v1beta1.apps", "apps/v1beta1 deployments"],
    ["pods", "v1 pods"],
    ["po", "v1 pods"],
    ["pods.v1", "v1 pods"],
    ["events", "v1 events"],
    ["ev", "v1 events"],
    ["events.events.k8s.io", "events.k8s.io/v1 events"],
    ["pods.metrics.k8s.io", "metrics.k8s.io/v1beta1 pods"],
    ["podmetrics", "metrics.k8s.io/v1beta1 pods"],
    ["map", "c.io/v1 maps"],
    ["maps.v2.c.io", "c.io/v2 maps"],
    ["q", "d.io/v1 q"],
    ["queues.b.io", "b.io/v1beta1 queues"],
  ])("GRP12, DEP7: the name %s finds the resource %s", async (name, expected) => {
    const { apiVersion, plural } = await serving().client().discovery.find(name);
    expect(`${apiVersion} ${plural}`).toBe(expected);
  });

  it("rejects an ambiguous name with all candidates", async () => {
    const error = await failure(serving().client().discovery.find("queues"));
    expect(error.message).toBe(
      '[InvalidArgument] "queues" may mean queues.a.io (Queue in a.io/v1) or queues.b.io (Queue in b.io/v1beta1): add the group to the name',
    );
  });

  it("an unknown name is NotFound, with the name in the message", async () => {
    const server = serving();
    for (const name of ["nothing", "pods.apps", "", "deploy.v7.apps"]) {
      const error = await failure(server.client().discovery.find(name));
      expect(error.message).toContain(
        `[NotFound] this server has no kind or resource named "${name}"`,
      );
    }
  });

  it("a category returns all of its resources, each in its preferred version", async () => {
    const { discovery } = serving().client();
    const all = await discovery.findAll("all");
    expect(all.map(({ apiVersion, plural }) => `${apiVersion} ${plural}`)).toEqual([
      "v1 pods",
      "apps/v1 deployments",
    ]);
    expect(await discovery.findAll("none")).toEqual([]);
  });

  it("a discovered resource can be used as a descriptor", async () => {
    const server = serving();
    const client = server.client();
    await client
      .resource(await client.discovery.find("deploy"), "prod")
      .get("web")
      .catch(() => {});
    expect(server.last.url).toBe("/apis/apps/v1/namespaces/prod/deployments/web");
  });
});

describe("everything that a server serves", () => {
  it("lists the groups with their preferred versions, and the resources", async () => {
    const served = await serving().client().discovery.served();
    expect(served.groups.find(({ name }) => name === "c.io")).toEqual({
      name: "c.io",
      versions: ["v1", "v2"],
      preferredVersion: "v1",
    });
    expect(served.resources).toHaveLength(11);
    expect(served.failed).toEqual([]);
  });

  it("lists all resources of one kind, as in external metrics", async () => {
    const kind = "ExternalMetricValueList";
    const metrics = (...names: readonly string[]) =>
      group("external.metrics.k8s.io", [
        "v1beta1",
        ...names.map((resource) => ({ resource, kind })),
      ]);
    const server = new ScriptedServer(({ url }) =>
      aggregatedResponse(url === "/api" ? [core] : [metrics("queue-length", "lag", "errors")]),
    );
    const { discovery } = server.client();
    const { resources } = await discovery.served();
    expect(resources.filter((one) => one.kind === kind).map(({ plural }) => plural)).toEqual([
      "queue-length",
      "lag",
      "errors",
    ]);
    expect((await discovery.find("lag")).plural).toBe("lag");
    const apiVersion = "external.metrics.k8s.io/v1beta1";
    expect((await discovery.find({ apiVersion, kind })).plural).toBe("queue-length");
    expect(server.sent).toHaveLength(2);
  });

  it("lists a group whose server does not respond as failed, without hiding others", async () => {
    const stale = { metadata: { name: "s.io" }, versions: [{ version: "v1", freshness: "Stale" }] };
    const server = new ScriptedServer(({ url }) =>
      url === "/api" ? aggregatedResponse([core]) : aggregatedResponse([...groups, stale]),
    );
    const { discovery } = server.client();
    const { failed, resources } = await discovery.served();
    expect(failed.map(({ apiVersion, error }) => [apiVersion, error.code])).toEqual([
      ["s.io/v1", "ServiceUnavailable"],
    ]);
    expect(resources).toHaveLength(11);
    expect((await discovery.find("deploy")).kind).toBe("Deployment");
    // A name that was not found may be in the group that did not respond.
    await expect(discovery.find("subs")).rejects.toMatchObject({
      code: "NotFound",
      hint: expect.stringMatching(
        /^it may be in s\.io\/v1, which did not respond; otherwise use a plural/,
      ),
    });
  });

  it("requests each group-version in the older form, preferred version first, and isolates failures", async () => {
    const responses: Record<string, TestResponse> = {
      "/api": { body: { kind: "APIVersions", versions: ["v1"] } },
      "/apis": {
        body: {
          kind: "APIGroupList",
          groups: [
            {
              name: "apps",
              versions: [{ version: "v1" }, { version: "v1beta1" }],
              preferredVersion: { version: "v1beta1" },
            },
            { name: "s.io", versions: [{ version: "v1" }], preferredVersion: { version: "v1" } },
          ],
        },
      },
      "/api/v1": {
        body: { resources: [{ name: "pods", kind: "Pod", namespaced: true, verbs: ["get"] }] },
      },
      "/apis/s.io/v1": statusResponse(503, "ServiceUnavailable"),
    };
    const apps: TestResponse = {
      body: {
        resources: [{ name: "deployments", kind: "Deployment", namespaced: true, verbs: ["get"] }],
      },
    };
    const server = new ScriptedServer(({ url }) => responses[url] ?? apps);
    const { discovery } = server.client();
    const { resources, failed, groups: found } = await discovery.served();
    expect(resources.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
      "v1 Pod",
      "apps/v1beta1 Deployment",
      "apps/v1 Deployment",
    ]);
    expect(failed.map(({ apiVersion, error }) => [apiVersion, error.code])).toEqual([
      ["s.io/v1", "ServiceUnavailable"],
    ]);
    expect(found.map(({ preferredVersion }) => preferredVersion)).toEqual(["v1", "v1beta1", "v1"]);
    expect((await discovery.find("deployments")).version).toBe("v1beta1");
    responses["/apis/s.io/v1"] = {
      body: { resources: [{ name: "subs", kind: "Sub", namespaced: true, verbs: ["get"] }] },
    };
    expect((await discovery.find("subs")).apiVersion).toBe("s.io/v1");
    expect((await discovery.served()).failed).toEqual([]);
  });

  it("one caller's abort does not end the round for the others", async () => {
    const server = serving();
    const { discovery } = server.client();
    const controller = new AbortController();
    const reason = new Error("enough");
    const given = discovery.served({ signal: controller.signal });
    const other = discovery.served();
    controller.abort(reason);
    await expect(given).rejects.toBe(reason);
    expect((await other).resources).toHaveLength(11);
    expect(server.sent).toHaveLength(2);
  });
});

it("DEP1: sorts versions as stable, beta, alpha, higher numbers first, and other names last", () => {
  const versions = [
    "foo1",
    "v1alpha3",
    "v1",
    "v10",
    "v2beta1",
    "v1beta2",
    "v11alpha2",
    "foo10",
    "v2",
  ];
  expect(versions.sort(compareApiVersions)).toEqual([
    "v10",
    "v2",
    "v1",
    "v2beta1",
    "v1beta2",
    "v11alpha2",
    "v1alpha3",
    "foo1",
    "foo10",
  ]);
});
