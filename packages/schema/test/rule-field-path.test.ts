import assert from "node:assert/strict";
import { it } from "vitest";
import { ruleFieldPath } from "../src/rules/rule-field-path.js";
import { readStructuralSchema } from "../src/structural/structural-schema.js";
import { integer, listOf, mapOf, objectOf } from "./rule-schemas.js";

const schema = readStructuralSchema(
  objectOf({
    a: objectOf({ b: integer, "b/c": integer, "x.y": objectOf({ z: integer }) }),
    map: mapOf(objectOf({ v: integer })),
    list: listOf(integer),
  }),
);

it.each([
  [".a", "a"],
  [".a.b", "a.b"],
  [".a['b/c']", "a.b/c"],
  ["['a']['b/c']", "a.b/c"],
  [".a['x.y'].z", "a.x.y.z"],
  [".map.k", "map[k]"],
  [".map['k/l'].v", "map[k/l].v"],
  [".map['a\\'b'].v", "map[a'b].v"],
  [".list", "list"],
])("VR6: fieldPath `%s` is shown as `%s`", (text, path) => {
  assert.deepEqual(ruleFieldPath(text, schema), { path });
});

it.each([".nope", ".a.nope", ".a.b.c", ".list['0']"])(
  "VR6: fieldPath `%s` is refused: it names no field",
  (text) => {
    assert.deepEqual(ruleFieldPath(text, schema), { problem: "does not refer to a valid field" });
  },
);

it.each([
  ["a", "expected [ or . but got: a"],
  [".list[0]", "expected single quoted string but got 0"],
  ['.a["b"]', 'expected single quoted string but got "b"'],
  [".a.", "unexpected end of JSON path"],
  [".a['b'", "unexpected end of JSON path"],
  [".a['\\q']", "invalid string literal: invalid escape char \\q"],
])("VR6: fieldPath `%s` is refused: %s", (text, problem) => {
  assert.deepEqual(ruleFieldPath(text, schema), { problem });
});
