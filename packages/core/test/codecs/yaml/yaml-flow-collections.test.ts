import { parseManifests } from "@typekube/core";
import { failure } from "@typekube/test-support/failure";
import { flowCollections } from "@typekube/test-support/flow-collections";
import { describe, expect, it } from "vitest";
import { withFlowOnOneLine } from "../../../src/codecs/yaml/flow-lines.js";

const head = "apiVersion: example.io/v1\nkind: Sample\nmetadata: {name: a}\n";

async function spec(yaml: string): Promise<unknown> {
  const [object] = await parseManifests(head + yaml);
  const { apiVersion: _, kind: __, metadata: ___, ...rest } = { ...object };
  return rest;
}

describe("flow collections as kubectl reads them", () => {
  // test/black-box/kubectl-reads.test.ts checks each with kubectl.
  it.each(flowCollections)(
    "reads the flow collection as kubectl does: %s",
    async (_, yaml, expected) => {
      expect(await spec(yaml)).toEqual(expected);
    },
  );

  it("brackets and quotes in block scalars, plain scalars and comments stay unchanged", async () => {
    const others = {
      a: 'if [ "x\nv:]\n',
      b: 'it\'s [ not "one" { [more',
      c: 'x "',
      d: ["[\n'", "p [\nq"],
    };
    const yaml = `a: |
  if [ "x
  v:]
# it's [ a comment
b: it's [ not "one" {
  [more
c: x " # "
d:
- |-
  [
  '
-
  "p [

  q"
e: [
x
]
`;
    expect(await spec(yaml)).toEqual({ ...others, e: ["x"] });
  });

  it.each([
    "a: [x\n",
    "a: [x\nv: 1\n",
    "a: [x]]\n",
    'a: "x\n',
    '"a\nb": 1\n',
    "a: [x]\n  b: 1\n",
    "a: {x:[1]}\n",
  ])("rejects the invalid document %j", async (yaml) => {
    expect((await failure(parseManifests(head + yaml))).code).toBe("InvalidArgument");
  });

  it("takes time proportional to the text, however malformed", () => {
    for (const piece of [
      "[\n",
      "\"'",
      "a: [x:,\n",
      "- [ ",
      "? ",
      "'\n",
      "a: |\n",
      "a: [\n]\n",
      "\t",
      "[#\n",
    ]) {
      const text = piece.repeat(100_000);
      const started = process.cpuUsage().user;
      withFlowOnOneLine(text);
      expect((process.cpuUsage().user - started) / 1_000, piece).toBeLessThan(2_000);
    }
  });
});
