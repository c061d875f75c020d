import { mergePatch, type UnknownKind } from "@typekube/client";
import { KubeError } from "@typekube/core";
import { failure } from "@typekube/test-support/failure";
import { statusResponse } from "@typekube/test-support/scripted-server";
import type { Client } from "typekube";
import { describe, expect, it } from "vitest";
import { DiscoveryServer, handClock } from "../helpers/discovery-server.js";

const kind = { apiVersion: "x.io/v1", kind: "Widget" } as const;
const widget = { group: "x.io", version: "v1", kind: "Widget", plural: "widgets" };

/** A server of one custom kind whose definition is replaced by one with the other scope, and back. */
class Replacing extends DiscoveryServer {
  readonly clock = handClock();
  isCluster: boolean;
  readonly #isLegacy: boolean;

  constructor(isCluster: boolean, form?: "aggregated" | "legacy") {
    super([{ ...widget, cluster: isCluster }], form, ({ url, query, method }) => {
      const place = /^\/apis\/x\.io\/v1\/(namespaces\/p\/)?widgets(\/[^/]+)?/.exec(url);
      const isEverywhere = method === "GET" && place?.[2] === undefined;
      const isServed = this.isCluster ? !place?.[1] : place?.[1] || isEverywhere;
      if (!isServed) {
        // Not a Status: the server that responds does not know this path.
        return { status: 404, type: "text/plain", body: "404 page not found\n" };
      }
      const object = { ...kind, metadata: { name: "a", resourceVersion: "1" } };
      if (query["watch"]) {
        return { body: { type: "ADDED", object } };
      }
      return isEverywhere
        ? { body: { apiVersion: "x.io/v1", kind: "WidgetList", metadata: {}, items: [object] } }
        : { body: object };
    });
    this.isCluster = isCluster;
    this.#isLegacy = form === "legacy";
  }

  replace(): void {
    // In the older form the group-version was requested a moment ago.
    this.clock.advance(this.#isLegacy ? 5_001 : 0);
    this.isCluster = !this.isCluster;
    this.kinds[0] = { ...widget, cluster: this.isCluster };
  }

  /** Number of discovery requests. */
  get looks(): number {
    return this.sent.filter(({ url }) => /^\/apis?$|^\/apis\/x\.io\/v1$/.test(url)).length;
  }
}

async function all(parts: AsyncIterable<unknown>): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const part of parts) {
    found.push(part);
  }
  return found;
}

const unplaced = { ...kind, metadata: { name: "a" } };
const placed = { ...kind, metadata: { name: "a", namespace: "p" } };

function resourceIn(client: Client, namespace: string | undefined) {
  return namespace === undefined ? client.resource(kind) : client.resource(kind, namespace);
}

/** Calls on one object, with a client of a namespace or of the cluster. */
const calls: Record<
  string,
  (client: Client, namespace: string | undefined, object: UnknownKind) => Promise<unknown>
> = {
  get: (client, namespace) => resourceIn(client, namespace).get("a"),
  find: (client, namespace) => resourceIn(client, namespace).find("a"),
  "get of the metadata": (client, namespace) => resourceIn(client, namespace).metadata().get("a"),
  create: (client, namespace, object) => resourceIn(client, namespace).create(object),
  update: (client, namespace, object) => resourceIn(client, namespace).update(object),
  patch: (client, namespace) => resourceIn(client, namespace).patch("a", mergePatch({})),
  apply: (client, namespace, object) => resourceIn(client, namespace).apply(object),
  delete: (client, namespace) => resourceIn(client, namespace).delete("a"),
  tableOf: (client, namespace) => resourceIn(client, namespace).tableOf("a"),
  "status.get": (client, namespace) => resourceIn(client, namespace).status.get("a"),
  "status.update": (client, namespace, object) =>
    resourceIn(client, namespace).status.update("a", object),
  "status.patch": (client, namespace) =>
    resourceIn(client, namespace).status.patch("a", mergePatch({})),
  "status.apply": (client, namespace, object) =>
    resourceIn(client, namespace).status.apply("a", object),
  modify: (client, namespace) =>
    resourceIn(client, namespace).modify("a", (one) => {
      one["spec"] = 1;
    }),
};

const callsOfMany: Record<
  string,
  (client: Client, namespace: string | undefined) => Promise<unknown>
> = {
  list: (client, namespace) => resourceIn(client, namespace).list(),
  items: (client, namespace) => all(resourceIn(client, namespace).items()),
  watch: (client, namespace) => all(resourceIn(client, namespace).watch()),
  table: (client, namespace) => resourceIn(client, namespace).table(),
  deleteCollection: (client, namespace) => resourceIn(client, namespace).deleteCollection(),
};

const callsOnManifests: Record<string, (client: Client, object: UnknownKind) => Promise<unknown>> =
  {
    apply: (client, object) => client.apply(object as typeof unplaced),
    applyAll: (client, object) => client.applyAll([object]),
    diff: (client, object) => client.diff([object]),
  };

describe.each(["aggregated", "legacy"] as const)(
  "a definition replaced by one with the other scope, %s",
  (form) => {
    it.each(Object.entries({ ...calls, ...callsOfMany }))(
      "%s uses the namespaced path once the definition has namespaces",
      async (_, call) => {
        const server = new Replacing(true, form);
        const client = server.client({ clock: server.clock });
        await call(client, undefined, unplaced);
        server.replace();
        await call(client, "p", placed);
        expect(server.last.url).toMatch(/^\/apis\/x\.io\/v1\/namespaces\/p\/widgets/);
      },
    );

    it.each(Object.entries(calls))("now without namespaces: %s", async (_, call) => {
      const server = new Replacing(false, form);
      const client = server.client({ clock: server.clock });
      await call(client, "p", placed);
      server.replace();
      await call(client, undefined, unplaced);
      expect(server.last.url).toMatch(/^\/apis\/x\.io\/v1\/widgets/);
    });

    it.each(Object.entries(callsOnManifests))(
      "manifests, replaced and replaced back: %s",
      async (_, call) => {
        const server = new Replacing(false, form);
        const clock = handClock();
        const client = server.client({ clock, namespace: "p" });
        for (const path of ["namespaces/p/widgets", "widgets", "namespaces/p/widgets"]) {
          await call(client, unplaced);
          expect(server.last.url).toBe(`/apis/x.io/v1/${path}/a`);
          server.replace();
          clock.advance(5_001);
        }
      },
    );

    it("deletes an existing object instead of reporting it as absent", async () => {
      const server = new Replacing(false, form);
      const client = server.client({ clock: server.clock, namespace: "p" });
      await client.applyAll([unplaced]);
      server.replace();
      expect(await client.deleteAll([unplaced])).toMatchObject([{ outcome: "deleted" }]);
      expect(server.last.url).toBe("/apis/x.io/v1/widgets/a");
    });
  },
);

describe("a call that fails with a 404 or a wrong scope", () => {
  it("with the known scope up to date, queries discovery once in five seconds", async () => {
    const server = new Replacing(true);
    const widgets = server.client({ clock: server.clock }).resource(kind, "p");
    for (let n = 0; n < 10; n++) {
      expect((await failure(widgets.get("a"))).message).toContain("are not namespaced");
    }
    // The two roots, and the group-version once.
    expect(server.looks).toBe(3);
    server.clock.advance(5_001);
    for (let n = 0; n < 10; n++) {
      await failure(widgets.get("a"));
    }
    expect(server.looks).toBe(6);
  });

  it("on a subresource that is not served, does not affect other calls on the kind", async () => {
    const server = new DiscoveryServer([widget], "aggregated", ({ url }) =>
      url.endsWith("/scale")
        ? statusResponse(404, "NotFound", { details: {} })
        : { body: unplaced },
    );
    const widgets = server.client({ clock: handClock() }).resource(kind, "p");
    for (let n = 0; n < 5; n++) {
      expect((await failure(widgets.scale.get("a"))).httpStatus).toBe(404);
    }
    expect(await widgets.get("a")).toMatchObject(unplaced);
  });

  it("reports the server's own error when discovery fails", async () => {
    const server = new Replacing(false);
    let isDown = false;
    const client = server.client({
      clock: handClock(),
      send: (request) => {
        if (isDown && request.path === "/apis/x.io/v1") {
          throw new KubeError("ConnectionReset", "gone");
        }
        return server.send(request);
      },
    });
    await client.resource(kind, "p").get("a");
    server.replace();
    isDown = true;
    expect((await failure(client.resource(kind, "p").get("a"))).httpStatus).toBe(404);
    isDown = false;
    await failure(client.resource(kind, "p").get("a"));
    await client.resource(kind).get("a");
  });

  it("with a given descriptor, sends no discovery request", async () => {
    const server = new Replacing(false);
    const client = server.client({ clock: handClock() });
    const found = await client.discovery.find(kind);
    server.replace();
    const { looks } = server;
    expect((await failure(client.resource(found, "p").get("a"))).httpStatus).toBe(404);
    expect(server.looks).toBe(looks);
    // Another lookup finds the present scope.
    expect((await client.discovery.find(kind)).scope).toBe("Cluster");
    expect((await client.discovery.find("widgets")).scope).toBe("Cluster");
  });
});
