import assert from "node:assert/strict";
import { it } from "vitest";
import { causesOf, undefinedField } from "./causes.js";
import { integer, listOf, mapOf, objectOf, specOf, text } from "./rule-schemas.js";

it("CEL43: unknown fields that are kept cannot be reached", () => {
  for (const rule of ["self.b == 1", "has(self.b)"]) {
    const spec = {
      ...objectOf({ a: integer }, rule),
      "x-kubernetes-preserve-unknown-fields": true,
    };
    assert.deepEqual(causesOf(objectOf({ spec }), { spec: { a: 1, b: 1 } }), [
      undefinedField("b", rule),
    ]);
  }
});

it("CEL44: int-or-string is an int or a string", () => {
  const schema = specOf(
    { v: { "x-kubernetes-int-or-string": true } },
    "self.v < 100 || self.v == '50%'",
    "type(self.v) == string",
  );
  assert.deepEqual(causesOf(schema, { spec: { v: "50%" } }), []);
  assert.deepEqual(causesOf(schema, { spec: { v: 50 } }), [
    "spec: Invalid value: failed rule: type(self.v) == string",
  ]);
});

it("CEL45: lists have a size, an index and `in`", () => {
  const schema = specOf(
    { l: listOf(integer) },
    "size(self.l) == 2 && self.l[1] == 7 && 7 in self.l",
  );
  assert.deepEqual(causesOf(schema, { spec: { l: [5, 7] } }), []);
});

it("CEL49: a whole number is a double where the schema says number, an int where it says integer", () => {
  const schema = specOf(
    { d: { type: "number" }, i: integer, b: { type: "boolean" } },
    "type(self.d) == double && self.d / 2.0 == 0.5",
    "type(self.i) == int && self.i / 2 == 0",
    "type(self.b) == bool && self.b",
  );
  assert.deepEqual(causesOf(schema, { spec: { d: 1, i: 1, b: true } }), []);
  const causes = causesOf(specOf({ d: { type: "number" } }, "self.d == 1"), { spec: { d: 1 } });
  assert.match(
    causes[0] ?? "",
    /found no matching overload for '_==_' applied to '\(double, int\)'/,
  );
});

it("CEL49: integers of 64 bits are compared exactly", () => {
  const schema = specOf({ i: integer }, "self.i == 9007199254740993");
  assert.deepEqual(causesOf(schema, { spec: { i: 9_007_199_254_740_993n } }), []);
  assert.equal(causesOf(schema, { spec: { i: 9_007_199_254_740_992n } }).length, 1);
});

it("CEL50: texts have the type of their format", () => {
  const schema = specOf(
    Object.fromEntries(
      ["date", "date-time", "duration", "byte", "datetime"].map((format) => [
        format.replace("-", "_"),
        { ...text, format },
      ]),
    ),
    "self.date == timestamp('2026-01-02T00:00:00Z')",
    "type(self.date_time) == google.protobuf.Timestamp && self.date_time.getHours() == 3",
    "self.duration == duration('90m')",
    "self.date_time + self.duration == timestamp('2026-01-02T04:30:00Z')",
    "self.byte == b'ab'",
    "self.datetime == 'any text'",
  );
  const spec = {
    date: "2026-01-02",
    date_time: "2026-01-02T03:00:00Z",
    duration: "1h30m",
    byte: "YWI=",
    datetime: "any text",
  };
  assert.deepEqual(causesOf(schema, { spec }), []);
});

it("CEL49: a null value is an entry of a map and an element of a list, but no field of an object", () => {
  const nullable = { ...text, nullable: true };
  const schema = specOf(
    { f: nullable, m: mapOf(nullable), l: listOf(nullable) },
    "!has(self.f)",
    "'a' in self.m && has(self.m.a) && size(self.m) == 1",
    "size(self.l) == 1",
  );
  assert.deepEqual(causesOf(schema, { spec: { f: null, m: { a: null }, l: [null] } }), []);
});

it("CEL50: texts of format byte have the base64 alphabet of URLs, with padding, as in Kubernetes", () => {
  const schema = specOf({ b: { ...text, format: "byte" } }, "self.b == b'\\377\\357'");
  assert.deepEqual(causesOf(schema, { spec: { b: "_-8=" } }), []);
  assert.deepEqual(causesOf(schema, { spec: { b: "_-\n8=\r\n" } }), []);
  const wrong = [
    ["/-8=", 0],
    ["_-8", 0],
    ["_-8=_", 4],
    ["YWJj_-_=x", 8],
    ["YWJj_w=", 7],
    ["YWJj_w=x", 6],
    ["YWJjé", 4],
  ] as const;
  for (const [b, at] of wrong) {
    assert.deepEqual(causesOf(schema, { spec: { b } }), [
      `spec: Invalid value: "object": Invalid byte formatted string ${b}: illegal base64 data at input byte ${at} evaluating rule: self.b == b'\\377\\357'`,
    ]);
  }
});
