// Builds the documentation site into docs/.vitepress/dist: the guides of docs/ and an API reference that TypeDoc writes into
// docs/reference. The first run installs the tools.
//
//   node .ci/docs-site.mjs
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const docs = fileURLToPath(new URL("../docs/", import.meta.url));

function run(command, args) {
  const startedAt = performance.now();
  const { status } = spawnSync(command, args, { cwd: docs, stdio: "inherit" });
  if (status !== 0) {
    process.exit(status ?? 1);
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${[command, ...args].join(" ")}: ${seconds} s`);
}

if (!existsSync(`${docs}node_modules`)) {
  run("npm", ["ci", "--ignore-scripts", "--loglevel=error"]);
}
rmSync(`${docs}reference`, { recursive: true, force: true });
run("npx", ["typedoc", "--options", ".vitepress/typedoc.json", "--logLevel", "Warn"]);
run("npx", ["vitepress", "build"]);
