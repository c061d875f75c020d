import { mediaTypes } from "@typekube/core/internal";
import {
  call,
  configMaps,
  createConfigMaps,
  exchange,
  type Json,
  widget,
} from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";
import { ageText } from "../src/response/table/age.js";

const asTable = { accept: "application/json;as=Table;g=meta.k8s.io;v=v1, application/json" };

describe("tables", () => {
  test("TAB1: a list has a row per object with its name and age", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    await createConfigMaps(api, "a");
    await api.clock.advance(200_000);
    await createConfigMaps(api, "b");
    const { body, headers } = await call(api, "GET", configMaps, undefined, asTable);
    expect(headers["content-type"]).toBe("application/json");
    expect([body.kind, body.apiVersion]).toEqual(["Table", "meta.k8s.io/v1"]);
    expect(body.columnDefinitions.map(({ name }: Json) => name)).toEqual(["Name", "Data", "Age"]);
    expect(body.rows.map(({ cells }: Json) => cells)).toEqual([
      ["a", 0, "3m20s"],
      ["b", 0, "0s"],
    ]);
    expect(body.rows[0].object).toMatchObject({
      kind: "PartialObjectMetadata",
      metadata: { name: "a" },
    });
    expect(body.metadata.resourceVersion).toBe(api.resourceVersion);
  });

  test("includeObject determines the object in a row", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a");
    const get = async (include: string) =>
      (await call(api, "GET", `${configMaps}/a?includeObject=${include}`, undefined, asTable)).body;
    expect((await get("None")).rows[0].object).toBeNull();
    expect((await get("Object")).rows[0].object.kind).toBe("ConfigMap");
    const bad = await get("Bad");
    expect([bad.code, bad.message]).toEqual([
      400,
      "Unable to convert to Table as requested: includeObject: Invalid value: \"Bad\": must be 'Metadata', 'Object', 'None', or empty",
    ]);
  });

  test("an empty list has no rows, and a Status stays a Status", async () => {
    await using api = await startApiServer();
    expect((await call(api, "GET", configMaps, undefined, asTable)).body.rows).toEqual([]);
    const missing = await call(api, "GET", `${configMaps}/a`, undefined, asTable);
    expect([missing.status, missing.body.kind]).toEqual([404, "Status"]);
    await createConfigMaps(api, "a");
    const gone = await call(api, "DELETE", `${configMaps}/a`, undefined, asTable);
    expect(gone.body).toMatchObject({ kind: "Status", status: "Success" });
  });

  test("TAB6, TAB7: supports v1 and v1beta1, in JSON and YAML; rows have the version of their table", async () => {
    await using api = await startApiServer({ featureGates: { CBORServingAndStorage: true } });
    await createConfigMaps(api, "a");
    for (const type of [mediaTypes.json, mediaTypes.yaml]) {
      for (const version of ["v1", "v1beta1"]) {
        const accept = `${type};as=Table;g=meta.k8s.io;v=${version}`;
        const table = await exchange(api, "GET", configMaps, { accept });
        expect([table.type, table.value.kind]).toEqual([type, "Table"]);
        const versions = [table.value.apiVersion, table.value.rows[0].object.apiVersion];
        expect(versions).toEqual([`meta.k8s.io/${version}`, `meta.k8s.io/${version}`]);
      }
    }
    const refused = { accept: "application/json;as=Table;g=meta.k8s.io;v=v2" };
    expect((await exchange(api, "GET", configMaps, refused)).status).toBe(406);
    for (const type of [mediaTypes.protobuf, mediaTypes.cbor]) {
      const accept = `${type};as=Table;g=meta.k8s.io;v=v1`;
      expect((await exchange(api, "GET", configMaps, { accept })).status).toBe(406);
      const second = { accept: `${accept}, ${mediaTypes.json}` };
      expect((await exchange(api, "GET", configMaps, second)).value.kind).toBe("ConfigMapList");
    }
  });

  test("a watch of tables: one row per event, columns only in the first event", async () => {
    await using api = await startApiServer({ clock: "virtual", resources: [widget] });
    await createConfigMaps(api, "a");
    const path = `${configMaps}?watch=1&resourceVersion=0&allowWatchBookmarks=true`;
    const { value } = await exchange(api, "GET", path, { ...asTable, events: 2 });
    expect(
      value.map(({ type, object }: Json) => [type, object.kind, object.rows[0].cells]),
    ).toEqual([
      ["ADDED", "Table", ["a", 0, "0s"]],
      ["BOOKMARK", "Table", ["", 0, "<unknown>"]],
    ]);
    expect(value[0].object.columnDefinitions.map(({ name }: Json) => name)).toEqual([
      "Name",
      "Data",
      "Age",
    ]);
    expect(value[1].object.columnDefinitions).toBeNull();
    expect(value[1].object.rows[0].object.metadata.annotations).toEqual({
      "k8s.io/initial-events-end": "true",
    });
    const custom =
      "/apis/example.com/v1/widgets?watch=1&resourceVersion=0&allowWatchBookmarks=true";
    const bookmark = await exchange(api, "GET", custom, { ...asTable, events: 1 });
    expect(bookmark.value[0].object.rows[0].cells).toEqual(["", null]);
    const bad = await exchange(api, "GET", `${path}&includeObject=Bad`, asTable);
    expect([bad.status, api.openWatches]).toEqual([400, 0]);
  });

  test("an error in a watch of tables is a Status", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a", "b");
    api.compact();
    const path = `${configMaps}?watch=1&resourceVersion=1`;
    const { value } = await exchange(api, "GET", path, asTable);
    expect(value).toMatchObject([{ type: "ERROR", object: { kind: "Status", code: 410 } }]);
  });

  test.each([
    [-1, "0s"],
    [119, "119s"],
    [120, "2m"],
    [599, "9m59s"],
    [600, "10m"],
    [10_799, "179m"],
    [10_860, "3h1m"],
    [90_000, "25h"],
    [176_400, "2d1h"],
    [864_000, "10d"],
    [63_158_400, "2y1d"],
    [315_360_000, "10y"],
  ])("an age of %d seconds is printed as %s", (seconds, text) => {
    expect(ageText(seconds)).toBe(text);
  });
});
