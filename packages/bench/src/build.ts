import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Compiles this package and those that it measures, as far as they changed.
 *
 * @returns what the compiler complains of; it writes its output all the same.
 */
export function buildPackages(): string {
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const { stdout, stderr, error } = spawnSync(
    process.execPath,
    [compiler, "-b", "packages/bench"],
    { cwd: root, encoding: "utf8" },
  );
  return [error?.message, stdout, stderr].filter(Boolean).join("\n").trim();
}
