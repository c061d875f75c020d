import { describe, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";
import { ageText } from "../src/table.js";
import { call, configMaps, createConfigMaps, type Json } from "./harness.js";

const asTable = { accept: "application/json;as=Table;g=meta.k8s.io;v=v1, application/json" };

describe("tables", () => {
  test("TAB1: a list is a row per object with its name and age", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    await createConfigMaps(api, "a");
    await api.clock.advance(200_000);
    await createConfigMaps(api, "b");
    const { body, headers } = await call(api, "GET", configMaps, undefined, asTable);
    expect(headers["content-type"]).toBe("application/json");
    expect([body.kind, body.apiVersion]).toEqual(["Table", "meta.k8s.io/v1"]);
    expect(body.columnDefinitions.map(({ name }: Json) => name)).toEqual(["Name", "Age"]);
    expect(body.rows.map(({ cells }: Json) => cells)).toEqual([
      ["a", "3m20s"],
      ["b", "0s"],
    ]);
    expect(body.rows[0].object).toMatchObject({
      kind: "PartialObjectMetadata",
      metadata: { name: "a" },
    });
    expect(body.metadata.resourceVersion).toBe(api.resourceVersion);
  });

  test("includeObject says what a row holds of its object", async () => {
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

  test("no object is no row, a failure and a Status stay what they are", async () => {
    await using api = await startApiServer();
    expect((await call(api, "GET", configMaps, undefined, asTable)).body.rows).toBeNull();
    const missing = await call(api, "GET", `${configMaps}/a`, undefined, asTable);
    expect([missing.status, missing.body.kind]).toEqual([404, "Status"]);
    await createConfigMaps(api, "a");
    const gone = await call(api, "DELETE", `${configMaps}/a`, undefined, asTable);
    expect(gone.body).toMatchObject({ kind: "Status", status: "Success" });
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
  ])("%d seconds are %s", (seconds, text) => {
    expect(ageText(seconds)).toBe(text);
  });
});
