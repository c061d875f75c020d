import {
  emptyFieldSet,
  fieldSetOf,
  hasFieldPath,
  intersectFieldSets,
  isEmptyFieldSet,
  parseFieldPath,
  pathsOfFieldSet,
  printFieldPath,
  readFieldsV1,
  subtractFieldSets,
  unionFieldSets,
  writeFieldsV1,
} from "@typekube/core";
import { seededRandom } from "@typekube/test-support/seeded-random";
import { describe, expect, it } from "vitest";

const fieldsV1 = {
  "f:metadata": { "f:labels": { ".": {}, "f:app.kubernetes.io/name": {} } },
  "f:spec": {
    "f:containers": {
      'k:{"name":"web"}': { ".": {}, "f:image": {}, "f:name": {} },
    },
    "f:finalizers": { 'v:"x.io/a"': {} },
  },
};
const setOf = (...texts: string[]) => fieldSetOf(texts.map((text) => parseFieldPath(text)));
const print = (set: ReturnType<typeof setOf>) =>
  pathsOfFieldSet(set).map((path) => printFieldPath(path));

describe("SSA16: field sets", () => {
  it("are parsed, printed and formatted again", () => {
    const set = readFieldsV1(fieldsV1);
    expect(print(set)).toEqual([
      ".metadata.labels",
      ".metadata.labels.app.kubernetes.io/name",
      '.spec.containers[name="web"]',
      '.spec.containers[name="web"].image',
      '.spec.containers[name="web"].name',
      '.spec.finalizers[="x.io/a"]',
    ]);
    expect(writeFieldsV1(set)).toEqual(fieldsV1);
    expect(JSON.stringify(writeFieldsV1(set))).toBe(JSON.stringify(fieldsV1));
    expect(writeFieldsV1(fieldSetOf(pathsOfFieldSet(set)))).toEqual(fieldsV1);
  });

  it("treats items as equal when only the order of their keys differs", () => {
    const set = readFieldsV1({ "f:ports": { 'k:{"protocol":"TCP","port":80}': {} } });
    expect(writeFieldsV1(set)).toEqual({ "f:ports": { 'k:{"port":80,"protocol":"TCP"}': {} } });
  });

  it("treats __proto__ as an ordinary name", () => {
    const given = JSON.parse('{"f:data":{"f:__proto__":{},"f:constructor":{}}}') as object;
    expect(writeFieldsV1(readFieldsV1(given))).toEqual(given);
    expect(print(readFieldsV1(given))).toEqual([".data.__proto__", ".data.constructor"]);
  });

  it("keeps steps of unknown form", () => {
    const given = { "z:new": { "f:a": {} } };
    expect(writeFieldsV1(readFieldsV1(given))).toEqual(given);
  });

  it.each([undefined, null, "x", 1, [], { "f:a": 1 }])("parses %j as the empty set", (given) => {
    expect(isEmptyFieldSet(readFieldsV1(given))).toBe(true);
  });

  it("computes union, intersection and difference", () => {
    const a = setOf(".a", ".a.x", ".b.y");
    const b = setOf(".a.x", ".b.y", ".c");
    expect(print(unionFieldSets(a, b))).toEqual([".a", ".a.x", ".b.y", ".c"]);
    expect(print(intersectFieldSets(a, b))).toEqual([".a.x", ".b.y"]);
    expect(print(subtractFieldSets(a, b))).toEqual([".a"]);
    expect(subtractFieldSets(a, a)).toEqual(emptyFieldSet);
    expect(hasFieldPath(a, parseFieldPath(".b.y"))).toBe(true);
    expect(hasFieldPath(a, parseFieldPath(".b"))).toBe(false);
  });

  it("union, intersection and difference obey the laws of sets", () => {
    const random = seededRandom(3);
    const names = ["a", "b", "c"];
    const some = () => {
      const paths: string[] = [];
      for (let count = 0; count < 6; count++) {
        const length = 1 + Math.floor(random() * 3);
        paths.push(Array.from({ length }, () => `.${names[Math.floor(random() * 3)]}`).join(""));
      }
      return [new Set(paths), setOf(...paths)] as const;
    };
    const sorted = (all: Iterable<string>) => [...all].sort();
    for (let round = 0; round < 300; round++) {
      const [left, a] = some();
      const [right, b] = some();
      expect(sorted(print(unionFieldSets(a, b)))).toEqual(sorted(new Set([...left, ...right])));
      expect(sorted(print(intersectFieldSets(a, b)))).toEqual(
        sorted([...left].filter((path) => right.has(path))),
      );
      expect(sorted(print(subtractFieldSets(a, b)))).toEqual(
        sorted([...left].filter((path) => !right.has(path))),
      );
      expect(readFieldsV1(writeFieldsV1(a))).toEqual(a);
    }
  });
});
