import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { checkCommand } from "@typekube/apiserver/check/command";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { configMap, widget, widgets } from "./lines-of.js";

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "typekube-check-"));
  await put({
    "good/a.yaml": configMap("a"),
    "good/deep/b.yml": configMap("b"),
    "good/c.json": JSON.stringify({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "c", namespace: "prod" },
    }),
    "good/README.md": "kind: [",
    "good/.hidden/x.yaml": "kind: [",
    "good/node_modules/x.yaml": "kind: [",
    "bad/a.yaml": configMap("a", "dta: {}\n"),
    "warned/a.yaml": configMap("a", '  uid: "1"\n'),
    "empty/a.yaml": "# nothing\n",
  });
  await symlink("..", join(folder, "good/deep/loop"), "junction");
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

async function run(args: readonly string[], input = "", color = false) {
  let [out, errors] = ["", ""];
  const code = await checkCommand(args, {
    folder,
    write: (text) => {
      out += text;
    },
    writeError: (text) => {
      errors += text;
    },
    readInput: async () => Buffer.from(input),
    color,
  });
  return { code, out, errors };
}

describe("typekube check", () => {
  test("MC53: a report never overwrites a file that is checked, under any name", async () => {
    await put({ "kept/a.yaml": configMap("a") });
    await symlink("a.yaml", join(folder, "kept/link"));
    for (const file of ["kept/a.yaml", "kept/link", "./kept/../kept/a.yaml"]) {
      const { code, out, errors } = await run(["kept", "--output", `json=${file}`]);
      expect([code, out, errors]).toEqual([2, "", expect.stringContaining("name another file")]);
    }
    expect(await readFile(join(folder, "kept/a.yaml"), "utf8")).toBe(configMap("a"));
    expect((await run(["kept", "--output", "json=kept/report.json"])).code).toBe(0);
    const ignored = ["--output", "json=kept/report.json", "--ignore", "kept/report.json"];
    expect((await run(["kept", ...ignored])).code).toBe(0);
  });

  test("MC1: files, folders, patterns and standard input; hidden folders and node_modules are skipped, link loops end", async () => {
    expect(await run(["good"])).toEqual({ code: 0, out: "3 checked: 3 valid\n", errors: "" });
    expect((await run(["good/*.yaml"])).out).toBe("1 checked: 1 valid\n");
    expect((await run(["good/**/*.y*ml", "good/c.json", "good"])).out).toBe("3 checked: 3 valid\n");
    expect((await run(["good", "--ignore", "good/deep/**"])).out).toBe("2 checked: 2 valid\n");
    expect((await run(["-"], configMap("x"))).out).toBe("1 checked: 1 valid\n");
    const url = await run(["https://example.com/a.yaml"]);
    expect([url.code, url.errors]).toEqual([2, expect.stringContaining("nothing is downloaded")]);
  });

  test("MC10, MC57: no input is exit code 2, errors are 1, warnings 0 unless they shall fail", async () => {
    expect((await run([])).code).toBe(2);
    expect(await run(["empty"])).toMatchObject({
      code: 2,
      errors: expect.stringContaining("nothing to check"),
    });
    expect((await run(["missing"])).code).toBe(2);
    expect((await run(["nothing/*.yaml"])).code).toBe(2);
    expect((await run(["good", "--verison", "1.37"])).code).toBe(2);
    expect(await run(["good", "--version", "1.20"])).toMatchObject({
      code: 2,
      errors: expect.stringContaining("1.33 to 1.37"),
    });
    expect((await run(["bad"])).code).toBe(1);
    expect((await run(["warned"])).code).toBe(0);
    expect((await run(["warned", "--fail-on", "warning"])).code).toBe(1);
    expect((await run(["warned", "--max-warnings", "0"])).code).toBe(1);
    expect((await run(["warned", "--max-warnings", "1"])).code).toBe(0);
    await put({ "latin/a.yaml": "" });
    await writeFile(join(folder, "latin/a.yaml"), Buffer.from("a: \xff\n", "latin1"));
    expect(await run(["latin"])).toMatchObject({
      code: 2,
      errors: expect.stringContaining("latin/a.yaml"),
    });
  });

  test("MC50 [+]: findings are quoted with a caret, and coloured only on a terminal", async () => {
    const { out } = await run(["bad", "good", "--ignore", "good/c.json"]);
    expect(
      out.split("good/")[0],
    ).toBe(`bad/a.yaml:6:1 error unknown-field unknown field "dta" (ConfigMap a)
    dta: {}
    ^^^
    did you mean data?
`);
    expect(out).toContain("3 checked: 1 valid, 2 invalid\n");
    expect((await run(["bad"], "", true)).out).toContain("\u001b[31merror\u001b[0m");
  });

  test("MC52, MC58: JSON has all results and a summary; NDJSON streams", async () => {
    const report = JSON.parse(
      (await run(["good/c.json", "bad", "warned", "--output", "json"])).out,
    );
    expect(report).toMatchObject({
      version: 1,
      versions: ["1.37"],
      summary: { checked: 3, valid: 1, invalid: 2 },
    });
    expect(report.results).toHaveLength(3);
    const lines = (await run(["good", "-o", "ndjson"])).out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(4);
    expect(lines.at(-1)).toMatchObject({ summary: { valid: 3 } });
  });

  test("MC55, MC56: standard output has one report, and others go to files", async () => {
    const { out, errors } = await run([
      "bad",
      "--output",
      "json",
      "--output",
      "sarif=reports/check.sarif",
    ]);
    expect(JSON.parse(out).summary.invalid).toBe(1);
    expect(errors).toBe("");
    const sarif = await readFile(join(folder, "reports/check.sarif"), "utf8");
    expect(JSON.parse(sarif).version).toBe("2.1.0");
  });

  test("MC13 [+], MC18 [+]: definitions and releases from the command line", async () => {
    await put({ "crds/widgets.yaml": widgets, "custom/w.yaml": widget("{size: 1}") });
    expect((await run(["custom"])).code).toBe(1);
    expect((await run(["custom", "--crds", "crds"])).code).toBe(0);
    const { out } = await run(["bad", "--version", "1.35..1.37"]);
    expect(out).toContain("[1.35, 1.36, 1.37]");
    expect(out).toContain("note: Kubernetes 1.35, 1.36: checked with the schemas of 1.37");
  });

  test("MC29 [+]: old manifests come from a folder or a git revision", async () => {
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], {
        cwd: join(folder, "repo"),
        stdio: "pipe",
      });
    await put({
      "repo/w.yaml": widget("{size: 5}"),
      "repo/crd.yaml": widgets,
      "old/w.yaml": widget("{size: 5}"),
    });
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "a");
    await put({ "repo/w.yaml": widget("{size: 3}") });
    const check = (against: string) => run(["repo", "--against", against]);
    expect((await check("old")).out).toContain("may not shrink");
    const inRepository = async (against: string) => {
      const before = folder;
      folder = join(before, "repo");
      try {
        return await run([".", "--against", against]);
      } finally {
        folder = before;
      }
    };
    expect((await inRepository("git:HEAD")).out).toContain("may not shrink");
    expect(await inRepository("git:nope")).toMatchObject({ code: 2 });
    expect(await inRepository("git:--output=x")).toMatchObject({ code: 2 });
  });

  test("MC70, MC71: the nearest configuration is read and checked, with severities by path and kind", async () => {
    const config = (text: string) =>
      put({
        "configured/typekube.check.yaml": text,
        "configured/a.yaml": configMap("a", '  uid: "1"\n'),
      });
    const inFolder = async (...args: readonly string[]) => {
      const before = folder;
      folder = join(before, "configured");
      try {
        return await run(["a.yaml", ...args]);
      } finally {
        folder = before;
      }
    };
    await config("rules: {server-field: error}\n");
    expect((await inFolder()).code).toBe(1);
    expect((await inFolder("--no-config")).code).toBe(0);
    await config(
      "rules: {server-field: error}\noverrides:\n- {kinds: [ConfigMap], paths: ['*.yaml'], rules: {server-field: 'off'}}\n",
    );
    expect(await inFolder()).toMatchObject({ code: 0, out: "1 checked: 1 valid\n" });
    await config("ruels: {}\n");
    expect(await inFolder()).toMatchObject({ code: 2, errors: expect.stringContaining("ruels") });
    await config("rules: {no-such-rule: error}\n");
    expect(await inFolder()).toMatchObject({
      code: 2,
      errors: expect.stringContaining("no-such-rule"),
    });
  });
});
