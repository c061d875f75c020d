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
    expect(answers).toMatchInlineSnapshot();
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
    expect(answers).toMatchInlineSnapshot();
  });

  it("VS5: reports a case that is wrong as a failure", async () => {
    const answers = await oracle?.ask([
      { expression: "x", variables: { x: { type: "thing", value: 1 } } },
      { expression: "1", version: "one" },
    ]);
    expect(answers?.map(({ failure }) => typeof failure)).toEqual(["string", "string"]);
  });
});
