import { check, formatReport, type ReportFormat } from "@typekube/apiserver/check";
import { describe, expect, test } from "vitest";
import { configMap, linesOf, widget, widgets } from "./lines-of.js";

const reportFormats: readonly ReportFormat[] = [
  "github",
  "gitlab",
  "json",
  "junit",
  "ndjson",
  "sarif",
  "tap",
  "text",
];

const deployment = (template: string, more = "") => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: prod}
spec:
  selector: {matchLabels: {app: web}}
${more}  template:
    metadata: {labels: {app: web}}
    spec:
${template}`;
const container = "      containers:\n      - {name: web, image: nginx}\n";

describe("fields", () => {
  test("MC20: unknown fields are errors with a suggestion, in built-in and custom kinds", async () => {
    const { findings } = await check(deployment(container, "  replcas: 3\n"));
    expect(findings).toMatchObject([
      {
        rule: "unknown-field",
        field: "spec.replcas",
        hint: "did you mean replicas?",
        location: { line: 6, column: 3 },
      },
    ]);
    const [custom] = (await check(widget("{sice: 1}"), { crds: widgets })).findings;
    expect(custom).toMatchObject({
      rule: "unknown-field",
      field: "spec.sice",
      hint: "did you mean size?",
    });
  });

  test("MC20: after unknown fields, the other problems of the object are listed too", async () => {
    expect(await linesOf(deployment("      containers: []\n", "  replcas: 3\n"))).toEqual([
      '6:3 unknown-field: unknown field "spec.replcas"',
      "10:7 field-required: spec.template.spec.containers: Required value",
    ]);
  });

  test("MC21: preserved unknown fields, int-or-string, maps and nulls are accepted as by a server", async () => {
    const spec = '{size: 1, port: "http", free: {a: [1], b: {}}, labels: {x: "1"}}';
    expect(
      await linesOf(
        `${widget(spec)}---\n${widget("{size: 1, port: 80}").replace("name: w", "name: v")}`,
        { crds: widgets },
      ),
    ).toEqual([]);
  });

  test("MC22: causes have the server's field, reason and message", async () => {
    const { findings } = await check(
      deployment(
        "      containers:\n      - {name: web, image: nginx, imagePullPolicy: Sometimes}\n      - {name: web}\n",
      ),
    );
    expect(
      findings.map(({ field, reason, message, location }) => [
        field,
        reason,
        message,
        location.line,
        location.column,
      ]),
    ).toEqual([
      [
        "spec.template.spec.containers[0].imagePullPolicy",
        "FieldValueNotSupported",
        'spec.template.spec.containers[0].imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"',
        10,
        52,
      ],
      [
        "spec.template.spec.containers[1].image",
        "FieldValueRequired",
        "spec.template.spec.containers[1].image: Required value",
        11,
        9,
      ],
      [
        "spec.template.spec.containers[1].name",
        "FieldValueDuplicate",
        'spec.template.spec.containers[1].name: Duplicate value: "web"',
        11,
        16,
      ],
    ]);
  });

  test("MC23: wrong types have the text of the server's decoder and ours", async () => {
    const { findings } = await check(deployment(container, '  replicas: "3"\n'));
    expect(findings).toMatchObject([
      {
        rule: "wrong-type",
        message: expect.stringContaining(
          "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32",
        ),
        hint: "the value is a string, but must be an integer without quotes",
        location: { line: 6, column: 13 },
      },
    ]);
    expect(await linesOf(configMap("a", "data: {a: x, port: 80}\n"))).toEqual([
      "6:20 wrong-type: json: cannot unmarshal number into Go struct field ConfigMap.data of type string",
    ]);
    expect((await linesOf(configMap("a", "  labels: {on: yes}\n")))[0]).toMatch(
      /cannot unmarshal bool/,
    );
  });

  test("MC24: names, labels and annotations are validated", async () => {
    const lines = await linesOf(configMap("a", "  labels: {x: 'a b'}\n  generateName: b-\n"));
    expect(lines).toEqual([
      expect.stringMatching(/^6:15 field-invalid: metadata\.labels: Invalid value: "a b"/),
    ]);
  });

  test("MC25: a namespace on a cluster-scoped kind is an error; the assumed namespace is stated", async () => {
    const role =
      "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: a, namespace: prod}\nrules: []\n";
    expect(await linesOf(role)).toEqual([
      "3:32 namespace-scope: ClusterRole is cluster-scoped, but the manifest has a namespace",
    ]);
    const { notes, valid } = await check(configMap("a").replace("  namespace: prod\n", ""));
    expect([valid, notes]).toEqual([true, ['1 object names no namespace: "default" is assumed']]);
  });

  test("MC27 [+]: hand-written rules of built-in kinds are those of the embedded server", async () => {
    const volumes = `${container.replace("nginx}", "nginx, volumeMounts: [{name: v, mountPath: /v}]}")}`;
    expect(
      await linesOf(deployment(volumes).replace("labels: {app: web}", "labels: {app: other}")),
    ).toEqual([
      expect.stringMatching(
        /^7:\d+ field-invalid: spec\.template\.metadata\.labels: Invalid value: .*`selector` does not match template `labels`/,
      ),
      '10:57 field-not-found: spec.template.spec.containers[0].volumeMounts[0].name: Not found: "v"',
    ]);
  });

  test("MC28: rules of definitions run on create", async () => {
    expect(await linesOf(widget("{size: 11}"), { crds: widgets })).toEqual([
      expect.stringMatching(/^4:1 field-invalid: spec: Invalid value: .*too big$/),
    ]);
  });

  test("MC29 [+]: transition rules and immutable fields are checked against old objects", async () => {
    const old = widget("{size: 5}");
    const options = { crds: widgets };
    const without = await check(widget("{size: 3}"), options);
    expect(without.results[0]?.notEvaluated).toEqual(["spec: self.size >= oldSelf.size"]);
    expect(without.summary).toMatchObject({ valid: 1, notEvaluated: 1 });
    expect(await linesOf(widget("{size: 3}"), { ...options, against: old })).toEqual([
      expect.stringMatching(/may not shrink$/),
    ]);
    expect((await check(widget("{size: 7}"), { ...options, against: old })).summary).toMatchObject({
      valid: 1,
      notEvaluated: 0,
    });
    const selector = deployment(container)
      .replace("matchLabels: {app: web}", "matchLabels: {app: web, x: z}")
      .replace("labels: {app: web}", "labels: {app: web, x: z}");
    expect(await linesOf(selector, { against: deployment(container) })).toEqual([
      expect.stringMatching(
        /^5:3 field-invalid: spec\.selector: Invalid value: .*field is immutable$/,
      ),
    ]);
  });

  test("MC29 [+]: an unchanged invalid value is accepted, as a server ratchets it", async () => {
    const options = { crds: widgets, against: widget("{size: 20}") };
    expect(await linesOf(widget("{size: 20, port: 80}"), options)).toEqual([
      expect.stringMatching(/too big/),
    ]);
    // A server warns of what it accepts.
    expect(await linesOf(widget("{size: 20}"), options)).toEqual([
      "4:1 server-warning: spec: Invalid value: too big",
    ]);
  });

  test("MC32 [+]: Pod Security levels of namespaces and of the option", async () => {
    const pod =
      "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: prod}\nspec:\n  hostNetwork: true\n  containers: [{name: a, image: b}]\n";
    expect(await linesOf(pod)).toEqual([]);
    expect(await linesOf(pod, { podSecurity: "baseline" })).toEqual([
      expect.stringMatching(
        /^2:7 pod-security: pods "p" is forbidden: violates PodSecurity "baseline:latest": host namespaces/,
      ),
    ]);
    const namespace =
      "apiVersion: v1\nkind: Namespace\nmetadata: {name: prod, labels: {pod-security.kubernetes.io/enforce: restricted}}\n";
    expect((await check(`${pod}---\n${namespace}`)).findings.map(({ rule }) => rule)).toEqual([
      "pod-security",
    ]);
    expect(
      (await check(deployment(container), { podSecurity: "restricted" })).findings,
    ).toMatchObject([{ rule: "pod-security-warning", severity: "warning" }]);
  });

  test("MC38: two manifests of one object are an error with both places", async () => {
    expect(
      await linesOf({ name: "a.yaml", text: `${configMap("a")}---\n${configMap("a")}` }),
    ).toEqual([
      '10:9 duplicate-object: ConfigMap "a" in namespace prod is described twice, first in a.yaml:1',
    ]);
  });

  test("MC39 [+]: fields of the server and zero values are pointed out", async () => {
    const text = configMap("a", '  uid: "1"\n  managedFields: []\n  labels: null\n');
    expect(
      (await check(text)).findings.map(({ rule, severity, field }) => [rule, severity, field]),
    ).toEqual([
      ["server-field", "warning", "metadata.uid"],
      ["server-field", "warning", "metadata.managedFields"],
      ["zero-value", "note", "metadata.labels"],
    ]);
  });

  test("MC59 [+]: values of Secrets and of redacted fields are never printed", async () => {
    const secret =
      'apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: prod}\ndata: {a: "hunter2!", a b: "c2VjcmV0"}\nstringData:\n  "x y": hunter3\n';
    const report = await check(secret);
    expect(report.findings[0]).toMatchObject({
      location: { line: 4, column: 11 },
      excerpt: expect.stringContaining("***"),
    });
    expect(report.valid).toBe(false);
    expect(JSON.stringify(report)).not.toMatch(/hunter|c2Vj/);
    const broken = await check(`${secret}  bad: [1\n`);
    expect(JSON.stringify(broken)).not.toMatch(/hunter|c2Vj/);
    const map = configMap("a", "data: {'x y': hunter4}\n");
    expect(JSON.stringify(await check(map))).toMatch(/hunter4/);
    expect(JSON.stringify(await check(map, { redact: ["data*"] }))).not.toMatch(/hunter4/);
  });

  test("MC59 [+]: a value at a wrong place of a Secret is never printed, in any format", async () => {
    const head = "apiVersion: v1\nkind: Secret\n";
    const named = `${head}metadata: {name: s, namespace: prod}\n`;
    const applied = "kubectl.kubernetes.io/last-applied-configuration";
    const secrets = [
      `${named}password: hunter2\n`,
      `${named}strngData: {p: hunter2}\n`,
      `${head}metadata: {name: s, namespace: prod, password: hunter2}\n`,
      `${head}metadata: {name: s, namespace: prod, "bad key!": hunter2, generateName: hunter2}\n`,
      `${head}metadata: {generateName: hunter2, uid: [hunter2], namespace: prod}\n`,
      `${named}immutable: hunter2\n`,
      `${named}immutable: [hunter2]\n`,
      `${named}data: {p: hunter2, p: hunter22}\n`,
      `${named}stringData: {<<: {p: hunter2}, p: 7}\n`,
      `${named}stringData: hunter2\n`,
      `${head}metadata: {name: s, namespace: prod, annotations: {"bad key!": hunter2}}\n`,
      `${head}metadata: {name: s, namespace: prod, annotations: {a: [hunter2]}}\n`,
      `${head}metadata: {name: s, namespace: prod, annotations: hunter2}\n`,
      `${head}metadata: {name: s, namespace: prod, annotations: {"${applied}": {p: hunter2}}}\n`,
      `${head}metadata: {name: s, namespace: prod, labels: {a: "hunter2 !"}}\n`,
      `${head}metadata: {name: s, namespace: prod, annotations: {typekube.dev/ignore: hunter2 is so}}\n`,
      `{kind: Secret, metadata: {name: s}, stringData: {p: hunter2}}\n`,
      `{apiVersion: v1, kind: secret, metadata: {name: s}, stringData: {p: hunter2}}\n`,
      `{apiVersion: v1, kind: SecretList, items: [{metadata: {name: s}, strngData: {p: hunter2}}]}\n`,
      `{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {p: hunter2}}, {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, dta: {}}]}\n`,
    ];
    for (const text of secrets) {
      const report = await check(text);
      expect(report.findings.length, text).toBeGreaterThan(0);
      expect(JSON.stringify(report), text).not.toContain("hunter");
      for (const format of reportFormats) {
        expect(formatReport(report, format), `${format} ${text}`).not.toContain("hunter");
      }
    }
    const [misspelt] = (await check(secrets[1] ?? "")).findings;
    expect(misspelt).toMatchObject({
      message: 'unknown field "strngData"',
      excerpt: "strngData: {p: ***}",
      hint: "did you mean stringData?",
    });
  });
});
