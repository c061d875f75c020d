import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  applyPatch,
  call,
  configMaps,
  createConfigMaps,
  deployments,
  type Json,
  jsonPatch,
  mergePatch,
  strategicPatch,
  watch,
} from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";
import type { ApiObject } from "../src/objects/api-object.js";
import { SortedEntries } from "../src/store/sorted-entries.js";

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", properties: { size: { type: "integer" } } } },
          },
        },
      },
    ],
  },
};
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const widgets = "/apis/example.com/v1/namespaces/default/widgets";
const widget = (name: string, size: unknown = 1) => ({
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata: { name },
  spec: { size },
});

const namesOf = async (api: Parameters<typeof call>[0], path = configMaps) =>
  (await call(api, "GET", path)).body.items?.map(({ metadata }: Json) => metadata.name);

describe("forks", () => {
  test("ES27: a fork has every object, and neither server sees the other's writes", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    await createConfigMaps(api, "a", "b");
    await using fork = api.fork();
    await createConfigMaps(api, "parent");
    await createConfigMaps(fork, "child");
    await call(fork, "DELETE", `${configMaps}/a`);
    expect(await namesOf(api)).toEqual(["a", "b", "parent"]);
    expect(await namesOf(fork)).toEqual(["b", "child"]);
    expect([fork.requests.length, fork.openWatches]).toEqual([3, 0]);
    await fork.clock.advance(1_000);
    expect(fork.clock.now() - api.clock.now()).toBe(1_000);
  });

  test("ES27: a fork has definitions, their schemas and their objects; each server changes its own", async () => {
    await using api = await startApiServer();
    await call(api, "POST", definitions, definition);
    await call(api, "POST", widgets, widget("one"));
    await using fork = api.fork();
    expect(await namesOf(fork, widgets)).toEqual(["one"]);
    expect((await call(fork, "POST", widgets, widget("two", "big"))).status).toBe(422);
    expect((await call(fork, "DELETE", `${definitions}/widgets.example.com`)).status).toBe(200);
    expect((await call(fork, "GET", widgets)).status).toBe(404);
    expect(await namesOf(api, widgets)).toEqual(["one"]);
  });

  test("ES27: a fork has the history: old lists, pages and watches continue there", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a");
    const before = api.resourceVersion;
    const page = await call(api, "GET", `${configMaps}?limit=1`);
    await createConfigMaps(api, "b");
    await using fork = api.fork();
    const exact = `${configMaps}?resourceVersion=${before}&resourceVersionMatch=Exact`;
    expect(await namesOf(fork, exact)).toEqual(["a"]);
    expect(page.status).toBe(200);
    const events = await watch(fork, `${configMaps}?watch=1&resourceVersion=${before}`);
    await createConfigMaps(fork, "c");
    expect(await events.take(2)).toEqual(["ADDED b", "ADDED c"]);
    await events.stop();
  });

  test("ES27: patches of every type on a fork leave shared objects unchanged at any depth", async () => {
    await using api = await startApiServer();
    const labels = { app: "a" };
    const containers = [{ name: "c", image: "i", env: [{ name: "E", value: "1" }] }];
    const created = await call(api, "POST", deployments, {
      metadata: { name: "d", labels, annotations: { a: "1" } },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers } },
      },
    });
    expect(created.status).toBe(201);
    await using fork = api.fork();
    const path = `${deployments}/d`;
    const image = { spec: { template: { spec: { containers: [{ name: "c", image: "j" }] } } } };
    const zero = [
      { op: "replace", path: "/spec/template/spec/containers/0/env/0/value", value: "" },
    ];
    const apply = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "d", labels: { b: "c" } },
    };
    const statuses = [
      await call(fork, "PATCH", path, { metadata: { annotations: { a: null } } }, mergePatch),
      await call(fork, "PATCH", path, image, strategicPatch),
      await call(fork, "PATCH", path, zero, jsonPatch),
      await call(fork, "PATCH", `${path}?fieldManager=m`, apply, applyPatch),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200, 200]);
    expect((await call(api, "GET", path)).body).toEqual(created.body);
    expect((await call(fork, "GET", path)).body).not.toEqual(created.body);
  });

  test("ES28: two writes after a fork copy a bounded number of entries, however many objects exist", () => {
    const copied = [1_000, 10_000, 100_000].map((count) => {
      const entries = new SortedEntries();
      for (let at = 0; at < count; at++) {
        entries.set(`default/p-${String(at).padStart(6, "0")}`, objectOf(at));
      }
      const fork = entries.fork();
      expect([fork.copied, entries.copied]).toEqual([0, 0]);
      fork.set("default/p-000500", objectOf(-1));
      fork.set("default/p-000501", objectOf(-1));
      expect(entries.get("default/p-000500")).not.toBe(fork.get("default/p-000500"));
      return fork.copied;
    });
    console.info(`entries copied by two writes to forks of 1,000, 10,000 and 100,000: ${copied}`);
    expect(Math.max(...copied)).toBeLessThanOrEqual(512);
  });

  test("ES27: entries written in any order, on forks of forks, equal those of a plain map", () => {
    let state = 7;
    const random = (below: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    let entries = new SortedEntries();
    let plain = new Map<string, ApiObject>();
    const others: (readonly [SortedEntries, Map<string, ApiObject>])[] = [];
    for (let step = 0; step < 20_000; step++) {
      const key = `n${random(3)}/k${random(2_000)}`;
      if (random(3) === 0) {
        entries.delete(key);
        plain.delete(key);
      } else {
        const object = objectOf(step);
        entries.set(key, object);
        plain.set(key, object);
      }
      if (random(1_000) === 0) {
        others.push([entries, plain]);
        entries = entries.fork();
        plain = new Map(plain);
      }
    }
    for (const [one, expected] of [...others, [entries, plain] as const]) {
      const sorted = [...expected].sort(([a], [b]) => (a < b ? -1 : 1));
      expect(one.select("")).toEqual(sorted);
      expect(one.size).toBe(expected.size);
      expect(one.select("n1/")).toEqual(sorted.filter(([key]) => key.startsWith("n1/")));
    }
  });
});

describe("snapshots", () => {
  test("ES27: a server can be restored to a snapshot repeatedly; watches break", async () => {
    await using api = await startApiServer();
    await call(api, "POST", definitions, definition);
    await createConfigMaps(api, "a");
    const snapshot = api.snapshot();
    for (const name of ["b", "c"]) {
      const events = await watch(api, `${configMaps}?watch=1`);
      await createConfigMaps(api, name);
      await call(api, "DELETE", `${definitions}/widgets.example.com`);
      api.restore(snapshot);
      await expect(events.take(9)).rejects.toMatchObject({ code: "ConnectionReset" });
      expect(await namesOf(api)).toEqual(["a"]);
      expect((await call(api, "POST", widgets, widget(name))).status).toBe(201);
    }
    api.restore(snapshot);
    expect(await namesOf(api, widgets)).toEqual([]);
    expect(() => api.restore({ resourceVersion: "1" })).toThrow(
      "restore() takes a value returned by snapshot()",
    );
  });
});

describe("load and dump", () => {
  test("GRP33, ES27: a dump loaded elsewhere gives the same lists, including definitions", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    await call(api, "POST", definitions, definition);
    await call(api, "POST", widgets, widget("one"));
    await createConfigMaps(api, "a", "b");
    await call(api, "POST", "/apis/apps/v1/namespaces/default/deployments", deployment);
    await call(api, "POST", "/api/v1/namespaces/default/secrets", secret);
    const text = await api.dump();
    expect(text).toMatch(/^apiVersion: v1\nitems:\n/);
    await using other = await startApiServer({ clock: "virtual", seed: 2, load: text });
    const paths = [
      configMaps,
      widgets,
      definitions,
      "/api/v1/namespaces",
      "/api/v1/secrets",
      "/apis/apps/v1/deployments",
    ];
    for (const path of paths) {
      const [one, two] = [await call(api, "GET", path), await call(other, "GET", path)];
      expect(withoutVersions(two.body)).toEqual(withoutVersions(one.body));
      expect(one.body.items.length).toBeGreaterThan(0);
    }
    const plain = async (server: typeof api) =>
      (await server.dump()).replace(/resourceVersion: "\d+"/g, "resourceVersion: any");
    expect(await plain(other)).toBe(await plain(api));
  });

  test("ES27: loads manifests from text, objects and a folder; definitions before their objects", async () => {
    await using api = await startApiServer();
    const folder = await mkdtemp(join(tmpdir(), "typekube-load-"));
    try {
      await writeFile(
        join(folder, "a.yaml"),
        `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: file}\n`,
      );
      await writeFile(join(folder, "b.json"), JSON.stringify(widget("w")));
      await writeFile(join(folder, "c.yml"), JSON.stringify(definition));
      expect(await api.load({ path: folder })).toBe(3);
    } finally {
      await rm(folder, { recursive: true });
    }
    expect(
      await api.load([{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "object" } }]),
    ).toBe(1);
    expect(await api.load("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: text\n")).toBe(1);
    expect(await namesOf(api)).toEqual(["file", "object", "text"]);
    expect(await namesOf(api, widgets)).toEqual(["w"]);
  });

  test("ES27: dumps one resource or namespace, optionally without managedFields", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a");
    const resources = ["configmaps"];
    const text = await api.dump({ resources, namespace: "default", managedFields: false });
    expect(text.match(/kind: \w+/g)).toEqual(["kind: ConfigMap", "kind: List"]);
    expect(text).not.toContain("managedFields");
    expect(await api.dump({ namespace: "kube-public", resources })).toContain("items: []");
  });

  test("ES27: rejects kinds that the server does not serve, by name", async () => {
    await using api = await startApiServer();
    const metadata = { name: "x", uid: "1" };
    await expect(
      api.load([{ apiVersion: "example.com/v1", kind: "Thing", metadata }]),
    ).rejects.toThrow(
      "Thing x cannot be loaded: the server does not serve Thing of example.com/v1",
    );
  });
});

const deployment = {
  metadata: { name: "web" },
  spec: {
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: { containers: [{ name: "c", image: "i" }] },
    },
  },
};
const secret = { metadata: { name: "s" }, data: { key: "dmFsdWU=" } };

function objectOf(at: number): ApiObject {
  return { apiVersion: "v1", kind: "Pod", metadata: { name: `p-${at}` } };
}

function withoutVersions(list: Json): Json {
  return list.items.map(({ metadata: { resourceVersion: _, ...metadata }, ...item }: Json) => ({
    ...item,
    metadata,
  }));
}
