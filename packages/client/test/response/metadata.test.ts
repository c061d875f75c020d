import { ConfigMap, Pod } from "@typekube/api/core/v1";
import { type Downgrade, mergePatch } from "@typekube/client";
import { readerOf } from "@typekube/client/internal";
import { codecs } from "@typekube/core/internal";
import { failure } from "@typekube/test-support/failure";
import {
  podPage,
  ScriptedServer,
  type Sent,
  statusResponse,
} from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";
import { all } from "../helpers/all.js";
import { DiscoveryServer } from "../helpers/discovery-server.js";

const json = "application/json";
const types = {
  json,
  cbor: "application/cbor",
  protobuf: "application/vnd.kubernetes.protobuf",
  yaml: "application/yaml",
} as const;
const view = (type: string, kind: string) => `${type};as=${kind};v=v1;g=meta.k8s.io`;
const asking = (encoding: keyof typeof types, kind: string) =>
  [
    ...(encoding === "json" ? [] : [view(types[encoding], kind)]),
    view(json, kind),
    `${json};q=0.9`,
  ].join(", ");
const one = "PartialObjectMetadata";
const many = "PartialObjectMetadataList";

const metadata = {
  name: "a",
  namespace: "prod",
  uid: "u",
  resourceVersion: "5",
  creationTimestamp: "2026-01-01T00:00:00Z",
  labels: { k: "v" },
};
const partial = { kind: one, apiVersion: "meta.k8s.io/v1", metadata };
const partials = {
  kind: many,
  apiVersion: "meta.k8s.io/v1",
  metadata: { resourceVersion: "10" },
  items: [partial],
};
const full = { kind: "Pod", apiVersion: "v1", metadata, spec: { containers: [] }, status: {} };

// In protobuf the items of a list do not contain their kind.
const bare = { ...partials, items: [{ metadata }] };

/** Creates a server with the view in one encoding, whatever is requested. */
function viewing(name: "cbor" | "json" | "protobuf"): ScriptedServer {
  const codec = codecs[name];
  return new ScriptedServer(async ({ query, url, method }) => {
    if ("watch" in query) {
      const body = await codec.encodeWatchEvent({ type: "ADDED", object: partial });
      return { type: codec.watchMediaType, body };
    }
    const isOne = method !== "GET" || url.endsWith("/a");
    return { type: codec.mediaType, body: await codec.encode(isOne ? partial : bare) };
  });
}

const acceptOf = ({ headers }: Sent) => headers["accept"];

describe("metadata(): a client that sees only the metadata", () => {
  it.each([
    ["json", "json", "json"],
    ["cbor", "cbor", "cbor"],
    ["protobuf", "protobuf", "protobuf"],
    ["yaml", "yaml", "json"],
    ["auto", "json", "json"],
  ] as const)(
    "ALT21, ALT23: under %s a get requests %s, a watch the object form, a list the list form",
    async (encoding, read, watch) => {
      const server = viewing("json");
      const pods = server.client().with({ encoding }).resource(Pod, "prod").metadata();
      const many_ = encoding === "auto" ? "protobuf" : read;
      await pods.get("a");
      await pods.list();
      await all(pods.items());
      await all(pods.watch());
      expect(server.sent.map(acceptOf)).toEqual([
        asking(read, one),
        asking(many_, many),
        asking(many_, many),
        asking(encoding === "auto" ? "protobuf" : watch, one),
      ]);
    },
  );

  it.each(["json", "cbor", "protobuf"] as const)(
    "ALT21, ALT22: returns the same values from %s, without spec and status",
    async (name) => {
      const pods = viewing(name).client().with({ encoding: name }).resource(Pod, "prod").metadata();
      expect(await pods.get("a")).toEqual(partial);
      expect(await pods.find("a")).toEqual(partial);
      expect(await pods.list()).toEqual(partials);
      expect(await all(pods.items())).toEqual([partial]);
      expect(await all(pods.watch())).toEqual([{ type: "ADDED", object: partial }]);
    },
  );

  it("ALT24: reduces whole objects in a response to their metadata", async () => {
    const event = (type: string, object: object) => `${JSON.stringify({ type, object })}\n`;
    const bookmark = { kind: "Pod", apiVersion: "v1", metadata: { resourceVersion: "9" } };
    const server = new ScriptedServer(({ query, url }) => {
      if ("watch" in query) {
        return { body: event("MODIFIED", full) + event("BOOKMARK", bookmark) };
      }
      const { kind: _, apiVersion: __, ...item } = full;
      const list = { ...(podPage([]).body as object), items: [item] };
      return { body: url.endsWith("/a") ? full : list };
    });
    const pods = server.client().resource(Pod, "prod").metadata();
    expect(await pods.get("a")).toEqual(partial);
    expect(await pods.list()).toEqual(partials);
    expect(await all(pods.items())).toEqual([partial]);
    expect(await all(pods.watch())).toEqual([
      { type: "MODIFIED", object: partial },
      { type: "BOOKMARK", object: { ...partial, metadata: bookmark.metadata } },
    ]);
    expect(await pods.patch("a", mergePatch({ metadata: { labels: { k: "v" } } }))).toEqual(
      partial,
    );
    expect((await pods.delete("a")).object).toEqual(partial);
    expect(await pods.deleteCollection()).toEqual(partials);
  });

  it("ALT26: reads the metadata of a custom resource as protobuf, unlike its objects", async () => {
    const kinds = [{ group: "x.io", version: "v1", kind: "Widget", plural: "widgets" }];
    const body = await codecs.protobuf.encode(bare);
    const server = new DiscoveryServer(kinds, "aggregated", () => ({ type: types.protobuf, body }));
    const client = server.client().with({ encoding: "protobuf" });
    const widgets = client.resource({ apiVersion: "x.io/v1", kind: "Widget" }, "prod");
    expect(await widgets.metadata().list()).toEqual(partials);
    expect(server.last.headers["accept"]).toBe(asking("protobuf", many));
    expect(server.last.url).toBe("/apis/x.io/v1/namespaces/prod/widgets");
  });

  it("patch and deletes request metadata in response, and send the same bodies as ever", async () => {
    const server = viewing("json");
    const pods = server.client().resource(Pod, "prod").metadata();
    expect(await pods.patch("a", mergePatch({ metadata: { labels: { k: "v" } } }))).toEqual(
      partial,
    );
    expect((await pods.delete("a", { gracePeriodSeconds: 0 })).object).toEqual(partial);
    await pods.deleteCollection();
    expect(server.sent.map(acceptOf)).toEqual([
      asking("json", one),
      asking("json", one),
      asking("json", many),
    ]);
    expect(server.sent.map(({ headers }) => headers["content-type"])).toEqual([
      "application/merge-patch+json",
      json,
      json,
    ]);
  });

  it("returns a Status as a Status", async () => {
    const success = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" };
    const server = new ScriptedServer(
      { body: success },
      statusResponse(404, "NotFound", { details: { name: "a" } }),
    );
    const pods = server.client().resource(Pod, "prod").metadata();
    expect((await pods.delete("a")).type).toBe("deleted");
    expect(await pods.find("a")).toBeUndefined();
  });

  it.each(["json", "cbor", "protobuf"] as const)(
    "H29: an ERROR in %s is a Status in every view, after the events before it",
    async (name) => {
      const codec = codecs[name];
      const status = statusResponse(410, "Expired").body as object;
      const body = Buffer.concat([
        await codec.encodeWatchEvent({ type: "ADDED", object: partial }),
        await codec.encodeWatchEvent({ type: "ERROR", object: status }),
      ]);
      const server = new ScriptedServer({ type: codec.watchMediaType, body });
      const pods = server.client().resource(Pod, "prod");
      for (const watch of [pods.watch(), pods.metadata().watch()]) {
        const seen: unknown[] = [];
        const reading = (async () => {
          for await (const event of watch) {
            seen.push(event);
          }
        })();
        expect((await failure(reading)).code).toBe("Expired");
        expect(seen).toEqual([{ type: "ADDED", object: partial }]);
      }
    },
  );

  it("lists and watches across all namespaces", async () => {
    const server = viewing("json");
    const everywhere = server.client().resource(ConfigMap).metadata();
    expect(await everywhere.list()).toEqual(partials);
    expect(server.last.url).toBe("/api/v1/configmaps");
    await all(everywhere.watch());
  });

  it("ALT4, ALT16: a rejected encoding of the view does not affect whole objects", async () => {
    const received: Downgrade[] = [];
    const server = new ScriptedServer(statusResponse(406, "NotAcceptable"), { body: partials });
    const client = server.client({ onDowngrade: (downgrade) => void received.push(downgrade) });
    const pods = client.resource(Pod, "prod");
    expect(await pods.metadata().list()).toEqual(partials);
    await pods.metadata().list();
    await pods.list();
    expect(server.sent.map(acceptOf)).toEqual([
      asking("protobuf", many),
      asking("json", many),
      asking("json", many),
      `${types.protobuf}, ${json};q=0.9`,
    ]);
    expect(received.map(({ resource }) => resource)).toEqual(["v1/pods (metadata)"]);
  });

  it("a reader of the view reports the kind of its objects, which informers compare", async () => {
    const server = viewing("json");
    const reader = readerOf(server.client(), Pod, { namespace: "prod", view: "metadata" });
    expect(await reader.descriptor()).toMatchObject({ kind: one, plural: "pods", group: "" });
    const parts = await all(reader.listParts({ managedFields: false }));
    expect(parts.flatMap(({ items }) => items)).toEqual([partial]);
    expect((await all(reader.watchBatches({}))).flat()).toEqual([
      { type: "ADDED", object: partial },
    ]);
  });
});
