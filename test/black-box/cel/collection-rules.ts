/** A schema with rules on lists, maps and objects, and an object for it. */
export interface RulesCase {
  readonly schema: object;
  readonly object: unknown;
}

const text = { type: "string", maxLength: 20 };
const properties = {
  ints: { type: "array", maxItems: 10, items: { type: "integer" } },
  texts: { type: "array", maxItems: 10, items: text },
  set: { type: "array", maxItems: 10, "x-kubernetes-list-type": "set", items: text },
  items: {
    type: "array",
    maxItems: 10,
    items: {
      type: "object",
      required: ["name"],
      properties: {
        name: text,
        "a-b": { type: "integer" },
        more: { type: "array", maxItems: 3, items: text },
      },
    },
  },
  map: { type: "object", maxProperties: 10, additionalProperties: text },
  part: { type: "object", properties: { a: { type: "integer" } } },
  times: { type: "array", maxItems: 5, items: { type: "string", format: "date-time" } },
  lengths: { type: "array", maxItems: 5, items: { type: "string", format: "duration" } },
  any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  either: { type: "array", maxItems: 5, items: { "x-kubernetes-int-or-string": true } },
};

/** Rules about these fields; most of them are broken by one of the objects. */
export const rulesOfCollections: readonly string[] = [
  "optional.ofNonZeroValue(self.ints).hasValue()",
  "optional.ofNonZeroValue(self.map).hasValue()",
  "optional.ofNonZeroValue(self.part).hasValue()",
  "optional.ofNonZeroValue(self.set).hasValue()",
  "optional.ofNonZeroValue(self.ints + [1]).hasValue()",
  "optional.ofNonZeroValue(self.ints + []).hasValue()",
  "optional.ofNonZeroValue([] + self.ints).hasValue()",
  "optional.ofNonZeroValue(self.set + []).hasValue()",
  "self.ints.sum() > 3",
  "self.ints.sort() == self.ints",
  "self.ints.isSorted()",
  "self.ints.max() == 3",
  "self.ints.distinct().size() == self.ints.size()",
  "self.ints.slice(0, 2).sum() == 3",
  "self.ints.reverse().first().orValue(7) == 3",
  "self.ints.indexOf(2) == 1",
  "self.ints.all(i, v, v == i + 1)",
  "self.ints.transformList(i, v, i * v).sum() == 8",
  "sets.contains(self.ints, [1, 2])",
  "sets.equivalent(self.set, self.texts)",
  "self.texts.max() == 'b'",
  "self.texts.join(', ') == 'b, a'",
  "self.texts.indexOf('a') == 1",
  "self.texts.includes('a')",
  "self.texts.sort() == ['a', 'b']",
  "self.texts.map(t, t.size()).sum() == 2",
  "self.texts.all(t, t.find('[a-z]') == t)",
  "self.set.distinct() == self.set",
  "self.set.lastIndexOf('b') >= 0",
  "self.items.indexOf(self.items[0]) == 0",
  "self.items.lastIndexOf(self.items[0]) == 0",
  "self.items.distinct().size() == self.items.size()",
  "self.items.sortBy(x, x.name).map(x, x.name) == ['x', 'y']",
  "self.items.map(x, x.name).isSorted()",
  "self.items.includes(self.items[0])",
  "self.map.includes('k')",
  "self.map.transformMap(k, v, v + k).size() == 1",
  "self.map.transformMapEntry(k, v, {v: k}).size() == 1",
  "self.map.all(k, v, k != v)",
  "self.?part.?a.orValue(1) == 2",
  "self.?part.optMap(p, p.a).orValue(0) == 2",
  "self.map[?'k'].orValue('') == 'v'",
  "self.ints[?5].or(self.ints[?0]).hasValue()",
  "self.times.isSorted()",
  "self.times.max() == self.times.last().value()",
  "self.lengths.sum() > duration('1h')",
  "'%s of %d'.format([self.texts, self.ints.size()]) == '[\"b\", \"a\"] of 3'",
  "'%s %s'.format([self.map, self.times]) != ''",
  "'%s'.format([self.items]) != ''",
  "self.texts.map(t, t.upperAscii().replace('A', 'ab').split('b').size()).sum() > 3",
  "self.either.indexOf('a') == 0",
  "self.either.max() == 'a'",
  "self.either.sort().size() == 2",
  "self.either.distinct().size() == 2",
];

const objects = [
  {
    ints: [1, 2, 3],
    texts: ["b", "a"],
    set: ["a", "b"],
    items: [{ name: "x", "a-b": 1, more: ["0123456789"] }, { name: "y" }],
    map: { k: "v" },
    part: { a: 2 },
    times: ["2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z"],
    lengths: ["1h", "1m"],
    any: { b: 1 },
    either: ["a", 1],
  },
  {
    ints: [],
    texts: [],
    set: [],
    items: [{ name: "z", more: ["a", "0123456789"] }, { name: "a" }, { name: "z" }],
    map: {},
    part: {},
    times: [],
    lengths: [],
    any: {},
    either: [2, 1],
  },
];

/** Each rule on each object. */
export const casesOfCollections: readonly RulesCase[] = objects.flatMap((object) =>
  rulesOfCollections.map((rule) => ({
    schema: { type: "object", properties, "x-kubernetes-validations": [{ rule }] },
    object,
  })),
);
