import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { extractFacts } from "./extraction.js";
import { describeChanges } from "./fact-changes.js";
import { type Facts, readFacts } from "./facts.js";
import { rulesDeclaredUpstream } from "./field-rules-module.js";
import { differences, readFolder, writeFolders } from "./folder.js";
import { retargetGoHalf } from "./go-modules.js";
import { handWrittenRules } from "./hand-written-rules.js";
import { generatedFolders, modules } from "./modules.js";

const packages = join(import.meta.dirname, "../..");
const codegen = join(packages, "codegen");
const committed = join(codegen, "facts");
const goFolder = join(codegen, "go");

const { values: options } = parseArgs({
  options: {
    check: { type: "boolean", default: false },
    "skip-go": { type: "boolean", default: false },
    kubernetes: { type: "string" },
    output: { type: "string" },
  },
});
if (options.check) {
  process.exitCode = checkCommitted();
} else if (options.output === undefined) {
  generate(options.kubernetes);
} else {
  tryRelease(options.kubernetes, resolve(options.output));
}

/** Writes facts and modules; those of another release when one is given, for which the Go half is changed. */
function generate(release: string | undefined): void {
  const before = release === undefined ? undefined : readFacts(committed);
  if (release !== undefined) {
    retargetGoHalf(goFolder, goFolder, release);
  }
  console.log(goHalf(goFolder, committed));
  const facts = readFacts(committed);
  const files = modules(facts);
  writeFolders(packages, generatedFolders, files);
  console.log(`TypeScript: ${files.size} modules.`);
  for (const row of rulesDeclaredUpstream(facts)) {
    console.log(`field-rules: upstream declares ${row}: remove the row, and compare the messages`);
  }
  if (before !== undefined) {
    report(before, facts);
  }
}

/** Writes the facts of a release into a folder, and changes nothing else. */
function tryRelease(release: string | undefined, output: string): void {
  const scratch = mkdtempSync(join(tmpdir(), "typekube-go-"));
  try {
    if (release !== undefined) {
      retargetGoHalf(goFolder, scratch, release);
    }
    console.log(goHalf(release === undefined ? goFolder : scratch, output));
    report(readFacts(committed), readFacts(output));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Prints what to review by hand after a move from one release to another. */
function report(before: Facts, after: Facts): void {
  console.log(`\nKubernetes ${before.release} -> ${after.release}\n`);
  console.log(describeChanges(before, after).join("\n"));
  const rules = handWrittenRules(packages, before.release);
  console.log(`\nHand-written lines that name ${before.release}, to review: ${rules.length}`);
  console.log(rules.join("\n"));
}

function checkCommitted(): number {
  const scratch = mkdtempSync(join(tmpdir(), "typekube-facts-"));
  try {
    console.log(goHalf(goFolder, join(scratch, "facts")));
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

function goHalf(folder: string, output: string): string {
  if (options["skip-go"]) {
    return "Go half: skipped (--skip-go); the committed facts are used.";
  }
  const extraction = extractFacts(folder, output);
  return extraction.ran ? "Go half: ran." : `Go half: did not run. ${extraction.reason}`;
}
