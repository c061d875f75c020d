import { deepStrictEqual } from "node:assert/strict";
import { ConfigMap, Pod } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import { isTable, jsonPatch, mergePatch } from "@typekube/client";
import { isAlreadyExists, isConflict, isExpired, isNotFound } from "@typekube/core";
import { failure } from "@typekube/test-support/failure";
import { connect } from "typekube";
import { describe, expect, it } from "vitest";
import { all } from "./helpers/all.js";

describe("the client against the embedded API server", () => {
  it("S11: rejects certificates and credentials next to a transport, and names them", async () => {
    await using api = await startApiServer();
    const error = await failure(
      connect({ transport: api, ca: "pem", token: "t", namespace: "shop" }),
    );
    expect(error.code).toBe("Config");
    expect(error.message).toContain("ca, token cannot be combined with transport");
    await using client = await connect({ transport: api, token: undefined, namespace: "shop" });
    expect(client.namespace).toBe("shop");
  });

  it("creates, updates, patches, applies, reads and deletes an object", async () => {
    await using api = await startApiServer({ seed: 1 });
    await using client = await connect({ transport: api });
    const configMaps = client.resource(ConfigMap, "default");
    const created = await configMaps.create({ metadata: { name: "a" }, data: { k: "v" } });
    expect(created).toMatchObject({ kind: "ConfigMap", apiVersion: "v1", data: { k: "v" } });
    expect(isAlreadyExists(await failure(configMaps.create({ metadata: { name: "a" } })))).toBe(
      true,
    );
    const updated = await configMaps.update({ ...created, data: { k: "w" } });
    expect(isConflict(await failure(configMaps.update(created)))).toBe(true);
    await configMaps.patch("a", mergePatch({ data: { k: null, l: "x" } }));
    await configMaps.patch("a", jsonPatch([{ op: "add", path: "/data/m", value: "y" }]));
    const applied = await configMaps.apply({ metadata: { name: "a" }, data: { n: "z" } });
    expect(applied.data).toEqual({ l: "x", m: "y", n: "z" });
    expect(applied.metadata.uid).toBe(updated.metadata.uid);
    expect(await configMaps.get("a")).toEqual(applied);
    expect((await configMaps.delete("a")).type).toBe("deleted");
    expect(await configMaps.find("a")).toBeUndefined();
    expect(isNotFound(await failure(configMaps.delete("a")))).toBe(true);
  });

  it("a dry run changes nothing, deletes included", async () => {
    await using api = await startApiServer({ seed: 1 });
    await using client = await connect({ transport: api });
    const plan = client.with({ dryRun: "All" }).resource(ConfigMap, "default");
    const real = client.resource(ConfigMap, "default");
    await plan.create({ metadata: { name: "a" } });
    expect(await real.find("a")).toBeUndefined();
    await real.create({ metadata: { name: "a" } });
    await plan.delete("a");
    await plan.deleteCollection();
    expect(await real.find("a")).toBeDefined();
  });

  it("ALT1: lists, walks and watches return the same in each encoding", async () => {
    await using api = await startApiServer({ seed: 1 });
    await using client = await connect({ transport: api });
    const pods = client.resource(Pod, "default");
    for (let i = 0; i < 25; i++) {
      const labels = { app: i % 2 === 0 ? "even" : "odd" };
      await pods.create({
        metadata: { name: `p${i}`, labels },
        spec: { containers: [{ name: "c", image: "i" }] },
      });
    }
    const walk = (options: object) =>
      all(pods.items({ pageSize: 4, labelSelector: { app: "even" }, ...options }));
    const watch = async (options: object) => {
      const seen: unknown[] = [];
      for await (const event of pods.watch({
        sendInitialEvents: true,
        resourceVersionMatch: "NotOlderThan",
        ...options,
      })) {
        if (event.type === "BOOKMARK") {
          break;
        }
        seen.push(event);
      }
      return seen;
    };
    const asJson = { encoding: "json" } as const;
    const even = await walk(asJson);
    expect(even).toHaveLength(13);
    const events = await watch(asJson);
    expect(events).toHaveLength(25);
    for (const encoding of ["protobuf", "cbor", "yaml"] as const) {
      const options = { encoding };
      deepStrictEqual(await pods.list(options), await pods.list(asJson));
      deepStrictEqual(await pods.get("p3", options), await pods.get("p3", asJson));
      deepStrictEqual(await walk(options), even);
      deepStrictEqual(await watch(options), events);
    }
  });

  it("ALT7, ALT17, UPD4: writes arrive complete in each encoding, whether the server accepts it or not", async () => {
    await using api = await startApiServer({ seed: 1 });
    await using client = await connect({ transport: api });
    const data = { yes: "yes", octal: "010", lines: "a\nb\n", text: "ä🚀" };
    for (const encoding of ["json", "protobuf", "cbor", "yaml"] as const) {
      const configMaps = client.with({ encoding }).resource(ConfigMap, "default");
      const created = await configMaps.create({ metadata: { name: encoding }, data });
      expect(created.data).toEqual(data);
      const updated = await configMaps.update({ ...created, data: { k: "v" } });
      await configMaps.apply({ metadata: { name: encoding }, data: { l: "w" } });
      const read = await configMaps.get(encoding, { encoding: "json" });
      expect(read.data).toEqual({ k: "v", l: "w" });
      expect(read.metadata.uid).toBe(updated.metadata.uid);
      expect((await configMaps.delete(encoding)).type).toBe("deleted");
    }
  });

  it("TAB1, TAB7, ALT22, ALT23: returns tables and metadata", async () => {
    await using api = await startApiServer({ seed: 1 });
    await using client = await connect({ transport: api });
    const configMaps = client.resource(ConfigMap, "default");
    const { metadata } = await configMaps.create({ metadata: { name: "a" }, data: { k: "v" } });
    const partial = { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata };
    for (const encoding of ["json", "yaml"] as const) {
      const view = client.with({ encoding }).resource(ConfigMap, "default").metadata();
      expect(await view.get("a")).toEqual(partial);
      expect((await view.list({ labelSelector: "!x" })).items).toContainEqual(partial);
      expect(await view.patch("a", mergePatch({}))).toEqual(partial);
      const table = await client.with({ encoding }).resource(ConfigMap, "default").tableOf("a");
      expect(isTable(table) && table.rows.map(({ cells }) => cells[0])).toEqual(["a"]);
    }
    expect(
      (await configMaps.table({ fallback: false, fieldSelector: "metadata.name=a" })).rows,
    ).toHaveLength(1);
  });

  it("P3, P4, CHK5: handles a token that expires between two pages", async () => {
    await using api = await startApiServer({ seed: 1 });
    await using client = await connect({ transport: api });
    const configMaps = client.resource(ConfigMap, "default");
    for (const name of ["a", "b", "c", "d"]) {
      await configMaps.create({ metadata: { name } });
    }
    const walk = async (onExpired: "fail" | "inconsistent" | "restart") => {
      const seen: string[] = [];
      for await (const { metadata } of configMaps.items({ pageSize: 2, onExpired })) {
        seen.push(metadata.name);
        if (seen.length === 2) {
          await configMaps.apply({ metadata: { name: "e" }, data: { run: onExpired } });
          api.compact();
        }
      }
      return seen;
    };
    expect(isExpired(await failure(walk("fail")))).toBe(true);
    expect(await walk("restart")).toEqual(["a", "b", "c", "d", "e"]);
    expect(await walk("inconsistent")).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("finds kinds by apiVersion and kind, and applies manifests", async () => {
    await using api = await startApiServer({ seed: 1 });
    await using client = await connect({ transport: api });
    const applied = await client.applyAll(
      "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {mode: '0644'}}",
    );
    expect(applied).toHaveLength(1);
    const found = client.resource({ apiVersion: "v1", kind: "ConfigMap" }, "default");
    expect((await found.get("a")).data).toEqual({ mode: "0644" });
    const missing = client.resource({ apiVersion: "x.io/v1", kind: "Widget" }, "default");
    expect((await failure(missing.list())).message).toContain("it does not serve x.io/v1");
  });
});
