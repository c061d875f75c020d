// Checks that the README contains the demo's output, the first steps as they run, and the list of examples with their
// purposes. `--write` updates the README; without it a difference fails.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const root = new URL("../", import.meta.url);
const readmePath = new URL("README.md", root);
const readme = readFileSync(readmePath, "utf8");

function runExample(file) {
  const options = { cwd: root, encoding: "utf8", timeout: 120_000 };
  return execFileSync(
    process.execPath,
    ["--import", "tsx", "--conditions=@typekube/source", `examples/${file}`],
    options,
  );
}

function region(file) {
  const source = readFileSync(new URL(`examples/${file}`, root), "utf8");
  const match = /\/\/ #region README\n([\s\S]*?)\/\/ #endregion/.exec(source);
  if (!match) {
    throw new Error(`examples/${file} has no region README`);
  }
  return match[1];
}

/** Replaces the text between the fences that follow a marker. */
function withBlock(text, marker, content) {
  const start = `<!-- ${marker}: written by .ci/check-readme.mjs -->\n`;
  const from = text.indexOf("\n", text.indexOf(start) + start.length) + 1;
  const to = text.indexOf("```", from);
  if (!text.includes(start) || to < 0) {
    throw new Error(`README.md has no block "${marker}"`);
  }
  return text.slice(0, from) + content + text.slice(to);
}

/** Returns a list line for each example, with the first sentence of its opening comment. */
function exampleList() {
  const files = readdirSync(new URL("examples/", root)).filter((name) => name.endsWith(".ts"));
  return files.sort().map((file) => {
    const source = readFileSync(new URL(`examples/${file}`, root), "utf8");
    const comment = /^(?:\/\/ .+\n)+/.exec(source)?.[0].replaceAll(/\n?\/\/ /g, " ");
    const sentence = comment && /^ (.+?\.)\s/.exec(comment)?.[1];
    if (!sentence) {
      throw new Error(`examples/${file} does not begin with a comment that states its purpose`);
    }
    return `- [${file.replace(".ts", "")}](examples/${file}): ${sentence}\n`;
  });
}

/** Replaces the text between a marker and its end marker. */
function withList(text, marker, lines) {
  const start = `<!-- ${marker}: written by .ci/check-readme.mjs -->\n`;
  const from = text.indexOf(start) + start.length;
  const to = text.indexOf(`<!-- end of ${marker} -->`, from);
  if (!text.includes(start) || to < 0) {
    throw new Error(`README.md has no list "${marker}"`);
  }
  return text.slice(0, from) + lines.join("") + text.slice(to);
}

let updated = withBlock(readme, "demo output", runExample("live-informer.ts"));
runExample("first-steps.ts");
updated = withBlock(updated, "examples/first-steps.ts", region("first-steps.ts"));
updated = withList(updated, "examples", exampleList());

if (process.argv.includes("--write")) {
  writeFileSync(readmePath, updated);
} else if (updated !== readme) {
  console.error(
    `README.md differs from what runs. Written by \`node .ci/check-readme.mjs --write\` it would be:\n${updated}`,
  );
  process.exit(1);
}
console.log("README.md shows what the demo prints, the first steps as they run, and each example");
