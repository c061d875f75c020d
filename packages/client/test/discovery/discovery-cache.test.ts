import { Discovery } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import { failure } from "@typekube/test-support/failure";
import { ScriptedServer, type Sent, statusResponse } from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";
import { aggregatedResponse, core, group, groups, serving } from "../helpers/aggregated-groups.js";
import { DiscoveryServer, handClock } from "../helpers/discovery-server.js";

describe("cached discovery data", () => {
  const withTags = (tags: Record<string, string>) =>
    new ScriptedServer(({ url, headers }: Sent) => {
      const etag = tags[url] ?? "";
      return headers["if-none-match"] === etag
        ? { status: 304, body: "", type: "" }
        : aggregatedResponse(url === "/api" ? [core] : groups, { etag });
    });

  it("is requested again with its ETag and kept on a 304", async () => {
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

  it("invalidate() drops a pending round too: later callers do not receive its result", async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let isInstalled = false;
    const server = new ScriptedServer(async ({ url }: Sent) => {
      if (url === "/api") {
        return aggregatedResponse([core]);
      }
      const now = isInstalled ? groups : [];
      await gate;
      return aggregatedResponse(now);
    });
    const { discovery } = server.client();
    const before = discovery.served();
    isInstalled = true;
    discovery.invalidate();
    const found = discovery.find("deploy");
    open();
    expect((await found).kind).toBe("Deployment");
    expect((await before).groups).toHaveLength(1);
    expect((await discovery.find("deploy")).kind).toBe("Deployment");
    expect(server.sent).toHaveLength(4);
  });

  it("rejects a 304 to a request without an ETag", async () => {
    const { discovery } = new ScriptedServer({ status: 304, body: "", type: "" }).client();
    expect((await failure(discovery.served())).httpStatus).toBe(304);
  });

  it("GRP10: a path that is no longer served is looked up again", async () => {
    const widget = { group: "x.io", version: "v1", kind: "Widget", plural: "widgets" };
    const server = new DiscoveryServer([widget], "aggregated", ({ url }) =>
      url.includes("/widgets/")
        ? statusResponse(404, "NotFound", { details: {} })
        : { body: { metadata: { name: "a" } } },
    );
    const clock = handClock();
    const widgets = server
      .client({ clock })
      .resource({ apiVersion: "x.io/v1", kind: "Widget" }, "p");
    expect((await failure(widgets.get("a"))).code).toBe("NotFound");
    server.kinds[0] = { ...widget, plural: "wodgets" };
    clock.jump(-24 * 3_600_000);
    clock.advance(5_001);
    await widgets.get("a");
    expect(server.last.url).toBe("/apis/x.io/v1/namespaces/p/wodgets/a");
  });

  it("GRP10: a missing object causes no new lookup", async () => {
    const widget = { group: "x.io", version: "v1", kind: "Widget", plural: "widgets" };
    const server = new DiscoveryServer([widget], "aggregated", () =>
      statusResponse(404, "NotFound", { details: { name: "a", kind: "widgets" } }),
    );
    const widgets = server.client().resource({ apiVersion: "x.io/v1", kind: "Widget" }, "p");
    for (let i = 0; i < 3; i++) {
      await failure(widgets.get("a"));
    }
    expect(server.sent).toHaveLength(2 + 3);
  });

  it("MIG40: the error for a kind that a release removed names the release and the replacement", async () => {
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

  it("Discovery can be used with a custom send function", async () => {
    const { send } = serving();
    const discovery = new Discovery({ send, defaults: {}, clock: handClock() });
    expect(await failure(discovery.find("nothing"))).toBeInstanceOf(KubeError);
  });
});

it("DEP8: one client works with every release of a group, in each release's preferred version", async () => {
  // The example of the deprecation policy: the versions that each release serves, the preferred one first.
  const releases = [
    ["v1alpha1"],
    ["v1alpha2"],
    ["v1beta1"],
    ["v1beta1", "v1beta2"],
    ["v1beta2", "v1beta1"],
    ["v1beta2", "v1", "v1beta1"],
    ["v1", "v1beta2"],
    ["v1", "v1beta2"],
    ["v1", "v2alpha1"],
    ["v1", "v2alpha2"],
    ["v1", "v2beta1"],
    ["v1", "v2beta2", "v2beta1"],
    ["v1", "v2", "v2beta2", "v2beta1"],
    ["v2", "v2beta2", "v1"],
    ["v2", "v2beta2", "v1"],
    ["v2", "v1"],
  ];
  const kind = { resource: "things", kind: "Thing" };
  let release = 0;
  const server = new ScriptedServer(({ url }) => {
    const served = releases[release] ?? [];
    if (url === "/api" || url === "/apis") {
      const things = group("x.io", ...served.map((version) => [version, kind] as const));
      return aggregatedResponse(url === "/api" ? [core] : [things]);
    }
    return served.some((version) => url.startsWith(`/apis/x.io/${version}/`))
      ? { body: { metadata: { name: "a" } } }
      : statusResponse(404, "NotFound", { details: {} });
  });
  const clock = handClock();
  const client = server.client({ clock });
  const { discovery } = client;
  for (const [preferred] of releases) {
    clock.advance(5_001);
    // A known version stays in use as long as it is served; the 404 of a removed version makes the client look it up
    // again.
    const known = await discovery.find("things");
    const first = await client
      .resource(known, "p")
      .get("a")
      .catch((error: unknown) => error);
    if (first instanceof KubeError) {
      const found = await discovery.find("things");
      await client.resource(found, "p").get("a");
      expect(found.version).toBe(preferred);
    }
    discovery.invalidate();
    expect((await discovery.find("things")).version).toBe(preferred);
    release++;
  }
});
