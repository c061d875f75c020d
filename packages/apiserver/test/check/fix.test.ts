import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { configMap } from "./lines-of.js";
import { runCheck } from "./run-check.js";

/** The file that cannot be written; permissions do not stop an administrator. */
const writeFault = vi.hoisted(() => ({ path: "" }));

vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  const faulty: typeof real.writeFile = async (file, ...rest) => {
    if (file === writeFault.path) {
      throw new Error("EACCES: permission denied");
    }
    return real.writeFile(file, ...rest);
  };
  return { ...real, writeFile: faulty };
});

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "typekube-fix-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const cronJob = `# A comment
apiVersion: "batch/v1beta1"   # since 1.8
kind: CronJob
metadata: {name: nightly, namespace: prod, annotations: {note: batch/v1beta1}}
spec:
  schedule: "0 3 * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers: [{name: a, image: b}]
`;

async function fixed(bytes: Uint8Array | string, ...args: readonly string[]) {
  const path = join(folder, "a.yaml");
  await writeFile(path, bytes);
  const ran = await runCheck(folder, ["a.yaml", "--fix", ...args], bytes);
  return { ...ran, after: await readFile(path) };
}

test("MC34 [+]: --fix changes the bytes of the apiVersion alone, and the report is that of the new file", async () => {
  const list = `apiVersion: v1\r\nkind: List\r\nitems:\r\n- apiVersion: rbac.authorization.k8s.io/v1beta1\r\n  kind: Role\r\n  metadata: {name: \u00e4, namespace: prod}\r\n`;
  const text = `\ufeff${cronJob}---\n${configMap("a")}---\n${list.replace("\u00e4", "r")}`;
  const { code, out, err, after } = await fixed(text);
  expect(after.toString()).toBe(
    text
      .replace('apiVersion: "batch/v1beta1"', 'apiVersion: "batch/v1"')
      .replace("rbac.authorization.k8s.io/v1beta1", "rbac.authorization.k8s.io/v1"),
  );
  expect(err).toBe(
    "fixed a.yaml:2:13 batch/v1beta1 is now batch/v1 (CronJob nightly)\n" +
      "fixed a.yaml:23:15 rbac.authorization.k8s.io/v1beta1 is now rbac.authorization.k8s.io/v1 (Role r)\n",
  );
  expect([code, out]).toEqual([0, "3 checked: 3 valid\n"]);
  expect((await fixed(after)).err).toBe("");
});

test("MC34 [+]: kinds whose fields changed stay, and --fix says why", async () => {
  const budget = `apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: a, namespace: prod}\nspec: {minAvailable: 1}\n`;
  const security = `apiVersion: policy/v1beta1\nkind: PodSecurityPolicy\nmetadata: {name: a}\n`;
  const text = `${budget}---\n${security}`;
  const { code, err, after } = await fixed(text);
  expect(after.toString()).toBe(text);
  expect(err).toContain(
    "not fixed a.yaml:1:13 fields changed in policy/v1: an empty spec.selector selects every pod",
  );
  expect(err).toContain("not fixed a.yaml:6:13 it has no replacement");
  expect(code).toBe(1);
});

test("MC34 [+]: an object that does not fit the replacement stays", async () => {
  const unknown = cronJob.replace("  schedule:", "  scheduel: x\n  schedule:");
  const { err, after } = await fixed(unknown);
  expect(after.toString()).toBe(unknown);
  expect(err).toContain(
    'it does not fit batch/v1: unknown field "spec.scheduel" (CronJob nightly)',
  );
});

test("MC34 [+]: standard input, UTF-16 and versions that a list alone names stay", async () => {
  expect((await fixed(cronJob, "-")).err).toContain(
    "not fixed -:2:13 its apiVersion is not written",
  );
  const wide = Buffer.from(`\ufeff${cronJob}`, "utf16le");
  const { err, after } = await fixed(wide);
  expect(after.equals(wide)).toBe(true);
  expect(err).toContain("not fixed a.yaml:2:13 its apiVersion is not written in a file of UTF-8");
  const bare = `apiVersion: batch/v1beta1\nkind: CronJobList\nitems:\n- ${cronJob
    .split("\n")
    .slice(3, -1)
    .join("\n  ")}\n`;
  const list = await fixed(bare);
  expect(list.after.toString()).toBe(bare);
  expect(list.err).toContain("not fixed");
});

test("MC34 [+]: a version with an anchor stays, with all that its aliases have", async () => {
  const anchored = cronJob.replace('"batch/v1beta1"', "&v batch/v1beta1");
  const second = cronJob.replace('"batch/v1beta1"', "*v").replace("nightly", "other");
  const items = [anchored, second].map((one) => `- ${one.split("\n").slice(1, -1).join("\n  ")}\n`);
  const data =
    "- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a, namespace: prod}\n  data: {v: *v}\n";
  const free = `- ${cronJob.replace("nightly", "free").split("\n").slice(1, -1).join("\n  ")}\n`;
  const text = `apiVersion: v1\nkind: List\nitems:\n${items.join("")}${data}${free}`;
  const { err, after } = await fixed(text);
  expect(after.toString()).toBe(text.replace('"batch/v1beta1"', '"batch/v1"'));
  expect(
    err.match(/^not fixed .* has an anchor.*\((?:CronJob nightly|CronJob other)\)$/gm),
  ).toHaveLength(2);
  expect(err).toContain("batch/v1beta1 is now batch/v1 (CronJob free)");
  const merged = `apiVersion: v1\nkind: List\nitems:\n- &base\n  ${cronJob.split("\n").slice(1, -1).join("\n  ")}\n- <<: *base\n  metadata: {name: b, namespace: prod}\n`;
  const stays = await fixed(merged);
  expect(stays.after.toString()).toBe(merged);
  expect(stays.err.match(/^not fixed/gm)).toHaveLength(2);
});

test("MC34 [+]: a file that cannot be written is an outcome, and the others are rewritten", async () => {
  const blocked = join(folder, "a-blocked.yaml");
  const path = join(folder, "b.yaml");
  await writeFile(path, cronJob);
  await writeFile(blocked, cronJob.replace("nightly", "blocked"));
  writeFault.path = blocked;
  try {
    const { err, out, code } = await runCheck(folder, ["a-blocked.yaml", "b.yaml", "--fix"]);
    expect(err).toMatch(
      /^not fixed a-blocked\.yaml:2:13 the file could not be written: .*\(CronJob blocked\)$/m,
    );
    expect(err).toMatch(/^fixed b\.yaml:2:13 /m);
    expect([code, out]).toEqual([1, expect.stringContaining("removed-api")]);
  } finally {
    writeFault.path = "";
  }
});
