import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Call, Expression, ListExpression } from "../../src/syntax/expression.js";
import { formatProblem } from "../../src/templates/validate-format.js";
import {
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  opaqueType,
  stringType,
} from "../../src/values/cel-type.js";

const place = { id: 0, position: 0, start: 0, end: 0 };
const quantity = opaqueType("kubernetes.Quantity");

/** A type, for a variable; or the types of the elements, for a list that is written out. */
type Argument = CelType | { readonly elements: readonly Argument[] };

/** Returns the problem of `template.format([arguments])` with the place of the argument, "" for the call itself. */
function problemOf(template: string, ...args: readonly Argument[]): unknown {
  const types = new Map<Expression, CelType>();
  const names = new Map<Expression, string>();
  const nodeOf = (argument: Argument, name: string): Expression => {
    const node: Expression =
      "elements" in argument
        ? listOf(argument.elements.map((element, index) => nodeOf(element, `${name}.${index}`)))
        : { kind: "identifier", ...place, name };
    types.set(node, "elements" in argument ? listType(dynType) : argument);
    names.set(node, name);
    return node;
  };
  const call: Call = {
    kind: "call",
    ...place,
    name: "format",
    target: { kind: "literal", ...place, value: template },
    args: [listOf(args.map((argument, index) => nodeOf(argument, String(index))))],
  };
  const found = formatProblem(call, (node) => types.get(node) ?? dynType);
  return found && [found.problem, names.get(found.at) ?? ""];
}

function listOf(elements: readonly Expression[]): ListExpression {
  return { kind: "list", ...place, elements, optionals: [] };
}

describe("checking calls of format", () => {
  test.each<[string, Argument[]]>([
    [
      "%s %d %f %e %b %x %o %%",
      [stringType, intType, doubleType, doubleType, intType, stringType, intType],
    ],
    ["%s", [{ elements: [intType, { elements: [durationType] }] }]],
    ["%d %s", [dynType, dynType]],
    ["%f", [stringType]],
    ["no clause", []],
  ])("VK17: %j takes its arguments", (template, args) => {
    assert.equal(problemOf(template, ...args), undefined);
  });

  test.each<[string, Argument[], string, string]>([
    [
      "%s %d",
      [stringType, doubleType],
      "error during formatting: decimal clause can only be used on integers, was given double",
      "1",
    ],
    [
      "%s",
      [{ elements: [intType, { elements: [quantity] }] }],
      "error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given kubernetes.Quantity",
      "0.1.0",
    ],
    ["%s %s", [stringType], "index 1 out of range", ""],
    ["%", [], "unexpected end of string", ""],
    [
      "%s",
      [stringType, intType],
      "too many arguments supplied to string.format (expected 1, got 2)",
      "",
    ],
    ["%z", [intType], 'could not parse formatting clause: unrecognized formatting clause "z"', ""],
  ])("VK17: %j refuses wrong arguments before evaluation", (template, args, problem, at) => {
    assert.deepEqual(problemOf(template, ...args), [problem, at]);
  });
});
