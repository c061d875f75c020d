import assert from "node:assert/strict";
import { it } from "vitest";
import { parseFieldRequirements } from "../../src/selectors/parse-field-requirements.js";
import { parseLabelRequirements } from "../../src/selectors/parse-label-requirements.js";

it("VK19: fields and their values, sorted, without empty terms", () => {
  const fields = (text: string) =>
    parseFieldRequirements(text).map(({ field, operator, value }) => field + operator + value);
  assert.deepEqual(fields("b=1,a!=2"), ["a!=2", "b=1"]);
  assert.deepEqual(fields(",a==x\\,y\\=z\\\\,"), ["a=x,y=z\\"]);
  assert.deepEqual(fields(" a =b,=c,="), [" a =b", "=c"].sort());
  assert.deepEqual(fields(""), []);
});

it("VK19: malformed field selectors have apimachinery's messages", () => {
  const messages = {
    x: "invalid selector: 'x'; can't understand 'x'",
    "a=b=c": "invalid field selector: unescaped character in value: 61",
    "a=\\b": "invalid field selector: invalid escape sequence: \\b",
    "a=b\\": "invalid field selector: invalid escape sequence: \\",
  };
  for (const [text, message] of Object.entries(messages)) {
    assert.throws(() => parseFieldRequirements(text), { message });
  }
});

it("VK19: labels with all operators, sorted by key", () => {
  assert.deepEqual(parseLabelRequirements("x in (b,,a), !y,a=1,b==,c!=2,d>3,e<4,in notin (in),z"), [
    { key: "a", operator: "In", values: ["1"] },
    { key: "b", operator: "In", values: [""] },
    { key: "c", operator: "NotIn", values: ["2"] },
    { key: "d", operator: "Gt", values: ["3"] },
    { key: "e", operator: "Lt", values: ["4"] },
    { key: "in", operator: "NotIn", values: ["in"] },
    { key: "x", operator: "In", values: ["", "a", "b"] },
    { key: "y", operator: "DoesNotExist", values: [] },
    { key: "z", operator: "Exists", values: [] },
  ]);
  assert.deepEqual(parseLabelRequirements("x in ()"), [{ key: "x", operator: "In", values: [""] }]);
});

it("VK19: malformed label selectors have apimachinery's messages", () => {
  const start = "unable to parse requirement: ";
  const messages = {
    "a,": "found '', expected: identifier after ','",
    "a b": `${start}found 'b', expected: in, notin, =, ==, !=, gt, lt`,
    "!a=b": "found '=', expected: ',' or 'end of string'",
    "(": "found '(', expected: !, identifier, or 'end of string'",
    "a in b": `${start}found 'b' expected: '('`,
    "a in (b": `${start}found '', expected: ',' or ')'`,
    "a>x": `${start}values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
  };
  for (const [text, message] of Object.entries(messages)) {
    assert.throws(() => parseLabelRequirements(text), { message });
  }
});
