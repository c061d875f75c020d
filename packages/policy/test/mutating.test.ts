import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { MutationProblem } from "../src/index.js";
import { apply, mutate, patch } from "./requests.js";

describe("mutating policies", () => {
  it("VA20: an apply configuration holds numbers, texts, bools, lists, maps and objects", () => {
    const { mutations } = mutate({
      mutations: [
        apply(
          "Object{spec: Object.spec{replicas: object.spec.replicas * 2, list: [1, 2].map(x, string(x)), labels: {'a': 'b'}, nested: Object.spec.nested{on: true, ratio: 0.5}}}",
        ),
      ],
    });
    assert.deepEqual(mutations, [
      {
        patchType: "ApplyConfiguration",
        configuration: {
          spec: {
            replicas: 6,
            list: ["1", "2"],
            labels: { a: "b" },
            nested: { on: true, ratio: 0.5 },
          },
        },
      },
    ]);
  });

  it("VA20: objects must be named by their path, and hold what JSON objects hold", () => {
    const problemsOf = (expression: string) =>
      mutate({ mutations: [apply(expression)] }).problems.join();
    assert.match(
      problemsOf("Object{spec: Object.wrong{a: 1}}"),
      /^type mismatch: unexpected type name "Object.wrong", expected "Object.spec"/,
    );
    assert.match(
      problemsOf("Object{spec: Object.spec{a: null}}"),
      /\.spec\.a: expected .*, got null$/,
    );
    assert.match(
      problemsOf("Object{spec: [Object.spec{a: duration('1s')}]}"),
      /\.spec\[0\]\.a: expected .*, got google\.protobuf\.Duration$/,
    );
    assert.equal(problemsOf("1"), "must evaluate to Object but got int");
  });

  it("VA21: a JSON Patch has operations with values as JSON", () => {
    const { mutations } = mutate({
      mutations: [
        patch(
          "[JSONPatch{op: 'add', path: '/a/' + jsonpatch.escapeKey('x/y~z'), value: {'n': dyn(9007199254740993), 'b': dyn(b'hi'), 'd': dyn(duration('90s')), 'o': dyn(Object{a: 1u})}}, JSONPatch{op: 'move', from: '/a', path: '/b'}]",
        ),
      ],
    });
    assert.deepEqual(mutations, [
      {
        patchType: "JSONPatch",
        operations: [
          {
            op: "add",
            path: "/a/x~1y~0z",
            value: { n: "9007199254740993", b: "aGk=", d: "90s", o: { a: 1 } },
          },
          { op: "move", path: "/b", from: "/a" },
        ],
      },
    ]);
  });

  it("VA21: a type or an operation has no form in JSON", () => {
    const problemOf = (value: string) =>
      mutate({ mutations: [patch(`[JSONPatch{op: 'add', path: '/a', value: ${value}}]`)] })
        .problems[0];
    const prefix = "JSONPath valueExpression evaluated to a type that could not marshal to JSON:";
    assert.equal(problemOf("type(1)"), `${prefix} type conversion not supported for 'type'`);
    assert.equal(
      problemOf("JSONPatch{op: 'x'}"),
      `${prefix} cannot convert to native type: *structpb.Value`,
    );
  });

  it("VA22: each mutation sees the object as the ones before left it", () => {
    const { object, allowed } = mutate({
      mutations: [
        apply("Object{spec: Object.spec{replicas: object.spec.replicas + 1}}"),
        apply("Object{spec: Object.spec{seen: object.spec.replicas}}"),
      ],
    });
    assert.equal(allowed, true);
    assert.deepEqual((object as { readonly spec: unknown }).spec, {
      replicas: 4,
      paused: false,
      seen: 4,
    });
  });

  it("VA24: errors refuse the request unless the policy ignores failures; later mutations still run", () => {
    const mutations = [
      apply("Object{spec: Object.spec{a: object.nowhere}}"),
      apply("Object{spec: Object.spec{b: 1}}"),
    ];
    const strict = mutate({ mutations });
    assert.equal(strict.allowed, false);
    assert.deepEqual(strict.problems, [
      "expression 'Object{spec: Object.spec{a: object.nowhere}}' resulted in error: no such key: nowhere",
    ]);
    const lenient = mutate({ mutations, failurePolicy: "Ignore" });
    assert.equal(lenient.allowed, true);
    assert.equal(lenient.mutations.length, 1);
  });

  it("VA24: a match condition that is false leaves the object alone", () => {
    const { mutations } = mutate({
      matchConditions: [{ name: "never", expression: "object.spec.replicas > 100" }],
      mutations: [apply("Object{spec: Object.spec{a: 1}}")],
    });
    assert.deepEqual(mutations, []);
  });

  it("VA24: parameters and variables are known to mutations", () => {
    const { mutations } = mutate(
      {
        paramKind: { apiVersion: "v1", kind: "ConfigMap" },
        variables: [{ name: "wanted", expression: "int(params.data.replicas)" }],
        mutations: [apply("Object{spec: Object.spec{replicas: variables.wanted}}")],
      },
      { params: [{ data: { replicas: "7" } }] },
    );
    assert.deepEqual(mutations[0], {
      patchType: "ApplyConfiguration",
      configuration: { spec: { replicas: 7 } },
    });
  });

  it("a problem of the caller's own applyMutation refuses the request, other errors are thrown", () => {
    const mutations = [apply("Object{}")];
    const { problems } = mutate(
      { mutations },
      {
        applyMutation: () => {
          throw new MutationProblem("does not fit");
        },
      },
    );
    assert.deepEqual(problems, ["does not fit"]);
    const broken = () =>
      mutate(
        { mutations },
        {
          applyMutation: () => {
            throw new RangeError("bug");
          },
        },
      );
    assert.throws(broken, RangeError);
  });
});
