import { check, checkEach } from "@typekube/apiserver/check";
import { describe, expect, test } from "vitest";
import { configMap, linesOf } from "./lines-of.js";

describe("documents", () => {
  test("MC2: documents with markers, comments, BOM and CRLF are checked by themselves, empty ones not counted", async () => {
    const text = `\ufeff# first\n---\n${configMap("a")}...\n---\n# only a comment\n---\n---\r\n${configMap("b").replaceAll("\n", "\r\n")}---\n`;
    const { summary, results } = await check({ name: "a.yaml", text });
    expect(summary).toMatchObject({ checked: 2, valid: 2, skipped: 0 });
    expect(results.map(({ object, location }) => [object?.name, location.document])).toEqual([
      ["a", 1],
      ["b", 4],
    ]);
  });

  test("MC2: each item of a list is checked by itself, with its own line", async () => {
    const text = `apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: a, namespace: prod}
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: B_, namespace: prod}
---
apiVersion: v1
kind: ConfigMapList
items:
- metadata: {name: c, namespace: prod}
  dat: {}
`;
    const { findings, summary } = await check({ name: "a.yaml", text });
    expect(summary.checked).toBe(3);
    expect(
      findings.map(({ rule, location, object }) => [
        rule,
        location.line,
        location.column,
        object?.name,
      ]),
    ).toEqual([
      ["field-invalid", 9, 20, "B_"],
      ["unknown-field", 15, 3, "c"],
    ]);
  });

  test("MC3: a malformed document has a line and column, and the others are still checked", async () => {
    const text = [
      configMap("a"),
      configMap("b"),
      "kind: [1\nx: 2\n",
      configMap("c"),
      configMap("d"),
    ].join("---\n");
    const { findings, summary } = await check(text);
    expect(summary).toMatchObject({ checked: 5, valid: 4, invalid: 1 });
    expect(findings).toMatchObject([
      { rule: "yaml-syntax", severity: "error", location: { document: 3, line: 14 } },
    ]);
  });

  test("MC4: duplicate keys are errors at the second key; anchors and merge keys are expanded", async () => {
    expect(await linesOf(configMap("a", "data: {x: a, x: b}\n"))).toEqual([
      '6:14 duplicate-key: key "x" is already set in this mapping',
    ]);
    const merged = configMap("a", "  annotations: &base\n    app: 5\n  labels:\n    <<: *base\n");
    expect(await linesOf(merged)).toEqual([
      "7:10 wrong-type: json: cannot unmarshal number into Go struct field ObjectMeta.metadata.annotations of type string",
    ]);
  });

  test("MC4: a YAML bomb ends at the limits of the reader", async () => {
    const levels = Array.from(
      { length: 9 },
      (_, i) => `l${i + 1}: &l${i + 1} [${Array(9).fill(`*l${i}`).join(", ")}]`,
    );
    const [finding] = (await check(`l0: &l0 [a]\n${levels.join("\n")}\n`)).findings;
    expect(finding?.rule).toBe("too-large");
  });

  test("MC5: documents without apiVersion and kind are errors, or skipped on request", async () => {
    const text = "replicas: 3\n---\n- a\n---\nkind: Pod\n";
    expect(await linesOf(text)).toEqual([
      "1:1 not-a-manifest: not a manifest: the document has no kind",
      "3:1 not-a-manifest: not a manifest: the document is not a mapping",
      "5:7 not-a-manifest: not a manifest: the document has no apiVersion",
    ]);
    const { summary } = await check(text, { skipNonManifests: true });
    expect(summary).toMatchObject({ checked: 0, skipped: 3, skippedBy: { "not a manifest": 3 } });
  });

  test("MC6 [+]: a template is distinguished from broken YAML", async () => {
    const [finding] = (await check("apiVersion: v1\nkind: {{ .Values.kind }}\n")).findings;
    expect(finding).toMatchObject({ rule: "template", location: { line: 2, column: 7 } });
    expect(finding?.hint).toContain("helm template");
    const { findings } = await check(configMap("$" + "{NAME}"));
    expect(findings[0]?.hint).toContain("variable");
    // An expression in a string is no template of the manifest.
    expect(await linesOf(configMap("a", 'data: {a: "{{inputs.x}}"}\n'))).toEqual([]);
  });

  test("MC7 [+]: locations name the template of a chart", async () => {
    const text = `---\n# Source: shop/templates/a.yaml\n${configMap("A_")}`;
    const [finding] = (await check({ name: "-", text })).findings;
    expect(finding?.location).toMatchObject({
      source: "-",
      template: "shop/templates/a.yaml",
      line: 6,
    });
  });

  test("MC8 [+]: objects of a program are located by their number and path", async () => {
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "a", namespace: "prod" },
      spec: { containers: [] },
    };
    const { findings } = await check([{ ...pod }, pod]);
    expect(
      findings.map(({ rule, field, location }) => [
        rule,
        field,
        location.source,
        location.document,
      ]),
    ).toEqual([
      ["field-required", "spec.containers", "objects", 1],
      ["field-required", "spec.containers", "objects", 2],
      ["duplicate-object", "metadata.name", "objects", 2],
    ]);
  });

  test("MC9: results stream in the order of the input, and files are read one at a time", async () => {
    const read: string[] = [];
    const files = ["c", "a", "b"].map((name) => ({
      name,
      read: async () => {
        read.push(name);
        return configMap(name);
      },
    }));
    const names: string[] = [];
    for await (const { object } of checkEach(files)) {
      names.push(object?.name ?? "");
    }
    expect(names).toEqual(["c", "a", "b"]);
    // Once for objects to install first, once for the check.
    expect(read).toEqual(["c", "a", "b", "c", "a", "b"]);
  });

  test("MC51: positions are those of the value or key, in JSON, lists, anchors and block scalars", async () => {
    const json = JSON.stringify(
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "A_", namespace: "prod" }, dat: {} },
      null,
      2,
    );
    expect(await linesOf(json)).toEqual([
      '8:3 unknown-field: unknown field "dat"',
      expect.stringMatching(/^5:13 field-invalid: metadata\.name: Invalid value: "A_"/),
    ]);
    const list = `apiVersion: v1
kind: Service
metadata: {name: a, namespace: prod}
spec:
  ports:
  - &port {port: 80, name: "a"}
  - <<: *port
    name: b
    port: 99999
  - port: 81
    targetPort: "&"
`;
    const lines = await linesOf(list);
    expect(lines.map((line) => line.split(" ")[0])).toEqual([
      "9:11",
      "7:5",
      "10:5",
      "11:17",
      "11:17",
    ]);
  });

  test("MC85: hostile documents become findings", async () => {
    const deep = `apiVersion: v1\nkind: ConfigMap\nmetadata: ${"{a: ".repeat(600)}1${"}".repeat(600)}`;
    expect((await check(deep)).findings[0]?.rule).toBe("too-large");
    const proto = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: prod}\n__proto__: {x: 1}\n`;
    expect(await linesOf(proto)).toEqual(['4:1 unknown-field: unknown field "__proto__"']);
    const large = configMap("a", `data: {x: "${"x".repeat(4_000_000)}"}\n`);
    expect((await check(large)).findings).toMatchObject([
      { rule: "rejected", message: "Request entity too large: limit is 3145728" },
    ]);
    const cyclic: Record<string, unknown> = { apiVersion: "v1", kind: "ConfigMap" };
    cyclic["metadata"] = { name: "a", labels: cyclic };
    expect((await check(cyclic)).valid).toBe(false);
  });
});
