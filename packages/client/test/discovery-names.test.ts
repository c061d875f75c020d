import { compareApiVersions, Discovery } from "@typekube/client";
import { KubeError } from "@typekube/core";
import { describe, expect, it } from "vitest";
import { DiscoveryServer, handClock } from "./helpers/discovery-server.js";
import { failure } from "./helpers/failure.js";
import { type Answer, ScriptedServer, type Sent, statusAnswer } from "./helpers/scripted-server.js";

interface Told {
  readonly resource: string;
  readonly kind: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

const told = ({ resource, kind, shortNames = [], categories = [] }: Told) => ({
  resource,
  responseKind: { group: "", version: "", kind },
  scope: "Namespaced",
  singularResource: kind.toLowerCase(),
  shortNames,
  categories,
  verbs: ["get", "list"],
});

const group = (name: string, ...versions: readonly (readonly [string, ...Told[]])[]) => ({
  metadata: { name },
  versions: versions.map(([version, ...resources]) => ({
    version,
    freshness: "Current",
    resources: resources.map(told),
  })),
});

const pods: Told = { resource: "pods", kind: "Pod", shortNames: ["po"], categories: ["all"] };
const deployments: Told = {
  resource: "deployments",
  kind: "Deployment",
  shortNames: ["deploy"],
  categories: ["all"],
};
const core = group("", ["v1", pods, { resource: "events", kind: "Event", shortNames: ["ev"] }]);
const groups = [
  group("apps", ["v1", deployments], ["v1beta1", deployments]),
  group("events.k8s.io", ["v1", { resource: "events", kind: "Event", shortNames: ["ev"] }]),
  group("metrics.k8s.io", ["v1beta1", { resource: "pods", kind: "PodMetrics" }]),
  group("a.io", ["v1", { resource: "queues", kind: "Queue", shortNames: ["q"] }]),
  group("b.io", ["v1beta1", { resource: "queues", kind: "Queue", shortNames: ["q"] }]),
  // Its preferred version is the older one (DEP7).
  group(
    "c.io",
    ["v1", { resource: "maps", kind: "Map" }],
    ["v2", { resource: "maps", kind: "Map" }],
  ),
  group("d.io", ["v1", { resource: "q", kind: "Other" }]),
];

const aggregatedAnswer = (items: readonly object[], headers = {}): Answer => ({
  headers,
  body: { kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2", items },
});

const serving = () =>
  new ScriptedServer(({ url }) =>
    url === "/api" ? aggregatedAnswer([core]) : aggregatedAnswer(groups),
  );

describe("a resource by its name", () => {
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
  ])("GRP12, DEP7: %s is %s", async (name, expected) => {
    const { apiVersion, plural } = await serving().client().discovery.find(name);
    expect(`${apiVersion} ${plural}`).toBe(expected);
  });

  it("a name that means several is refused with all of them", async () => {
    const error = await failure(serving().client().discovery.find("queues"));
    expect(error.message).toBe(
      '[InvalidArgument] "queues" may mean queues.a.io (Queue in a.io/v1) or queues.b.io (Queue in b.io/v1beta1): write the name with its group',
    );
  });

  it("a name that means nothing is NotFound, with what is due", async () => {
    const server = serving();
    for (const name of ["nothing", "pods.apps", "", "deploy.v7.apps"]) {
      const error = await failure(server.client().discovery.find(name));
      expect(error.message).toContain(`[NotFound] this server serves nothing called "${name}"`);
    }
  });

  it("a category is all that belongs to it, each in its preferred version", async () => {
    const { discovery } = serving().client();
    const all = await discovery.findAll("all");
    expect(all.map(({ apiVersion, plural }) => `${apiVersion} ${plural}`)).toEqual([
      "v1 pods",
      "apps/v1 deployments",
    ]);
    expect(await discovery.findAll("none")).toEqual([]);
  });

  it("what is found goes where a descriptor goes", async () => {
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
  it("has the groups with their preferred versions, and the resources", async () => {
    const served = await serving().client().discovery.served();
    expect(served.groups.find(({ name }) => name === "c.io")).toEqual({
      name: "c.io",
      versions: ["v1", "v2"],
      preferredVersion: "v1",
    });
    expect(served.resources).toHaveLength(11);
    expect(served.failed).toEqual([]);
  });

  it("a group whose server does not answer hides nothing else and is listed", async () => {
    const stale = { metadata: { name: "s.io" }, versions: [{ version: "v1", freshness: "Stale" }] };
    const server = new ScriptedServer(({ url }) =>
      url === "/api" ? aggregatedAnswer([core]) : aggregatedAnswer([...groups, stale]),
    );
    const { discovery } = server.client();
    const { failed, resources } = await discovery.served();
    expect(failed.map(({ apiVersion, error }) => [apiVersion, error.code])).toEqual([
      ["s.io/v1", "ServiceUnavailable"],
    ]);
    expect(resources).toHaveLength(11);
    expect((await discovery.find("deploy")).kind).toBe("Deployment");
  });

  it("in the older form, too: the group-versions are asked for, the preferred first, and a failure is that group's", async () => {
    const answers: Record<string, Answer> = {
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
      "/apis/s.io/v1": statusAnswer(503, "ServiceUnavailable"),
    };
    const apps: Answer = {
      body: {
        resources: [{ name: "deployments", kind: "Deployment", namespaced: true, verbs: ["get"] }],
      },
    };
    const server = new ScriptedServer(({ url }) => answers[url] ?? apps);
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
    answers["/apis/s.io/v1"] = {
      body: { resources: [{ name: "subs", kind: "Sub", namespaced: true, verbs: ["get"] }] },
    };
    expect((await discovery.find("subs")).apiVersion).toBe("s.io/v1");
    expect((await discovery.served()).failed).toEqual([]);
  });

  it("one who gives up does not take the round from the others", async () => {
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

describe("what has been found once", () => {
  const withTags = (tags: Record<string, string>) =>
    new ScriptedServer(({ url, headers }: Sent) => {
      const etag = tags[url] ?? "";
      return headers["if-none-match"] === etag
        ? { status: 304, body: "", type: "" }
        : aggregatedAnswer(url === "/api" ? [core] : groups, { etag });
    });

  it("is asked for with its ETag, and a 304 keeps it", async () => {
    const tags = { "/api": '"1"', "/apis": '"2"' };
    const server = withTags(tags);
    const clock = handClock();
    const { discovery } = server.client({ clock });
    expect((await discovery.served()).resources).toHaveLength(11);
    await discovery.served();
    expect(server.sent).toHaveLength(2);
    clock.advance(5_001);
    expect((await discovery.served()).resources).toHaveLength(11);
    expect(server.sent.slice(2).map(({ headers }) => headers["if-none-match"])).toEqual([
      '"1"',
      '"2"',
    ]);
    tags["/apis"] = '"3"';
    discovery.invalidate();
    expect((await discovery.served()).resources).toHaveLength(11);
    expect(server.sent.at(-1)?.headers["if-none-match"]).toBe('"2"');
    expect(server.bodiesEnded).toBe(server.bodiesOpened);
  });

  it("a 304 that nobody asked for is no answer", async () => {
    const { discovery } = new ScriptedServer({ status: 304, body: "", type: "" }).client();
    expect((await failure(discovery.served())).httpStatus).toBe(304);
  });

  it("GRP10: a path that is served no more is forgotten, and looked for anew", async () => {
    const widget = { group: "x.io", version: "v1", kind: "Widget", plural: "widgets" };
    const server = new DiscoveryServer([widget], "aggregated", ({ url }) =>
      url.includes("/widgets/")
        ? statusAnswer(404, "NotFound", { details: {} })
        : { body: { metadata: { name: "a" } } },
    );
    const clock = handClock();
    const widgets = server
      .client({ clock })
      .resource({ apiVersion: "x.io/v1", kind: "Widget" }, "p");
    expect((await failure(widgets.get("a"))).code).toBe("NotFound");
    server.kinds[0] = { ...widget, plural: "wodgets" };
    clock.advance(5_001);
    await widgets.get("a");
    expect(server.last.url).toBe("/apis/x.io/v1/namespaces/p/wodgets/a");
  });

  it("GRP10: an object that is not there is no reason to look anew", async () => {
    const widget = { group: "x.io", version: "v1", kind: "Widget", plural: "widgets" };
    const server = new DiscoveryServer([widget], "aggregated", () =>
      statusAnswer(404, "NotFound", { details: { name: "a", kind: "widgets" } }),
    );
    const widgets = server.client().resource({ apiVersion: "x.io/v1", kind: "Widget" }, "p");
    for (let i = 0; i < 3; i++) {
      await failure(widgets.get("a"));
    }
    expect(server.sent).toHaveLength(2 + 3);
  });

  it("MIG40: a kind that a release removed says so, and what to use", async () => {
    const server = serving();
    const error = await failure(
      server.client().resource({ apiVersion: "batch/v1beta1", kind: "CronJob" }, "p").get("a"),
    );
    expect(error.message).toContain("Kubernetes 1.25 removed it; use CronJob in batch/v1");
    const gone = await failure(
      server.client().resource({ apiVersion: "policy/v1beta1", kind: "PodSecurityPolicy" }).list(),
    );
    expect(gone.message).toMatch(/Kubernetes 1\.25 removed it$/);
  });

  it("is a class that other programs may use with their own way to a server", async () => {
    const { send } = serving();
    const discovery = new Discovery({ send, defaults: {}, clock: handClock() });
    expect(await failure(discovery.find("nothing"))).toBeInstanceOf(KubeError);
  });
});

it("DEP1: versions are ordered stable, beta, alpha, the higher first, and what is none last", () => {
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
