import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { checkRules, parseLifecycles } from "@typekube/apiserver/check";
import { checkCommand } from "@typekube/apiserver/check/command";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { exampleFolder, pageExamples } from "./page-examples.js";

const execute = promisify(execFile);
const text = await readFile(new URL("../../../docs/check.md", import.meta.url), "utf8");

let log: unknown[][] = [];
let folder = "";
beforeEach(async () => {
  log = [];
  vi.spyOn(console, "log").mockImplementation((...values) => void log.push(values));
  folder = await mkdtemp(join(tmpdir(), "typekube-check-page-"));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

/** Expected output of each example. */
const printed: Readonly<Record<string, unknown[][]>> = {
  "In a program 1": [
    [
      "field-invalid",
      8,
      17,
      'spec.ports[0].targetPort: Invalid value: "80": must contain at least one letter (a-z)',
    ],
    ["1 checked: 0 valid, 1 invalid"],
  ],
  "In a program 2": [
    [false, "wrong-type", "the value is a number, but must be a string: put it in quotes"],
  ],
  "In a program 3": [
    [
      '[InvalidArgument] nothing was applied, because the manifests have 1 error: line 1, column 59: unknown-field: unknown field "dta"',
    ],
    [0],
  ],
  "Kinds and releases": [[["1.36"]]],
  "Policies 1": [
    [
      "policy",
      "configmaps \"a\" is forbidden: ValidatingAdmissionPolicy 'team' with binding 'team' denied request: a team is missing",
    ],
  ],
  "Policies 2": [
    ["a", true, undefined],
    ["b", false, "ValidatingAdmissionPolicy 'few' with binding 'few' denied request: at most 5"],
    ["1 of 2"],
  ],
};

const page = await pageExamples("check.md");
const runnable = page.filter(({ title }) => title !== "With vitest");
const vitestFolder = await exampleFolder();
afterAll(() => vitestFolder[Symbol.asyncDispose]());

// The test of this example becomes a test of this file.
await vitestFolder.run(page.find(({ title }) => title === "With vitest")?.code ?? "");

it.each(runnable)("the example of check.md runs: $title", async ({ title, code }) => {
  await using examples = await exampleFolder();
  await examples.run(code);
  expect(log).toEqual(printed[title]);
});

it("every example of the page is checked", () => {
  expect(runnable.map(({ title }) => title)).toEqual(Object.keys(printed));
  expect(page).toHaveLength(runnable.length + 1);
});

it("the page lists every rule with its severity", () => {
  const rows = Object.entries(checkRules).map(
    ([rule, { severity, description }]) => `| \`${rule}\` | ${severity} | ${description} |`,
  );
  expect(
    text.split("\n").filter((line) => /^\| `[\w-]+` \| (?:error|warning|note) \|/.test(line)),
  ).toEqual(rows);
});

const good = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: shop}\n";

async function run(command: string, files: Readonly<Record<string, string>>, input = "") {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  const [, args = ""] = /npx typekube check ?(.*)/.exec(command) ?? [];
  let out = "";
  const write = (piece: string) => {
    out += piece;
  };
  const code = await checkCommand(
    args.split(" ").filter((one) => one !== ""),
    {
      folder,
      write,
      writeError: write,
      readInput: async () => Buffer.from(input),
    },
  );
  return { code, out };
}

it("the first example prints what the page shows", async () => {
  const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  replcas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
      - name: web
        image: nginx
        ports:
        - containerPort: 70000
`;
  const { code, out } = await run("npx typekube check deploy/", { "deploy/web.yaml": deployment });
  expect(code).toBe(1);
  const [, shown] = /^```text\n([\s\S]*?)^```$/m.exec(text) ?? [];
  expect(out).toBe(shown);
});

it("MC36 [+]: the lifecycles of the page are valid", () => {
  const [, json = ""] = /^```json\n([\s\S]*?)^```$/m.exec(text) ?? [];
  expect(Object.keys(parseLifecycles(json))).toEqual(["example.com/v1beta1 Plant"]);
});

it("MC34 [+]: --fix prints what the page shows", async () => {
  const job = `apiVersion: batch/v1beta1
kind: CronJob
metadata: {name: nightly, namespace: shop}
spec:
  schedule: "0 3 * * *"
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: b}]}}}}
`;
  const budget = `apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata: {name: web, namespace: shop}
spec: {minAvailable: 1}
`;
  const files = { "deploy/job.yaml": job, "deploy/budget.yaml": budget };
  const { out } = await run("npx typekube check deploy/ --fix", files);
  const [, shown = ""] = /^```text\n(fixed [\s\S]*?)^```$/m.exec(text) ?? [];
  const lines = shown.trim().split("\n");
  expect(lines).toHaveLength(2);
  expect(out.split("\n")).toEqual(expect.arrayContaining(lines));
});

it("MC76: the commands of the CI recipes run", async () => {
  const recipes = [...text.matchAll(/(?:run:|-|entry:|\|) (npx typekube check.*)$/gm)].map(
    ([, command = ""]) => command,
  );
  expect(recipes).toHaveLength(4);
  for (const command of recipes) {
    const whole = command.endsWith("check") ? `${command} deploy/a.yaml` : command;
    expect(await run(whole, { "deploy/a.yaml": good }, good), command).toMatchObject({ code: 0 });
  }
  const report = JSON.parse(await readFile(join(folder, "gl-code-quality-report.json"), "utf8"));
  expect(report).toEqual([]);
});

it("MC70, MC72: the configuration and the exception of the page are valid", async () => {
  const blocks = [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
  const [config = "", exception = ""] = blocks;
  const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: plants.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: plants, kind: Plant}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`;
  const files = {
    "typekube.check.yaml": config,
    "crds/a.yaml": definition,
    "deploy/a.yaml": exception,
  };
  expect(await run("npx typekube check deploy/ --namespace shop", files)).toMatchObject({
    code: 0,
    out: expect.stringContaining("1 checked: 1 valid, 1 findings accepted by exceptions"),
  });
});

it("MC83 [+]: check() loads no module for files, processes or sockets of its own", async () => {
  const code = `import { check } from "@typekube/apiserver/check"; console.log((await check("{}")).valid)`;
  await using examples = await exampleFolder();
  await examples.run(code);
  expect(log).toEqual([[false]]);
  const sources = await execute("grep", [
    "-rlE",
    'from "node:(?:fs|child_process|net|http|https)',
    new URL("../../apiserver/src/check", import.meta.url).pathname,
  ]);
  expect(
    sources.stdout
      .trim()
      .split("\n")
      .every((file) => file.includes("/check/command/")),
  ).toBe(true);
});
