import assert from "node:assert/strict";
import type { JsonObject } from "@typekube/core/internal";
import { it } from "vitest";
import { causesOf } from "./causes.js";
import { integer, listOf, mapListOf, objectOf, setOf, specOf, text } from "./rule-schemas.js";

/** Returns true if the rule holds, false if not; any other outcome fails the test. */
function holds(rule: string, properties: JsonObject, spec: JsonObject, old?: JsonObject): boolean {
  const causes = causesOf(
    specOf(properties, rule),
    { spec },
    old === undefined ? undefined : { spec: old },
  );
  assert.deepEqual(
    causes,
    causes.length === 0 ? [] : [`spec: Invalid value: failed rule: ${rule}`],
  );
  return causes.length === 0;
}

const sets = { s: setOf(text), t: setOf(text), plain: listOf(text) };

it("CEL46: two sets are equal whatever the order of their elements", () => {
  assert.equal(holds("self.s == self.t", sets, { s: ["a", "b"], t: ["b", "a"] }), true);
  assert.equal(holds("self.s != self.t", sets, { s: ["a", "b"], t: ["b", "a"] }), false);
  assert.equal(holds("self.s == self.t", sets, { s: ["a", "b"], t: ["b", "c"] }), false);
  assert.equal(holds("self.s == self.t", sets, { s: ["a", "b"], t: ["a"] }), false);
  assert.equal(holds("self.s == ['b', 'a']", sets, { s: ["a", "b"] }), true);
});

it("CEL46: lists of other types are equal in the same order only", () => {
  const [spec, old] = [{ plain: ["a", "b"] }, { plain: ["b", "a"] }];
  assert.equal(holds("self.plain == oldSelf.plain", sets, spec, old), false);
  assert.equal(holds("self.plain == oldSelf.plain", sets, spec, spec), true);
});

it("CEL46: the list on the left decides whether the order matters", () => {
  const spec = { s: ["a", "b"], plain: ["b", "a"] };
  assert.equal(holds("self.s == self.plain", sets, spec), true);
  assert.equal(holds("self.plain == self.s", sets, spec), false);
  assert.equal(holds("self.plain in [self.s]", sets, spec), false);
  assert.equal(holds("self.s in [self.plain]", sets, spec), true);
});

it("CEL46: a set with duplicates, which only an old object can have, equals none without", () => {
  assert.equal(holds("self.s == self.t", sets, { s: ["a", "a"], t: ["a", "b"] }), false);
  assert.equal(holds("self.s == self.t", sets, { s: ["a", "b"], t: ["a", "a"] }), false);
});

it.each([
  ["date-time", ["2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"]],
  ["date", ["2026-01-01", "2027-01-01"]],
  ["duration", ["1s", "2s"]],
  ["byte", ["YQ==", "Yg=="]],
])("CEL46: elements of format %s are found by their value", (format, elements) => {
  const items = { ...text, format };
  const spec = { s: elements, t: elements.toReversed() };
  const properties = { s: setOf(items), t: setOf(items) };
  assert.equal(holds("self.s == self.t", properties, spec), true);
  assert.equal(holds("size(self.s + self.t) == 2", properties, spec), true);
});

it("CEL46: durations of one length are one element, whatever their text", () => {
  const items = { ...text, format: "duration" };
  const properties = { s: setOf(items), t: setOf(items) };
  const spec = { s: ["1s", "2m"], t: ["120s", "1000ms"] };
  assert.equal(holds("self.s == self.t", properties, spec), true);
});

const notScalar = "listSet operations are only supported on lists of scalar values";
const objectSets = {
  s: setOf(objectOf({ a: integer })),
  o: objectOf({ s: setOf(objectOf({ a: integer })) }),
  l: listOf(objectOf({ s: setOf(objectOf({ a: integer })) })),
};

it.each([
  "self.s == oldSelf.s",
  "self.o == oldSelf.o",
  "self.l == oldSelf.l",
  "self.l[0] in oldSelf.l",
])("VR18: sets of objects cannot be compared, wherever they are: %s", (rule) => {
  const s = [{ a: 1 }];
  const spec = { s, o: { s }, l: [{ s }] };
  assert.deepEqual(causesOf(specOf(objectSets, rule), { spec }, { spec }), [
    `spec: Invalid value: "object": ${notScalar} evaluating rule: ${rule}`,
  ]);
});

it.each([
  ["oldSelf.s == []", false],
  ["self.s != oldSelf.s", true],
  ["self.s in [oldSelf.s]", false],
  // Ordinary lists take a pair that cannot be compared as equal.
  ["[self.s] == [oldSelf.s]", true],
])("VR18: other comparisons of sets of objects have an outcome: %s is %s", (rule, expected) => {
  const spec = { s: [{ a: 1 }] };
  assert.equal(holds(rule, objectSets, spec, spec), expected);
});

it("CEL46: sets inside of lists, maps and objects are compared as sets, too", () => {
  const nested = { a: listOf(setOf(integer)), b: listOf(setOf(integer)) };
  assert.equal(holds("self.a == self.b", nested, { a: [[1, 2]], b: [[2, 1]] }), true);
  const object = { a: objectOf({ s: setOf(integer) }) };
  const [spec, old] = [{ a: { s: [1, 2] } }, { a: { s: [2, 1] } }];
  assert.equal(holds("self.a == oldSelf.a", object, spec, old), true);
});

it("CEL47: `+` keeps the places of a set and appends the new elements in their order", () => {
  const spec = { s: ["b", "a"], t: ["d", "a", "c"] };
  assert.equal(holds("(self.s + self.t).join(',') == 'b,a,d,c'", sets, spec), true);
  assert.equal(holds("(self.s + ['b', 'z']).join(',') == 'b,a,z'", sets, spec), true);
  assert.equal(
    holds("size(self.s + self.t) == 4 && (self.s + self.t)[2] == 'd'", sets, spec),
    true,
  );
});

it("CEL47: a list plus a set is an ordinary list", () => {
  const spec = { s: ["b", "a"], plain: ["a"] };
  assert.equal(holds("(['z', 'b'] + self.s).join(',') == 'z,b,b,a'", sets, spec), true);
  assert.equal(holds("(self.plain + self.s).join(',') == 'a,b,a'", sets, spec), true);
});

it("VR18: the sum of a set and a list is a set again", () => {
  const spec = { s: ["a", "b"], t: ["b", "c"] };
  assert.equal(holds("self.s + self.t == self.t + self.s", sets, spec), true);
  assert.equal(holds("self.s + self.t == ['c', 'b', 'a']", sets, spec), true);
  assert.equal(holds("size(self.s + self.t + self.s + ['c']) == 3", sets, spec), true);
});

it("VR18: `+` of a set of objects is a run-time error", () => {
  const schema = specOf(
    { s: setOf({ ...objectOf({ a: integer }), "x-kubernetes-map-type": "atomic" }) },
    "size(self.s + oldSelf.s) == 1",
  );
  const object = { spec: { s: [{ a: 1 }] } };
  assert.deepEqual(causesOf(schema, object, object), [
    'spec: Invalid value: "object": listSet operations are only supported on lists of scalar values evaluating rule: size(self.s + oldSelf.s) == 1',
  ]);
});

const ports = { l: mapListOf(["name"], objectOf({ name: text, port: integer })) };

it("CEL46: two lists of type map are equal whatever the order, if equal keys have equal elements", () => {
  const rule = "self.l == oldSelf.l";
  const [a, b] = [
    { name: "a", port: 1 },
    { name: "b", port: 2 },
  ];
  assert.equal(holds(rule, ports, { l: [a, b] }, { l: [b, a] }), true);
  assert.equal(holds(rule, ports, { l: [a, b] }, { l: [b, { ...a, port: 3 }] }), false);
  assert.equal(holds(rule, ports, { l: [a, b] }, { l: [a, { ...b, name: "c" }] }), false);
  assert.equal(holds(rule, ports, { l: [a, b] }, { l: [a] }), false);
});

it("CEL46: an object of the expression equals no element of a list of type map", () => {
  assert.equal(holds("self.l == [dyn({'name': 'a'})]", ports, { l: [{ name: "a" }] }), false);
});

const merged = (properties: string) => `(self.l + oldSelf.l).map(x, ${properties}).join(',')`;

it("CEL48: `+` of lists of type map keeps places, takes the values of the right list, appends the rest", () => {
  const spec = {
    l: [
      { name: "a", port: 1 },
      { name: "b", port: 2 },
    ],
  };
  const old = {
    l: [
      { name: "c", port: 3 },
      { name: "a", port: 9 },
    ],
  };
  const rule = `${merged("x.name + string(x.port)")} == 'a9,b2,c3'`;
  assert.equal(holds(rule, ports, spec, old), true);
});

it("VR18: the sum of a list of type map and another list is of that type again", () => {
  const spec = { l: [{ name: "a" }, { name: "b", port: 1 }] };
  const old = { l: [{ name: "b", port: 2 }, { name: "c" }] };
  const same = { l: [{ name: "b", port: 1 }, { name: "c" }] };
  const commutes = "self.l + oldSelf.l == oldSelf.l + self.l";
  assert.equal(holds(commutes, ports, spec, same), true);
  assert.equal(holds(commutes, ports, spec, old), false);
  assert.equal(holds("size(self.l + oldSelf.l + self.l) == 3", ports, spec, old), true);
});

const protocols = {
  l: mapListOf(
    ["name", "protocol"],
    objectOf({ name: text, protocol: { ...text, default: "TCP" }, port: integer }),
  ),
};

it("VR18: elements with several keys are found by all of them", () => {
  const [tcp, udp] = [
    { name: "a", protocol: "TCP", port: 1 },
    { name: "a", protocol: "UDP", port: 2 },
  ];
  const equal = "self.l == oldSelf.l";
  assert.equal(holds(equal, protocols, { l: [tcp, udp] }, { l: [udp, tcp] }), true);
  const rule = `${merged("x.protocol + string(x.port)")} == 'TCP1,UDP9'`;
  assert.equal(holds(rule, protocols, { l: [tcp, udp] }, { l: [{ ...udp, port: 9 }] }), true);
});

it("VR18: elements with four keys of all types are found by all of them", () => {
  const items = objectOf({ a: text, b: integer, c: { type: "boolean" }, d: text });
  const four = { l: mapListOf(["a", "b", "c", "d"], items) };
  const [one, two] = [
    { a: "x", b: 1, c: true, d: "" },
    { a: "x", b: 2, c: true },
  ];
  assert.equal(holds("self.l == oldSelf.l", four, { l: [one, two] }, { l: [two, one] }), true);
});

it("VR18: with a key such as `a-b`, `+` finds elements and `==` does not, as in Kubernetes", () => {
  const dashed = { l: mapListOf(["a-b"], objectOf({ "a-b": text, port: integer })) };
  const [x, y] = [
    { "a-b": "x", port: 1 },
    { "a-b": "y", port: 2 },
  ];
  const rule = `${merged("x.a__dash__b + string(x.port)")} == 'x9,y2'`;
  assert.equal(holds(rule, dashed, { l: [x, y] }, { l: [{ ...x, port: 9 }] }), true);
  assert.equal(holds("self.l == oldSelf.l", dashed, { l: [x, y] }, { l: [x, y] }), false);
  assert.equal(holds("self.l == oldSelf.l", dashed, { l: [x] }, { l: [x] }), true);
});

it("VR3: oldSelf of an element is the old element with the same keys", () => {
  const items = objectOf(
    { name: text, protocol: { ...text, default: "TCP" }, port: integer },
    "self.port >= oldSelf.port",
  );
  const schema = objectOf({ l: mapListOf(["name", "protocol"], items) });
  const object = {
    l: [
      { name: "a", protocol: "UDP", port: 1 },
      { name: "a", protocol: "TCP", port: 1 },
      { name: "new", protocol: "TCP", port: 1 },
    ],
  };
  const old = {
    l: [
      { name: "a", protocol: "TCP", port: 5 },
      { name: "a", protocol: "UDP", port: 0 },
    ],
  };
  assert.deepEqual(causesOf(schema, object, old), [
    "l[1]: Invalid value: failed rule: self.port >= oldSelf.port",
  ]);
});

it("VR18: a key that an object does not have counts with its default", () => {
  const items = objectOf(
    { name: text, protocol: { ...text, default: "TCP" }, port: integer },
    "self.port >= oldSelf.port",
  );
  const schema = objectOf({ l: mapListOf(["name", "protocol"], items) });
  const object = { l: [{ name: "a", protocol: "TCP", port: 1 }] };
  assert.deepEqual(causesOf(schema, object, { l: [{ name: "a", port: 5 }] }), [
    "l[0]: Invalid value: failed rule: self.port >= oldSelf.port",
  ]);
});

it("VR3: an element without its keys, and any in a list without key fields, has no old element", () => {
  const items = objectOf({ name: text, port: integer }, "self.port > oldSelf.port");
  const object = { l: [{ port: 1 }] };
  for (const keys of [["name"], []]) {
    assert.deepEqual(causesOf(objectOf({ l: mapListOf(keys, items) }), object, object), []);
  }
});

it("VR3: of old elements with the same keys the first one counts", () => {
  const items = objectOf({ name: text, port: integer }, "self.port > oldSelf.port");
  const schema = objectOf({ l: mapListOf(["name"], items) });
  const old = [1, 3].map((port) => ({ name: "a", port }));
  assert.deepEqual(causesOf(schema, { l: [{ name: "a", port: 2 }] }, { l: old }), []);
});
