import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { programName } from "../../src/write/default-field-manager.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "typekube-names-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function write(path: string, content = ""): Promise<string> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  return file;
}

it("uses the name of the main module's package", async () => {
  await write("a/package.json", '{ "name": "@acme/operator" }');
  await write("a/dist/package.json", '{ "type": "module" }');
  expect(await programName(await write("a/dist/index.js"))).toBe("@acme/operator");
});

it("uses the name of a command's own package, which npm links to", async () => {
  await write("b/package.json", '{ "name": "project" }');
  await write("b/node_modules/tool/package.json", '{ "name": "tool" }');
  const main = await write("b/node_modules/tool/cli.js");
  await mkdir(join(folder, "b/node_modules/.bin"));
  const link = join(folder, "b/node_modules/.bin/tool");
  await symlink(main, link);
  expect(await programName(link)).toBe("tool");
});

it("without a package, uses the file name without extension, or the folder name for index", async () => {
  expect(await programName(await write("c/sync-quotas.mjs"))).toBe("sync-quotas");
  expect(await programName(await write("c/janitor/index.ts"))).toBe("janitor");
  await write("d/package.json", "not JSON");
  expect(await programName(await write("d/run.js"))).toBe("run");
});

it("uses typekube for a program without a file", async () => {
  expect(await programName(undefined)).toBe("typekube");
});

it("reduces the name to printable characters and at most 128 bytes", async () => {
  await write("e/package.json", JSON.stringify({ name: `a\u0007 b${"ü".repeat(100)}` }));
  const name = await programName(await write("e/main.js"));
  expect(name).toBe(`ab${"ü".repeat(63)}`);
});

it("two programs without a fieldManager conflict", async () => {
  const source = (value: string) => `
    import { startApiServer } from "@typekube/apiserver";
    import { connect } from "typekube";
    import { applyConflicts } from "typekube/fields";
    import { ConfigMap } from "typekube/api/core/v1";
    const [, , server] = process.argv;
    const api = server ? undefined : await startApiServer();
    const listener = await api?.listen({ tls: false, anonymous: true });
    const client = await connect({ server: server ?? listener.server });
    try {
      await client.resource(ConfigMap, "default").apply({ metadata: { name: "a" }, data: { k: "${value}" } });
    } catch (error) {
      console.log(applyConflicts(error).map(({ manager }) => manager).join());
    }
    if (api) {
      const { execFileSync } = await import("node:child_process");
      const { promisify } = await import("node:util");
      const { execFile } = await import("node:child_process");
      const { stdout } = await promisify(execFile)(process.execPath, [...process.execArgv, process.env.SECOND, listener.server]);
      console.log(stdout.trim());
      await api.close();
    }
    await client.close();
  `;
  const root = join(import.meta.dirname, "..", "..", "..", "..");
  const own = join(root, "packages/typekube/test", `.programs-${process.pid}`);
  await mkdir(join(own, "one"), { recursive: true });
  await mkdir(join(own, "two"), { recursive: true });
  try {
    await writeFile(join(own, "one/package.json"), '{ "name": "one", "type": "module" }');
    await writeFile(join(own, "two/package.json"), '{ "name": "two", "type": "module" }');
    await writeFile(join(own, "one/main.ts"), source("1"));
    await writeFile(join(own, "two/main.ts"), source("2"));
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--conditions=@typekube/source", "--import", "tsx", join(own, "one/main.ts")],
      { cwd: root, env: { ...process.env, SECOND: join(own, "two/main.ts") } },
    );
    expect(stdout.trim()).toBe("one");
  } finally {
    await rm(own, { recursive: true });
  }
});
