import { failure } from "@typekube/test-support/failure";
import { ScriptedServer, statusResponse } from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";
import { DiscoveryServer, handClock, type ServedKind } from "../helpers/discovery-server.js";

const widget: ServedKind = { group: "x.io", version: "v1", kind: "Widget", plural: "widgets" };
const gadget: ServedKind = {
  group: "x.io",
  version: "v1",
  kind: "Gadget",
  plural: "gadgets",
  cluster: true,
};
const pod: ServedKind = { group: "", version: "v1", kind: "Pod", plural: "pods" };
const widgetName = { apiVersion: "x.io/v1", kind: "Widget" } as const;
const gadgetName = { apiVersion: "x.io/v1", kind: "Gadget" } as const;

it("a subresource without its own group and version has those of its resource", async () => {
  const server = new DiscoveryServer([pod, widget]);
  const { discovery } = server.client();
  expect((await discovery.find("widgets")).subresources["status"]).toMatchObject({
    apiVersion: "x.io/v1",
    kind: "Widget",
  });
  expect((await discovery.find("pods")).subresources["status"]?.apiVersion).toBe("v1");
});

describe.each(["aggregated", "legacy"] as const)("discovery, %s", (form) => {
  const rounds =
    form === "aggregated"
      ? ["GET /api", "GET /apis"]
      : ["GET /api", "GET /apis", "GET /apis/x.io/v1"];

  it("finds a kind once for all calls", async () => {
    const server = new DiscoveryServer([pod, widget, gadget], form);
    const client = server.client();
    const widgets = client.resource(widgetName, "prod");
    await widgets.get("a");
    await widgets.get("b");
    await client.resource(gadgetName).get("g");
    await widgets.status.get("a");
    expect(server.log).toEqual([
      ...rounds,
      "GET /apis/x.io/v1/namespaces/prod/widgets/a",
      "GET /apis/x.io/v1/namespaces/prod/widgets/b",
      "GET /apis/x.io/v1/gadgets/g",
      "GET /apis/x.io/v1/namespaces/prod/widgets/a/status",
    ]);
    await client.resource({ apiVersion: "v1", kind: "Pod" }, "prod").get("p");
    expect(server.last.url).toBe("/api/v1/namespaces/prod/pods/p");
  });

  it("100 concurrent calls share one round", async () => {
    const server = new DiscoveryServer([widget], form);
    const client = server.client();
    await Promise.all(
      Array.from({ length: 100 }, (_, i) => client.resource(widgetName, "prod").get(`a${i}`)),
    );
    expect(server.sent).toHaveLength(100 + rounds.length);
  });

  it("GRP10: finds a kind that appears later, without constant requests for a missing one", async () => {
    const server = new DiscoveryServer([pod, gadget], form);
    const clock = handClock();
    const widgets = server.client({ clock }).resource(widgetName, "prod");
    for (let i = 0; i < 10; i++) {
      expect((await failure(widgets.get("a"))).code).toBe("NotFound");
    }
    expect(server.log).toEqual(["GET /api", "GET /apis", "GET /apis/x.io/v1"]);
    server.kinds.push(widget);
    clock.advance(5_001);
    await widgets.get("a");
    expect(server.sent).toHaveLength(3 + rounds.length + 1);
  });

  it("the error for a missing kind lists what is served", async () => {
    const server = new DiscoveryServer([widget, gadget, pod], form);
    const client = server.client();
    const ask = async (apiVersion: string, kind: string) =>
      (await failure(client.resource({ apiVersion, kind }, "prod").get("a"))).message;
    expect(await ask("x.io/v1", "Wodget")).toContain("it serves Gadget, Widget there");
    expect(await ask("y.io/v1", "Other")).toContain("it does not serve y.io/v1");
    expect(await ask("x.io/v2", "Widget")).toMatch(/does not serve (Widget in )?x\.io\/v2/);
    expect(await ask("constructor", "toString")).toContain(
      "does not serve toString in constructor",
    );
    expect(await ask("x.io/v1", "Wodget")).toMatch(
      /^\[NotFound\] this server does not serve Wodget in x\.io\/v1/,
    );
  });

  it("the next call retries a round that failed", async () => {
    const server = new DiscoveryServer([widget], form);
    let broken = true;
    const send: typeof server.send = async (request) => {
      if (broken) {
        throw new Error("gone");
      }
      return server.send(request);
    };
    const widgets = server.client({ send }).resource(widgetName, "prod");
    await expect(widgets.get("a")).rejects.toThrow("gone");
    broken = false;
    await expect(widgets.get("a")).resolves.toBeDefined();
  });
});

describe("discovery", () => {
  it("requests the aggregated form, with the older one as the alternative", async () => {
    const server = new DiscoveryServer([widget]);
    await server.client().resource(widgetName, "prod").get("a");
    expect(server.sent[0]?.headers["accept"]).toBe(
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList, application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList, application/json",
    );
  });

  it("the error for a missing kind names the version that serves it", async () => {
    const server = new DiscoveryServer([widget]);
    const error = await failure(
      server.client().resource({ apiVersion: "x.io/v1beta1", kind: "Widget" }, "prod").get("a"),
    );
    expect(error.message).toContain("it serves Widget in x.io/v1");
  });

  it("throws a refusal to the caller", async () => {
    const client = new ScriptedServer(statusResponse(403, "Forbidden")).client();
    expect((await failure(client.resource(widgetName, "prod").get("a"))).code).toBe("Forbidden");
  });

  it("rejects a kind without apiVersion or kind at once", async () => {
    const client = new ScriptedServer({}).client();
    for (const reference of [
      {},
      { kind: "Pod" },
      { apiVersion: "v1" },
      { apiVersion: 1, kind: "Pod" },
    ]) {
      const call = Promise.resolve().then(() => client.resource(reference as typeof widgetName));
      expect((await failure(call)).code).toBe("InvalidArgument");
    }
  });

  it("rejects an invalid apiVersion without requesting it", async () => {
    const server = new DiscoveryServer([widget], "legacy");
    const error = await failure(
      server.client().resource({ apiVersion: "a/b/c", kind: "Widget" }, "prod").get("a"),
    );
    expect(error.code).toBe("InvalidArgument");
    expect(server.log).toEqual(["GET /api", "GET /apis"]);
  });
});
