import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * Builds this package and the packages that it measures, bundled as they are published.
 *
 * @returns errors of the compiler and the bundler; the compiler writes its output even when it reports errors.
 */
export function buildPackages(): string {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  return [run(compiler, "-b", "packages/bench"), run(join(root, ".ci/bundle.mjs"))]
    .filter(Boolean)
    .join("\n");
}

function run(...command: readonly string[]): string {
  const { stdout, stderr, error } = spawnSync(process.execPath, command, {
    cwd: root,
    encoding: "utf8",
  });
  return [error?.message, stdout, stderr].filter(Boolean).join("\n").trim();
}
