import { afterAll, describe, expect, it } from "vitest";
import { buildOracle } from "../../packages/cel/test/oracle/oracle.js";

const oracle = buildOracle();

const schema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        replicas: { type: "integer" },
        names: {
          type: "array",
          maxItems: 10,
          items: {
            type: "string",
            maxLength: 20,
            "x-kubernetes-validations": [{ rule: "self.startsWith('a')", message: "no a" }],
          },
        },
      },
      "x-kubernetes-validations": [
        {
          rule: "self.replicas <= 3",
          messageExpression: "'at most 3, not ' + string(self.replicas)",
        },
        { rule: "self.replicas >= oldSelf.replicas" },
        { rule: "self.unknown" },
      ],
    },
  },
};

describe.skipIf(oracle === undefined)("the oracle of CEL", () => {
  afterAll(() => oracle?.[Symbol.dispose]());

  it("VC1: reports value, type, cost and estimate of an expression", async () => {
    const variables = {
      x: { type: "list(string)", value: ["a", "b"], size: { min: 0, max: 5 } },
      n: { type: "int", value: "9007199254740993" },
    };
    const answers = await oracle?.ask([
      { expression: "x.map(y, y + string(n))", variables },
      { expression: "x[5] == 'a'", variables },
      { expression: "y + 'a'", variables },
      { expression: "{'a': 1.5, 'b': 2.0}" },
      { expression: "[1, 'a']" },
      { expression: "[1].includes(1)" },
      { expression: "[1].includes(1)", mode: "stored" },
      { expression: "int('x') == 1" },
      { expression: "jsonpatch.escapeKey('a/b')", jsonpatch: true },
    ]);
    expect(answers).toMatchInlineSnapshot(`
      [
        {
          "cost": "36",
          "estimate": {
            "max": "9223372036854776407",
            "min": "12",
          },
          "type": "list(string)",
          "value": [
            "a9007199254740993",
            "b9007199254740993",
          ],
        },
        {
          "cost": "3",
          "error": "index out of bounds: 5",
          "estimate": {
            "max": "3",
            "min": "3",
          },
          "type": "bool",
        },
        {
          "compileErrors": [
            {
              "column": 0,
              "line": 1,
              "message": "undeclared reference to 'y' (in container '')",
            },
          ],
          "compileText": "ERROR: <input>:1:1: undeclared reference to 'y' (in container '')
       | y + 'a'
       | ^",
        },
        {
          "cost": "0",
          "estimate": {
            "max": "30",
            "min": "30",
          },
          "type": "map(string, double)",
          "value": {
            "map": [
              [
                "a",
                {
                  "double": "1.5e+00",
                },
              ],
              [
                "b",
                {
                  "double": "2e+00",
                },
              ],
            ],
          },
        },
        {
          "compileErrors": [
            {
              "column": 4,
              "line": 1,
              "message": "expected type 'int' but found 'string'",
            },
          ],
          "compileText": "ERROR: <input>:1:5: expected type 'int' but found 'string'
       | [1, 'a']
       | ....^",
        },
        {
          "compileErrors": [
            {
              "column": 12,
              "line": 1,
              "message": "undeclared reference to 'includes' (in container '')",
            },
          ],
          "compileText": "ERROR: <input>:1:13: undeclared reference to 'includes' (in container '')
       | [1].includes(1)
       | ............^",
        },
        {
          "cost": "1",
          "estimate": {
            "max": "11",
            "min": "11",
          },
          "type": "bool",
          "value": true,
        },
        {
          "programError": "type conversion error from 'string' to 'int'",
          "type": "bool",
        },
        {
          "cost": "1",
          "estimate": {
            "max": "1",
            "min": "1",
          },
          "type": "string",
          "value": "a~1b",
        },
      ]
    `);
  });

  it("VC5: reports the rules, the errors and the rest of the budget of a schema", async () => {
    const object = { spec: { replicas: 4, names: ["a", "b"] } };
    const oldObject = { spec: { replicas: 5, names: ["b"] } };
    const answers = await oracle?.ask([
      { schema, object },
      { schema, object, oldObject },
      { schema, object, oldObject, ratcheting: false, budget: 3 },
      { schema: { type: "array" } },
    ]);
    expect(answers).toMatchInlineSnapshot(`
      [
        {
          "errors": [
            {
              "badValue": {},
              "detail": "at most 3, not 4",
              "field": "spec",
              "type": "FieldValueInvalid",
            },
            {
              "badValue": "object",
              "detail": "rule compile error: compilation failed: ERROR: <input>:1:5: undefined field 'unknown'
       | self.unknown
       | ....^",
              "field": "spec",
              "type": "FieldValueInvalid",
            },
            {
              "badValue": "b",
              "detail": "no a",
              "field": "spec.names[1]",
              "type": "FieldValueInvalid",
            },
          ],
          "remaining": "9999988",
          "rules": [
            {
              "maxCardinality": "1048576",
              "maxCost": "3",
              "messageMaxCost": "1844674407370955267",
              "path": "spec",
              "rule": "self.replicas <= 3",
            },
            {
              "maxCardinality": "1048576",
              "maxCost": "5",
              "path": "spec",
              "rule": "self.replicas >= oldSelf.replicas",
              "usesOldSelf": true,
            },
            {
              "error": "compilation failed: ERROR: <input>:1:5: undefined field 'unknown'
       | self.unknown
       | ....^",
              "maxCardinality": "0",
              "maxCost": "0",
              "path": "spec",
              "rule": "self.unknown",
            },
            {
              "maxCardinality": "1048576",
              "maxCost": "2",
              "path": "spec.names[*]",
              "rule": "self.startsWith('a')",
            },
          ],
        },
        {
          "errors": [
            {
              "badValue": {},
              "detail": "at most 3, not 4",
              "field": "spec",
              "type": "FieldValueInvalid",
            },
            {
              "badValue": {},
              "detail": "failed rule: self.replicas >= oldSelf.replicas",
              "field": "spec",
              "type": "FieldValueInvalid",
            },
            {
              "badValue": "object",
              "detail": "rule compile error: compilation failed: ERROR: <input>:1:5: undefined field 'unknown'
       | self.unknown
       | ....^",
              "field": "spec",
              "type": "FieldValueInvalid",
            },
            {
              "badValue": "b",
              "detail": "no a",
              "field": "spec.names[1]",
              "type": "FieldValueInvalid",
            },
          ],
          "remaining": "9999983",
          "rules": [
            {
              "maxCardinality": "1048576",
              "maxCost": "3",
              "messageMaxCost": "1844674407370955267",
              "path": "spec",
              "rule": "self.replicas <= 3",
            },
            {
              "maxCardinality": "1048576",
              "maxCost": "5",
              "path": "spec",
              "rule": "self.replicas >= oldSelf.replicas",
              "usesOldSelf": true,
            },
            {
              "error": "compilation failed: ERROR: <input>:1:5: undefined field 'unknown'
       | self.unknown
       | ....^",
              "maxCardinality": "0",
              "maxCost": "0",
              "path": "spec",
              "rule": "self.unknown",
            },
            {
              "maxCardinality": "1048576",
              "maxCost": "2",
              "path": "spec.names[*]",
              "rule": "self.startsWith('a')",
            },
          ],
        },
        {
          "errors": [
            {
              "badValue": "object",
              "detail": "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run",
              "field": "spec",
              "type": "FieldValueInvalid",
            },
          ],
          "remaining": "-1",
          "rules": [
            {
              "maxCardinality": "1048576",
              "maxCost": "3",
              "messageMaxCost": "1844674407370955267",
              "path": "spec",
              "rule": "self.replicas <= 3",
            },
            {
              "maxCardinality": "1048576",
              "maxCost": "5",
              "path": "spec",
              "rule": "self.replicas >= oldSelf.replicas",
              "usesOldSelf": true,
            },
            {
              "error": "compilation failed: ERROR: <input>:1:5: undefined field 'unknown'
       | self.unknown
       | ....^",
              "maxCardinality": "0",
              "maxCost": "0",
              "path": "spec",
              "rule": "self.unknown",
            },
            {
              "maxCardinality": "1048576",
              "maxCost": "2",
              "path": "spec.names[*]",
              "rule": "self.startsWith('a')",
            },
          ],
        },
        {},
      ]
    `);
  });

  it("VS5: reports a case that is wrong as a failure", async () => {
    const answers = await oracle?.ask([
      { expression: "x", variables: { x: { type: "thing", value: 1 } } },
      { expression: "1", version: "one" },
    ]);
    expect(answers?.map(({ failure }) => typeof failure)).toEqual(["string", "string"]);
  });
});
