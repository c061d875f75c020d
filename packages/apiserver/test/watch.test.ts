import { KubeError } from "@typekube/core";
import {
  call,
  configMaps,
  createConfigMaps,
  type Json,
  mergePatch,
  watch,
} from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";

describe("events", () => {
  test("WAT1, RV29: a watch from a list's resourceVersion receives every later change and no earlier one", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a");
    const listed = await call(api, "GET", configMaps);
    await createConfigMaps(api, "b");
    const events = await watch(
      api,
      `${configMaps}?watch=1&resourceVersion=${listed.body.metadata.resourceVersion}`,
    );
    await call(api, "PATCH", `${configMaps}/a`, { data: { x: "1" } }, mergePatch);
    await call(api, "DELETE", `${configMaps}/b`);
    expect(await events.take(3)).toEqual(["ADDED b", "MODIFIED a", "DELETED b"]);
    await events.stop();
    expect(api.openWatches).toBe(0);
  });

  test("RV29: without a resourceVersion, the current state comes first", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "b", "a");
    const events = await watch(api, `${configMaps}?watch=1`);
    expect(await events.take(2)).toEqual(["ADDED a", "ADDED b"]);
    await events.stop();
  });

  test("ES4: a deletion carries the last state at the resourceVersion of the deletion", async () => {
    await using api = await startApiServer();
    const [created] = await createConfigMaps(api, "a");
    const events = await watch(
      api,
      `${configMaps}?watch=1&resourceVersion=${created.metadata.resourceVersion}`,
    );
    await call(api, "DELETE", `${configMaps}/a`);
    const { type, object } = await events.next();
    expect(type).toBe("DELETED");
    expect(object.metadata).toEqual({ ...created.metadata, resourceVersion: api.resourceVersion });
    await events.stop();
  });

  test("ES4: entering a selection is ADDED, leaving it is DELETED with the old state, other changes send nothing", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a");
    const events = await watch(
      api,
      `${configMaps}?watch=1&labelSelector=in%3Dyes&resourceVersion=${api.resourceVersion}`,
    );
    const label = (value: string | null, data: string) =>
      call(
        api,
        "PATCH",
        `${configMaps}/a`,
        { metadata: { labels: { in: value } }, data: { data } },
        mergePatch,
      );
    await label("no", "0");
    await label("yes", "1");
    await label("yes", "2");
    await label("no", "3");
    const left = api.resourceVersion;
    expect(await events.take(2)).toEqual(["ADDED a", "MODIFIED a"]);
    const gone = await events.next();
    expect([gone.type, gone.object.data.data, gone.object.metadata.resourceVersion]).toEqual([
      "DELETED",
      "2",
      left,
    ]);
    await events.stop();
  });

  test("GRP18: ?watch, watch=, 1, true and yes watch; 0 and false list", async () => {
    await using api = await startApiServer();
    for (const query of [
      "watch",
      "watch=",
      "watch=1",
      "watch=true",
      "watch=yes",
      "watch=0",
      "watch=false",
    ]) {
      const events = await api.send({
        method: "GET",
        path: `${configMaps}?${query}`,
        headers: {},
        mode: "stream",
      });
      await events.body[Symbol.asyncIterator]().return?.();
    }
    expect(api.requests.map(({ verb }) => verb)).toEqual([
      "watch",
      "watch",
      "watch",
      "watch",
      "watch",
      "list",
      "list",
    ]);
    expect(api.openWatches).toBe(0);
  });

  test("WAT6: a get of one name with ?watch=1 is a plain get", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a");
    expect((await call(api, "GET", `${configMaps}/a?watch=1`)).body.kind).toBe("ConfigMap");
  });
});

describe("bookmarks and streaming lists", () => {
  test("WAT9, WAT15: sendInitialEvents sends the state, an annotated bookmark, then changes", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a", "b");
    const events = await watch(
      api,
      `${configMaps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    );
    expect(await events.take(2)).toEqual(["ADDED a", "ADDED b"]);
    expect(await events.next()).toEqual({
      type: "BOOKMARK",
      object: {
        kind: "ConfigMap",
        apiVersion: "v1",
        metadata: {
          resourceVersion: api.resourceVersion,
          annotations: { "k8s.io/initial-events-end": "true" },
        },
      },
    });
    await createConfigMaps(api, "c");
    expect(await events.take(1)).toEqual(["ADDED c"]);
    await events.stop();
  });

  test("ES4: without bookmarks a streaming list never reports that it is complete", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a");
    const events = await watch(
      api,
      `${configMaps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
    );
    await createConfigMaps(api, "b");
    expect(await events.take(2)).toEqual(["ADDED a", "ADDED b"]);
    await events.stop();
  });

  test("WAT8: sends bookmarks every minute with the server's resourceVersion, and one before the end", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    const events = await watch(
      api,
      `${configMaps}?watch=1&resourceVersion=${api.resourceVersion}&allowWatchBookmarks=true&timeoutSeconds=90`,
    );
    await call(api, "POST", "/api/v1/namespaces", { metadata: { name: "elsewhere" } });
    await api.clock.advance(60_000);
    expect((await events.next()).object.metadata).toEqual({ resourceVersion: api.resourceVersion });
    await api.clock.advance(28_000);
    expect((await events.next()).type).toBe("BOOKMARK");
    await api.clock.advance(2_000);
    expect(await events.next()).toBeUndefined();
    expect(api.openWatches).toBe(0);
  });

  test("WAT8: bookmarks of kinds with a stored form have the fields of that form", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    const bookmarkOf = async (plural: string, accept = "application/json") => {
      const query = "watch=1&resourceVersion=1&allowWatchBookmarks=true&timeoutSeconds=90";
      const events = await watch(api, `/apis/apps/v1/${plural}?${query}`, undefined, { accept });
      await api.clock.advance(60_000);
      return (await events.next()).object;
    };
    for (const plural of ["deployments", "replicasets", "statefulsets"]) {
      expect((await bookmarkOf(plural)).spec.replicas).toBe(0);
    }
    const annotations = { "deprecated.daemonset.template.generation": "0" };
    expect((await bookmarkOf("daemonsets")).metadata.annotations).toEqual(annotations);
    const metadata = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
    expect((await bookmarkOf("daemonsets", metadata)).metadata.annotations).toBeUndefined();
  });

  test.each([
    ["sendInitialEvents=true", ["FieldValueForbidden"]],
    ["sendInitialEvents=false", ["FieldValueForbidden"]],
    ["resourceVersionMatch=NotOlderThan", ["FieldValueForbidden"]],
    [
      "resourceVersionMatch=Exact&resourceVersion=5",
      ["FieldValueForbidden", "FieldValueNotSupported"],
    ],
    [
      "sendInitialEvents=true&resourceVersionMatch=Exact",
      ["FieldValueForbidden", "FieldValueNotSupported"],
    ],
  ])("WAT10, WAT11: a watch with %s is 422 with the causes %j", async (query, reasons) => {
    await using api = await startApiServer();
    const { status, body } = await call(api, "GET", `${configMaps}?watch=1&${query}`);
    expect(status).toBe(422);
    expect(body.details.causes.map((cause: Json) => cause.reason)).toEqual(reasons);
    expect(body.details.causes.every((cause: Json) => cause.field === "resourceVersionMatch")).toBe(
      true,
    );
  });
});

describe("resourceVersions", () => {
  test("ES4: a compacted resourceVersion gets 200 and an ERROR event with 410 Expired", async () => {
    await using api = await startApiServer();
    const before = api.resourceVersion;
    await createConfigMaps(api, "a");
    api.compact();
    const events = await watch(api, `${configMaps}?watch=1&resourceVersion=${before}`);
    expect(events.status).toBe(200);
    const { type, object } = await events.next();
    expect([type, object.code, object.reason, object.message]).toEqual([
      "ERROR",
      410,
      "Expired",
      `too old resource version: ${before} (${Number(before) + 1})`,
    ]);
    expect(await events.next()).toBeUndefined();
  });

  test("ES1: a full history forgets the oldest events", async () => {
    await using api = await startApiServer({ historyLimit: 2 });
    const [first, second] = await createConfigMaps(api, "a", "b", "c", "d");
    const old = await watch(
      api,
      `${configMaps}?watch=1&resourceVersion=${first.metadata.resourceVersion}`,
    );
    expect((await old.next()).object.code).toBe(410);
    const known = await watch(
      api,
      `${configMaps}?watch=1&resourceVersion=${second.metadata.resourceVersion}`,
    );
    expect(await known.take(2)).toEqual(["ADDED c", "ADDED d"]);
    await known.stop();
  });

  test("WAT17: a streaming list at a future resourceVersion gets 200 and an ERROR event 504", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    const events = await watch(
      api,
      `${configMaps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=999`,
    );
    const event = events.next();
    await api.clock.advance(3_000);
    expect((await event).object).toMatchObject({
      code: 504,
      reason: "Timeout",
      details: { causes: [{ reason: "ResourceVersionTooLarge" }], retryAfterSeconds: 1 },
    });
    expect(await events.next()).toBeUndefined();
  });
});

describe("end of a watch", () => {
  test("an aborted watch fails with the signal's reason and is freed", async () => {
    await using api = await startApiServer();
    const abort = new AbortController();
    const events = await watch(api, `${configMaps}?watch=1`, abort.signal);
    const waiting = events.next();
    abort.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    expect(api.openWatches).toBe(0);
  });

  test("dropWatches breaks the watches of one resource like a broken connection", async () => {
    await using api = await startApiServer();
    const broken = await watch(api, `${configMaps}?watch=1`);
    const other = await watch(api, "/api/v1/secrets?watch=1");
    const waiting = broken.next();
    expect(api.dropWatches({ resource: "configmaps" })).toBe(1);
    await expect(waiting).rejects.toMatchObject({ code: "ConnectionReset" });
    await expect(waiting).rejects.toBeInstanceOf(KubeError);
    expect(api.openWatches).toBe(1);
    await other.stop();
  });

  test("closing the server ends every watch properly", async () => {
    const api = await startApiServer();
    const events = await watch(api, `${configMaps}?watch=1`);
    await api.close();
    expect(await events.next()).toBeUndefined();
    await expect(call(api, "GET", configMaps)).rejects.toMatchObject({ code: "ConnectionClosed" });
  });

  test("an unread watch leaves no timer when it times out or the server closes", async () => {
    const api = await startApiServer({ clock: "virtual" });
    const open = (query: string) =>
      api.send({
        method: "GET",
        path: `${configMaps}?watch=1&allowWatchBookmarks=true${query}`,
        headers: {},
        mode: "stream",
      });
    await open("&timeoutSeconds=90");
    await open("");
    expect([api.openWatches, api.clock.pending > 2]).toEqual([2, true]);
    await api.clock.advance(90_000);
    expect(api.openWatches).toBe(1);
    await api.close();
    expect([api.openWatches, api.clock.pending]).toEqual([0, 0]);
  });

  test("cuts off a reader that falls too far behind, after delivering earlier events in order", async () => {
    await using api = await startApiServer({ historyLimit: 10 });
    const events = await watch(api, `${configMaps}?watch=1`);
    const count = 10_050;
    for (let at = 0; at < count; at++) {
      await call(api, "POST", configMaps, { metadata: { name: `c-${at}` } });
    }
    let seen = 0;
    for (let event = await events.next(); event !== undefined; event = await events.next()) {
      expect(event.object.metadata.name).toBe(`c-${seen}`);
      seen++;
    }
    expect(seen).toBe(10_000);
  });
});
