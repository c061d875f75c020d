import { check, formatReport } from "@typekube/apiserver/check";
import { describe, expect, test } from "vitest";
import { configMap, linesOf, widget, widgets } from "./lines-of.js";

const policy = (expression: string, action = "Deny") => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: team}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps]}]
  paramKind: {apiVersion: v1, kind: ConfigMap}
  validations:
  - expression: >-
      ${expression}
    message: the team is wrong
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: team-prod}
spec:
  policyName: team
  validationActions: [${action}]
  paramRef: {name: teams, namespace: policies, parameterNotFoundAction: Deny}
  matchResources:
    namespaceSelector: {matchLabels: {stage: prod}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: teams, namespace: policies}
data: {team: web}
---
apiVersion: v1
kind: Namespace
metadata: {name: prod, labels: {stage: prod}}
`;
const expression = "object.metadata.?labels.team.orValue('') == params.data.team";

describe("policies", () => {
  test("MC30 [+], VA13 [+]: policies decide with params and namespaces of files", async () => {
    const policies = policy(expression);
    const good = configMap("a", "  labels: {team: web}\n");
    const elsewhere = configMap("a").replace("namespace: prod", "namespace: test");
    expect(await linesOf(good, { policies })).toEqual([]);
    expect(await linesOf(elsewhere, { policies })).toEqual([]);
    const { findings } = await check(configMap("a"), { policies });
    expect(findings).toMatchObject([
      {
        rule: "policy",
        severity: "error",
        message: expect.stringContaining(
          "ValidatingAdmissionPolicy 'team' with binding 'team-prod' denied request: the team is wrong",
        ),
        location: { line: 2 },
      },
    ]);
    const warned = await check(configMap("a"), { policies: policy(expression, "Warn") });
    expect(warned.valid).toBe(true);
    expect(warned.findings).toMatchObject([{ rule: "policy-warning", severity: "warning" }]);
  });

  test("VA13 [+]: a finding of a policy names the place of the expression that failed", async () => {
    const two = policy(expression).replace(
      "  validations:\n",
      "  validations:\n  - expression: 'true'\n",
    );
    const related = [
      {
        message: "expression of ValidatingAdmissionPolicy team",
        location: { source: "team.yaml", document: 1, line: 10, column: 5 },
      },
    ];
    const policies = { name: "team.yaml", text: two };
    const report = await check(configMap("a"), { policies });
    expect(report.findings).toMatchObject([{ rule: "policy", related }]);
    expect(formatReport(report)).toContain(
      "expression of ValidatingAdmissionPolicy team: team.yaml:10:5",
    );
    const [result] = JSON.parse(formatReport(report, "sarif")).runs[0].results;
    expect(result.relatedLocations).toMatchObject([
      { physicalLocation: { artifactLocation: { uri: "team.yaml" }, region: { startLine: 10 } } },
    ]);
    const warnings = await check(configMap("a"), {
      policies: { name: "team.yaml", text: two.replace("[Deny]", "[Warn]") },
    });
    expect(warnings.findings).toMatchObject([{ rule: "policy-warning", related }]);
    const among = await check([policies, { name: "a.yaml", text: configMap("a") }]);
    expect(among.findings).toMatchObject([{ location: { source: "a.yaml" }, related }]);
  });

  test("VA13 [+]: a finding of a definition's rule names the place of the rule", async () => {
    const crds = { name: "widgets.yaml", text: widgets };
    const { findings } = await check(widget("{size: 11}"), { crds });
    expect(findings).toMatchObject([
      {
        field: "spec",
        related: [
          {
            message: "rule of CustomResourceDefinition widgets.example.com",
            location: { source: "widgets.yaml", line: expect.any(Number) },
          },
        ],
      },
    ]);
    const line = findings[0]?.related?.[0]?.location.line ?? 0;
    expect(widgets.split("\n")[line - 1]).toContain("self.size < 10");
    const other = await check(widget('{size: "x"}'), { crds });
    expect(other.findings[0]).not.toHaveProperty("related");
  });

  test("MC30 [+]: policies among the input apply to it", async () => {
    const { findings } = await check([
      { name: "b", text: configMap("a") },
      { name: "a", text: policy(expression) },
    ]);
    expect(findings.map(({ rule, location }) => [rule, location.source])).toEqual([
      ["policy", "b"],
    ]);
  });

  test("MC3: a document of crds or policies that cannot be read is an error, not a missing definition", async () => {
    const broken = "kind: [\n";
    for (const options of [
      { crds: [{ name: "c.yaml", text: `${widgets}---\n${broken}` }] },
      { policies: [{ name: "c.yaml", text: `${policy(expression)}---\n${broken}` }] },
    ]) {
      const { findings, valid, summary } = await check(
        configMap("a", "  labels: {team: web}\n"),
        options,
      );
      expect([valid, summary.invalid]).toEqual([false, 1]);
      expect(findings).toMatchObject([{ rule: "yaml-syntax", location: { source: "c.yaml" } }]);
    }
  });

  test("MC31: an expression that does not compile is an error at its position in the block scalar", async () => {
    const { findings } = await check({
      name: "p.yaml",
      text: policy("size(object.metadata.name) > 1 && objct.metadata.name == 'x'"),
    });
    expect(findings).toMatchObject([
      { rule: "definition-invalid", location: { line: 10, column: 41 } },
    ]);
  });

  test("VA25 [+]: the changes of mutating policies are shown", async () => {
    const policies = `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: label}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  failurePolicy: Fail
  reinvocationPolicy: Never
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: {expression: "Object{metadata: Object.metadata{labels: {'team': 'web'}}}"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: label}
spec: {policyName: label}
`;
    const { results, valid } = await check(configMap("a"), { policies });
    expect(valid).toBe(true);
    expect(results[0]?.mutation).toEqual(['+ metadata.labels: {"team":"web"}']);
    expect(results[0]?.findings).toMatchObject([{ rule: "policy-mutation", severity: "note" }]);
  });
});
