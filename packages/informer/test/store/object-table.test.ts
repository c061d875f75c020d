import { describe, expect, it } from "vitest";
import { ObjectTable } from "../../src/store/object-table.js";

describe("a table of objects by namespace and name", () => {
  it("finds an object by namespace and name, and by its key", () => {
    const table = new ObjectTable<number>();
    table.set("prod", "web", 1);
    table.set("test", "web", 2);
    table.set("", "node", 3);
    expect([table.at("prod", "web"), table.at("test", "web"), table.at("", "node")]).toEqual([
      1, 2, 3,
    ]);
    expect([table.get("prod/web"), table.get("test/web"), table.get("node")]).toEqual([1, 2, 3]);
    expect([table.at("prod", "node"), table.get("web"), table.get("other/web")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("finds an object whose name contains a slash, which a server may permit", () => {
    const table = new ObjectTable<number>();
    table.set("", "a/b", 1);
    table.set("prod", "a/b", 2);
    expect([table.get("a/b"), table.get("prod/a/b"), table.get("a/c")]).toEqual([1, 2, undefined]);
  });

  it("counts each object once, and forgets a namespace with its last object", () => {
    const table = new ObjectTable<number>();
    table.set("prod", "web", 1);
    table.set("prod", "web", 2);
    table.set("prod", "db", 3);
    expect(table.size).toBe(2);
    table.delete("prod", "web");
    table.delete("prod", "web");
    table.delete("other", "db");
    expect(table.size).toBe(1);
    table.delete("prod", "db");
    expect([table.size, table.values(), [...table.entries()]]).toEqual([0, [], []]);
    table.set("prod", "web", 4);
    expect([table.size, table.get("prod/web")]).toEqual([1, 4]);
  });

  it("returns namespaces, and the objects of each, in order of arrival", () => {
    const table = new ObjectTable<number>();
    table.set("b", "x", 1);
    table.set("", "x", 2);
    table.set("b", "w", 3);
    table.set("b", "x", 4);
    expect(table.values()).toEqual([4, 3, 2]);
    expect([...table.entries()]).toEqual([
      ["b/x", 4],
      ["b/w", 3],
      ["x", 2],
    ]);
  });

  it("returns the objects and keys of one namespace", () => {
    const table = new ObjectTable<number>();
    table.set("b", "x", 1);
    table.set("", "x", 2);
    table.set("b", "w", 3);
    expect([table.valuesIn("b"), [...table.keysIn("b")]]).toEqual([
      [1, 3],
      ["b/x", "b/w"],
    ]);
    expect([table.valuesIn(""), table.valuesIn("c"), [...table.keysIn("c")]]).toEqual([
      [2],
      [],
      [],
    ]);
  });
});
