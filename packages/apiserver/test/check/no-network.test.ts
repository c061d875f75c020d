import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { configMap, widget, widgets } from "./lines-of.js";

const program = fileURLToPath(new URL("offline-check.ts", import.meta.url));
/** Milliseconds for a process that loads its sources on a busy machine. */
const timeout = 60_000;
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "typekube-offline-"));
  const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: team}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  validations: [{expression: "'team' in object.metadata.?labels.orValue({})"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: team}
spec: {policyName: team, validationActions: [Deny]}
`;
  const webhook = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: remote}
webhooks:
- name: a.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {url: "https://127.0.0.1:1/review"}
  rules: [{apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"]}]
`;
  const converted = widgets
    .replace(
      "scope: Namespaced",
      `scope: Namespaced
  conversion:
    strategy: Webhook
    webhook: {conversionReviewVersions: [v1], clientConfig: {url: "https://127.0.0.1:1/convert"}}`,
    )
    .replace("served: false", "served: true");
  const old = widget("{size: 1}", "example.com/v1alpha1").replace("name: w", "name: old");
  const unknown = widget("{size: 1}", "other.example.com/v1").replace(
    "kind: Widget",
    "kind: Gizmo",
  );
  const files = {
    "crds/widgets.yaml": converted,
    "policies/team.yaml": policy,
    "deploy/a.yaml": [configMap("a"), widget("{size: 1}"), old, unknown, webhook].join("---\n"),
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, ".."), { recursive: true });
    await writeFile(join(folder, name), text);
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(...args: readonly string[]) {
  const flags = ["--conditions=@typekube/source", "--import", import.meta.resolve("tsx")];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    ...flags,
    program,
    folder,
    ...args,
  ]);
  return { uses: JSON.parse(stdout), report: stderr };
}

test("MC12 [+]: a check with definitions, policies, webhooks of admission and conversion, and unknown kinds never uses the network", {
  timeout,
}, async () => {
  const { uses, report } = await run("deploy", "--crds", "crds", "--policies", "policies");
  expect(uses).toEqual([]);
  expect(report).toContain("error policy ");
  expect(report).toContain("error unknown-kind unknown kind other.example.com/v1 Gizmo");
  expect(report).toContain("5 checked: 3 valid, 2 invalid");
});

test("MC12 [+]: the test would notice a connection", { timeout }, async () => {
  const { uses } = await run("--connect");
  expect(uses).toEqual(["net connect", "fetch"]);
});
