import { Pod } from "@typekube/api/core/v1";
import { isTable, type Table } from "@typekube/client";
import { failure } from "@typekube/test-support/failure";
import { podPage, ScriptedServer, statusResponse } from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";
import { DiscoveryServer } from "../helpers/discovery-server.js";

const json = "application/json";
const tables = [
  `${json};as=Table;v=v1;g=meta.k8s.io`,
  `${json};as=Table;v=v1beta1;g=meta.k8s.io`,
].join(", ");

const table: Table = {
  kind: "Table",
  apiVersion: "meta.k8s.io/v1",
  metadata: { resourceVersion: "10", continue: "t" },
  columnDefinitions: [
    { name: "Name", type: "string", format: "name", description: "its name", priority: 0 },
  ],
  rows: [{ cells: ["a"], object: { kind: "PartialObjectMetadata", metadata: { name: "a" } } }],
};

describe("table() and tableOf()", () => {
  it("TAB1, TAB2, TAB4, TAB6: requests the newest form first and objects last; isTable tells which arrived", async () => {
    const server = new ScriptedServer({ body: table }, podPage(["a"]));
    const pods = server.client().resource(Pod, "prod");
    const response = await pods.table({ limit: 1, labelSelector: { app: "web" } });
    expect(isTable(response)).toBe(true);
    expect(response).toEqual(table);
    expect(server.last.headers["accept"]).toBe(`${tables}, ${json}`);
    expect(server.last.query).toEqual({ limit: "1", labelSelector: "app=web" });
    const list = await pods.table();
    expect(isTable(list)).toBe(false);
    expect(list).toMatchObject({
      kind: "PodList",
      items: [{ kind: "Pod", apiVersion: "v1", metadata: { name: "a" } }],
    });
  });

  it("TAB6, OLD13: reads the table of an old server as the same type", async () => {
    const old = { ...table, apiVersion: "meta.k8s.io/v1beta1" };
    const response = await new ScriptedServer({ body: old }).client().resource(Pod, "prod").table();
    expect(isTable(response) && response.rows[0]?.cells).toEqual(["a"]);
  });

  it("TAB5: without the fallback, fails for a server that has no table", async () => {
    const server = new ScriptedServer(statusResponse(406, "NotAcceptable"));
    const pods = server.client().resource(Pod, "prod");
    expect((await failure(pods.table({ fallback: false }))).code).toBe("NotAcceptable");
    expect((await failure(pods.tableOf("a", { fallback: false }))).code).toBe("NotAcceptable");
    expect(server.sent.map(({ headers }) => headers["accept"])).toEqual([tables, tables]);
  });

  it.each(["protobuf", "cbor", "yaml"] as const)(
    "TAB7: requests a table as JSON even when the client prefers %s",
    async (encoding) => {
      const server = new ScriptedServer({ body: table });
      const pods = server.client().with({ encoding }).resource(Pod, "prod");
      expect(await pods.table()).toEqual(table);
      expect(server.last.headers["accept"]).toBe(`${tables}, ${json}`);
    },
  );

  it("TAB9: works for a discovered kind", async () => {
    const kinds = [{ group: "x.io", version: "v1", kind: "Widget", plural: "widgets" }];
    const server = new DiscoveryServer(kinds, "aggregated", () => ({ body: table }));
    const widgets = server.client().resource({ apiVersion: "x.io/v1", kind: "Widget" }, "prod");
    expect(isTable(await widgets.table())).toBe(true);
    expect(server.last.url).toBe("/apis/x.io/v1/namespaces/prod/widgets");
  });

  it("tableOf returns a table of one object, or the object where the server has no table", async () => {
    const body = { kind: "Pod", apiVersion: "v1", metadata: { name: "a" } };
    const server = new ScriptedServer({ body: table }, { body });
    const pods = server.client().resource(Pod, "prod");
    const response = await pods.tableOf("a", { includeObject: "Object" });
    expect(isTable(response) && response.rows).toHaveLength(1);
    expect(server.last.path).toBe("/api/v1/namespaces/prod/pods/a?includeObject=Object");
    expect(await pods.tableOf("a")).toEqual(body);
  });

  it("an empty table has empty rows, not null", async () => {
    const body = { kind: "Table", apiVersion: "meta.k8s.io/v1", rows: null };
    const response = await new ScriptedServer({ body }).client().resource(Pod, "prod").table();
    expect(response).toEqual({ ...body, metadata: {}, columnDefinitions: [], rows: [] });
  });

  it("rejects options that a list rejects", async () => {
    const server = new ScriptedServer({ body: table });
    const pods = server.client().resource(Pod, "prod");
    const options = { resourceVersion: "0", resourceVersionMatch: "Exact" } as const;
    expect((await failure(pods.table(options))).code).toBe("InvalidArgument");
    expect((await failure(pods.table({ limit: -1 }))).code).toBe("InvalidArgument");
    expect(server.sent).toEqual([]);
  });

  it("a custom kind may be called Table", async () => {
    const own = { kind: "Table", apiVersion: "furniture.io/v1", metadata: { name: "a" } };
    const kinds = [{ group: "furniture.io", version: "v1", kind: "Table", plural: "tables" }];
    const server = new DiscoveryServer(kinds, "aggregated", () => ({ body: own }));
    const reference = { apiVersion: "furniture.io/v1", kind: "Table" } as const;
    expect(await server.client().resource(reference, "prod").get("a")).toEqual(own);
  });
});
