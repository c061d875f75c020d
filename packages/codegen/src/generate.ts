import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { extractFacts } from "./extraction.js";
import { readFacts } from "./facts.js";
import { differences, readFolder, writeFolders } from "./folder.js";
import { generatedFolders, modules } from "./modules.js";

const packages = join(import.meta.dirname, "../..");
const codegen = join(packages, "codegen");
const committed = join(codegen, "facts");

const check = process.argv.includes("--check");
const skipGo = process.argv.includes("--skip-go");
if (check) {
  process.exitCode = checkCommitted();
} else {
  generate();
}

function generate(): void {
  console.log(goHalf(committed));
  const files = modules(readFacts(committed));
  writeFolders(packages, generatedFolders, files);
  console.log(`TypeScript: ${files.size} modules.`);
}

function checkCommitted(): number {
  const scratch = mkdtempSync(join(tmpdir(), "typekube-facts-"));
  try {
    console.log(goHalf(join(scratch, "facts")));
    const fresh = readFolder(scratch, "facts");
    const stale = fresh.size === 0 ? [] : differences(fresh, readFolder(codegen, "facts"));
    const expected = modules(readFacts(fresh.size === 0 ? committed : join(scratch, "facts")));
    const actual = new Map(generatedFolders.flatMap((folder) => [...readFolder(packages, folder)]));
    const changed = [
      ...stale.map((path) => `packages/codegen/${path}`),
      ...differences(expected, actual).map((path) => `packages/${path}`),
    ];
    for (const path of changed) {
      console.error(`differs: ${path}`);
    }
    console.log(
      changed.length === 0
        ? `TypeScript: ${expected.size} modules are as committed.`
        : `${changed.length} files differ: run "pnpm generate" and commit what changes.`,
    );
    return changed.length === 0 ? 0 : 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function goHalf(output: string): string {
  if (skipGo) {
    return "Go half: skipped (--skip-go); the committed facts are used.";
  }
  const extraction = extractFacts(join(codegen, "go"), output);
  return extraction.ran ? "Go half: ran." : `Go half: did not run. ${extraction.reason}`;
}
