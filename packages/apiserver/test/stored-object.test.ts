import { describe, expect, test } from "vitest";
import { type ApiObject, normalized, withVersion } from "../src/objects/api-object.js";
import { mapItems, mapValues } from "../src/objects/json-value.js";

const inOrder = {
  kind: "ConfigMap",
  apiVersion: "v1",
  metadata: { name: "a", namespace: "default", uid: "1", labels: { a: "b" }, other: 1 },
  data: { key: "value" },
};

describe("stored objects", () => {
  test("a normalized object is returned unchanged, not copied", () => {
    expect(normalized(inOrder)).toBe(inOrder);
  });

  test("sorts keys as servers write them, drops empty fields, puts unknown fields last", () => {
    const object = normalized({
      data: {},
      metadata: { other: 1, labels: {}, uid: "1", annotations: null, name: "a", managedFields: [] },
      apiVersion: "v1",
      kind: "ConfigMap",
      status: undefined,
    });
    expect(JSON.stringify(object)).toBe(
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","uid":"1","managedFields":[],"other":1},"data":{}}',
    );
    expect(Object.keys(object)).not.toContain("status");
  });

  test.each([
    [
      { name: "a", uid: "1", labels: { a: "b" } },
      '{"name":"a","uid":"1","resourceVersion":"7","labels":{"a":"b"}}',
    ],
    [
      { name: "a", resourceVersion: "3", labels: { a: "b" } },
      '{"name":"a","resourceVersion":"7","labels":{"a":"b"}}',
    ],
    [
      { labels: { a: "b" }, resourceVersion: "3", name: "a" },
      '{"name":"a","resourceVersion":"7","labels":{"a":"b"}}',
    ],
    [{ name: "a" }, '{"name":"a","resourceVersion":"7"}'],
    [{}, '{"resourceVersion":"7"}'],
  ])("inserts the resourceVersion at its position: %j", (metadata, expected) => {
    const object: ApiObject = { kind: "ConfigMap", apiVersion: "v1", metadata };
    expect(JSON.stringify(withVersion(object, 7n).metadata)).toBe(expected);
  });

  test("returns the same objects and lists when mapping changes nothing", () => {
    const object = JSON.parse('{"a":1,"__proto__":2,"b":3}');
    expect(mapValues(object, (value) => value)).toBe(object);
    const doubled = mapValues(object, (value, key) =>
      key === "a" ? undefined : Number(value) * 2,
    );
    expect(JSON.stringify(doubled)).toBe('{"__proto__":4,"b":6}');
    const items = [1, 2];
    expect(mapItems(items, (item) => item)).toBe(items);
    expect(mapItems(items, (item) => Number(item) + 1)).toEqual([2, 3]);
  });
});
