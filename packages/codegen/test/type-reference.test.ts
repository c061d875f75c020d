import { expect, test } from "vitest";
import { parseType } from "../src/type-reference.js";

test("parses scalars, pointers, lists and maps", () => {
  const one = { pointer: false, container: "one", package: "" };
  expect(parseType("string")).toEqual({ ...one, name: "string", type: "string" });
  expect(parseType("*int64")).toEqual({ ...one, pointer: true, name: "int64", type: "int64" });
  expect(parseType("[]core/v1.Pod")).toEqual({
    pointer: false,
    container: "list",
    name: "core/v1.Pod",
    package: "core/v1",
    type: "Pod",
  });
  expect(parseType("{}bytes")).toMatchObject({ container: "map", name: "bytes" });
});

test("rejects a type that the tables cannot express", () => {
  expect(() => parseType("{}[]string")).toThrow("more than one container");
  expect(() => parseType("[]*string")).toThrow("more than one container");
});
