import { check } from "@typekube/apiserver/check";
import { describe, expect, test } from "vitest";
import { configMap, linesOf } from "./lines-of.js";

const rulesOf = async (text: string) => {
  const { findings, results } = await check(text);
  return {
    findings: findings.map(({ rule, location }) => `${location.line} ${rule}`),
    accepted: results.flatMap(({ accepted }) =>
      accepted.map(({ rule, because }) => `${rule}: ${because}`),
    ),
  };
};

describe("exceptions", () => {
  test("MC72 [+]: a comment above a key accepts the findings of this key, with its reason", async () => {
    const text = configMap(
      "a",
      '  # typekube-ignore: server-field restored from a backup\n  uid: "1"\n  resourceVersion: "5"\n',
    );
    expect(await rulesOf(text)).toEqual({
      findings: ["8 server-field"],
      accepted: ["server-field: restored from a backup"],
    });
  });

  test("MC72 [+]: a comment above the first key and the annotation accept findings of the whole object", async () => {
    const text = `# typekube-ignore: server-field moved between clusters\n${configMap("a", '  uid: "1"\n  resourceVersion: "5"\n')}`;
    expect((await rulesOf(text)).findings).toEqual([]);
    const annotated = configMap(
      "a",
      '  uid: "1"\n  annotations:\n    typekube.dev/ignore: |\n      server-field moved between clusters\n',
    );
    expect(await rulesOf(annotated)).toEqual({
      findings: [],
      accepted: ["server-field: moved between clusters"],
    });
  });

  test("MC72 [+]: an exception without a reason and one that matches nothing are warnings", async () => {
    const text = configMap(
      "a",
      '  # typekube-ignore: server-field\n  uid: "1"\ndata:\n  # typekube-ignore: unknown-field no longer needed\n  a: b\n',
    );
    expect(await rulesOf(text)).toEqual({
      findings: ["6 exception-without-reason", "9 unused-exception"],
      accepted: ["server-field: "],
    });
  });

  test("MC72: a comment in a block scalar is text", async () => {
    const text = configMap(
      "a",
      "data:\n  script: |\n    # typekube-ignore: unknown-field x\n    echo\n",
    );
    expect(await linesOf(text)).toEqual([]);
  });

  test("MC72: exceptions of items in a list stay with their item", async () => {
    const item = (name: string, comment = "") =>
      `- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: ${name}\n    namespace: prod\n${comment}    uid: "1"\n`;
    const text = `apiVersion: v1\nkind: List\nitems:\n${item("a", "    # typekube-ignore: server-field because\n")}${item("b")}`;
    expect(await rulesOf(text)).toEqual({
      findings: ["16 server-field"],
      accepted: ["server-field: because"],
    });
  });
});
