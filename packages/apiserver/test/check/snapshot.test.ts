import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiServer, startApiServer } from "@typekube/apiserver";
import { check, formatSnapshot, parseSnapshot, snapshotCluster } from "@typekube/apiserver/check";
import { expect, test } from "vitest";
import { configMap, widget, widgets } from "./lines-of.js";
import { runCheck } from "./run-check.js";

const cluster = `apiVersion: v1
kind: Namespace
metadata: {name: prod, labels: {stage: prod}}
---
apiVersion: v1
kind: Secret
metadata: {name: password, namespace: prod}
stringData: {password: hunter2-hunter2}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: other, namespace: prod}
data: {key: not-a-param}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: teams, namespace: prod, annotations: {note: private}}
data: {team: web}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: team}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  paramKind: {apiVersion: v1, kind: ConfigMap}
  validations: [{expression: "object.metadata.?labels.team.orValue('') == params.data.team"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: team}
spec:
  policyName: team
  validationActions: [Deny]
  paramRef: {name: teams, namespace: prod, parameterNotFoundAction: Deny}
  matchResources: {namespaceSelector: {matchLabels: {stage: prod}}}
`;

async function filled(api: ApiServer): Promise<void> {
  await using client = await api.client();
  const converted = widgets.replace(
    "scope: Namespaced",
    `scope: Namespaced
  conversion:
    strategy: Webhook
    webhook: {conversionReviewVersions: [v1], clientConfig: {url: "https://converter.example.com/"}}`,
  );
  for (const text of [cluster, converted]) {
    await client.applyAll(text, { fieldManager: "test" });
  }
}

async function textOf(api: ApiServer): Promise<string> {
  await using client = await api.client();
  return formatSnapshot(await snapshotCluster(client));
}

test("MC19 [+]: a snapshot has definitions, policies, params and kinds, no Secrets, and is the same for equal clusters", async () => {
  await using api = await startApiServer({ seed: 1, version: "1.36" });
  await using other = await startApiServer({ seed: 2, version: "1.36" });
  await filled(api);
  await filled(other);
  const text = await textOf(api);
  expect(await textOf(other)).toBe(text);
  const snapshot = parseSnapshot(text);
  expect(formatSnapshot(snapshot)).toBe(text);
  expect(snapshot.version).toBe("1.36");
  expect(snapshot.served["example.com/v1"]).toEqual(["Widget"]);
  const names = snapshot.objects.map(
    ({ kind, metadata }) => `${String(kind)} ${(metadata as { name: string }).name}`,
  );
  expect(names).toEqual([
    "ValidatingAdmissionPolicy team",
    "ValidatingAdmissionPolicyBinding team",
    "CustomResourceDefinition widgets.example.com",
    "ConfigMap teams",
    "Namespace default",
    "Namespace kube-node-lease",
    "Namespace kube-public",
    "Namespace kube-system",
    "Namespace prod",
  ]);
  for (const left of ["hunter2", "private", "not-a-param", "managedFields", "uid", "converter"]) {
    expect(text).not.toContain(left);
  }
  const writes = api.requests.length;
  await textOf(api);
  expect(new Set(api.requests.slice(writes).map(({ method }) => method))).toEqual(new Set(["GET"]));
});

test("MC13 [+], MC19 [+]: a check with a snapshot has the cluster's kinds, policies and release", async () => {
  await using api = await startApiServer({ version: "1.36" });
  await filled(api);
  const snapshot = parseSnapshot(await textOf(api));
  const report = await check(
    [
      { name: "a", text: configMap("a") },
      { name: "b", text: widget("{size: 11}") },
    ],
    { snapshot },
  );
  expect(report.versions).toEqual(["1.36"]);
  expect(report.findings).toMatchObject([
    {
      rule: "policy",
      location: { source: "a" },
      related: [{ message: "expression of ValidatingAdmissionPolicy team" }],
    },
    { rule: "field-invalid", location: { source: "b" } },
  ]);
  // A definition of the input replaces that of the cluster.
  const wider = widgets.replace("self.size < 10", "self.size < 20");
  const changed = await check(
    [
      { name: "b", text: widget("{size: 11}") },
      { name: "c", text: wider },
    ],
    {
      snapshot,
    },
  );
  expect(changed.findings).toEqual([]);
});

test("MC19 [+]: kinds that the cluster does not serve are errors, and kinds without a definition are skipped", async () => {
  await using api = await startApiServer();
  const snapshot = parseSnapshot(await textOf(api));
  const { "batch/v1": _batch, ...served } = snapshot.served;
  const other = {
    ...snapshot,
    served: { ...served, "batch/v2": ["Job"], "metrics.example.com/v1": ["Load"] },
  };
  const job = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "a", namespace: "b" } };
  const load = { apiVersion: "metrics.example.com/v1", kind: "Load", metadata: { name: "a" } };
  const { findings, summary } = await check([job, load], { snapshot: other });
  expect(findings[0]).toMatchObject({
    rule: "unknown-version",
    message: "the cluster of the snapshot does not serve batch/v1 Job",
    hint: "use batch/v2",
  });
  expect(summary.skippedBy).toEqual({ "served by the cluster without a definition": 1 });
  const { findings: without } = await check(load);
  expect(without.map(({ rule }) => rule)).toEqual(["unknown-kind"]);
});

test("MC19 [+]: bindings with Secrets as params are noted and not evaluated, unless the input has the Secret", async () => {
  const secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "teams", namespace: "prod" },
    stringData: { team: "web" },
  };
  await using api = await startApiServer();
  await using client = await api.client();
  await client.applyAll(
    cluster.replace(
      "paramKind: {apiVersion: v1, kind: ConfigMap}",
      "paramKind: {apiVersion: v1, kind: Secret}",
    ),
    { fieldManager: "test" },
  );
  await client.apply(secret, { fieldManager: "test" });
  const snapshot = parseSnapshot(await textOf(api));
  const report = await check(configMap("a"), { snapshot });
  expect([report.findings, report.notes]).toEqual([
    [],
    [
      "ValidatingAdmissionPolicyBinding team of the snapshot is not evaluated: its params are Secrets, which a snapshot never has",
    ],
  ]);
  // With the Secret, the policy is evaluated.
  const given = await check([{ name: "a", text: configMap("a") }, secret], { snapshot });
  expect([given.findings.map(({ rule }) => rule), given.notes]).toEqual([["policy"], []]);
});

test("MC19 [+]: what the user may not list is named", async () => {
  await using api = await startApiServer({ authorization: "RBAC" });
  await using client = await api.client({ as: { name: "jane" } });
  const { notes, objects, served } = await snapshotCluster(client);
  expect(notes.some((note) => note.startsWith("v1 Namespace could not be read: "))).toBe(true);
  expect(objects).toEqual([]);
  expect(Object.keys(served)).toContain("apps/v1");
});

test("MC19 [+]: other texts are refused with the way out", async () => {
  for (const text of ["a: 1", "kind: [", "kind: ClusterSnapshot\nformat: 0"]) {
    expect(() => parseSnapshot(text, "s.yaml")).toThrow(/s\.yaml/);
  }
  const old = { version: "1.20", served: {}, objects: [], notes: [] };
  await expect(check(configMap("a"), { snapshot: old })).rejects.toThrow(/1\.20/);
  expect((await check(configMap("a"), { snapshot: old, version: "1.33" })).versions).toEqual([
    "1.33",
  ]);
});

test("MC19 [+]: --from-cluster writes the file, --snapshot and the configuration read it", async () => {
  await using api = await startApiServer();
  await filled(api);
  const listener = await api.listen();
  const folder = await mkdtemp(join(tmpdir(), "typekube-snapshot-"));
  const run = (...args: string[]) => runCheck(folder, args);
  try {
    await listener.writeKubeconfig(join(folder, "config"));
    await writeFile(join(folder, "a.yaml"), configMap("a"));
    const config = ["--kubeconfig", join(folder, "config")];
    expect(await run("--from-cluster", ...config)).toMatchObject({
      code: 2,
      err: expect.stringContaining("--snapshot FILE"),
    });
    // Another file is never overwritten, and the cluster not asked.
    const asked = api.requests.length;
    const refused = await run("--from-cluster", "--snapshot", "a.yaml", ...config);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("name another file")]);
    expect(await readFile(join(folder, "a.yaml"), "utf8")).toBe(configMap("a"));
    expect(api.requests.length).toBe(asked);
    const wrote = await run("--from-cluster", "--snapshot", "s.yaml", ...config);
    expect(wrote).toMatchObject({ code: 0, out: "" });
    expect(wrote.err).toContain("Kubernetes 1.37, 9 definitions, policies, params and namespaces");
    const first = await readFile(join(folder, "s.yaml"), "utf8");
    const checked = await run(".", "--snapshot", "s.yaml", "--ignore", "config");
    expect(checked.code).toBe(1);
    expect(checked.out).toContain("error policy ");
    expect(checked.out).toContain("1 checked: 0 valid, 1 invalid");
    const both = await run("a.yaml", "--from-cluster", "--snapshot", "s.yaml", ...config);
    expect([both.code, both.out]).toEqual([1, checked.out]);
    expect(await readFile(join(folder, "s.yaml"), "utf8")).toBe(first);
    await writeFile(join(folder, "typekube.check.yaml"), "snapshot: s.yaml\n");
    expect((await run("a.yaml")).out).toBe(checked.out);
    // The configuration in use and snapshots are no manifests, also a snapshot that is not in use.
    await writeFile(join(folder, "old.yaml"), first);
    expect((await run(".", "--ignore", "config")).out).toBe(checked.out);
    const missing = await run("a.yaml", "--snapshot", "missing.yaml");
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining("cannot be read")]);
    await api.close();
    expect((await run("--from-cluster", "--snapshot", "t.yaml", ...config)).code).toBe(3);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
