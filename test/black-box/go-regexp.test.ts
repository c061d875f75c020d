import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { compileRe2 } from "../../packages/cel/src/re2/index.js";
import { randomPattern, randomText, seededRandom } from "./go-regexp/random-patterns.js";

const source = fileURLToPath(new URL("go-regexp/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "typekube-go-regexp-"));
const program = join(folder, "go-regexp");
const build = spawnSync("go", ["build", "-o", program, "."], { cwd: source, encoding: "utf8" });
if (build.status !== 0) {
  console.warn(`SKIPPED: patterns against Go's regexp; its program was not built: ${build.stderr}`);
}
const seed = Number(process.env["TYPEKUBE_PATTERNS_SEED"] ?? 1);
const count = Number(process.env["TYPEKUBE_PATTERNS"] ?? 20_000);
/** Path of a file with a JSON array of patterns, for example those of all definitions at hand. */
const file = process.env["TYPEKUBE_PATTERNS_FILE"];

interface Question {
  readonly pattern: string;
  readonly texts: readonly string[];
}

interface TestResponse {
  readonly problem?: string;
  readonly matches?: readonly boolean[];
  /** The parts that match in each text; null for none. */
  readonly found?: readonly (readonly string[] | null)[];
}

/** Largest number of parts that both sides find in a text. */
const limit = 20;

function resultsOfGo(questions: readonly Question[]): TestResponse[] {
  const input = questions.map((question) => JSON.stringify({ ...question, limit })).join("\n");
  const { stdout } = spawnSync(program, { input, encoding: "utf8", maxBuffer: 1 << 30 });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Returns our result, and records the slowest match in milliseconds. */
function ourResult(
  { pattern, texts }: Question,
  slowest: { ms: number; what: string },
): TestResponse {
  const compiled = compileRe2(pattern);
  if ("problem" in compiled) {
    return compiled;
  }
  const matches = texts.map((text) => {
    const matched = compiled.test(text);
    // The best of three, to exclude garbage collection and other processes.
    const ms = Math.min(...[1, 2, 3].map(() => millisecondsOf(() => compiled.test(text))));
    if (ms > slowest.ms) {
      Object.assign(slowest, { ms, what: `${compiled.engine} ${pattern} on ${text.length}` });
    }
    return matched;
  });
  const found = texts.map((text) => compiled.findAll(text, limit));
  return texts.length === 0 ? {} : { matches, found };
}

function millisecondsOf(run: () => void): number {
  const begun = performance.now();
  run();
  return performance.now() - begun;
}

/** Compares our results with Go's; a difference is reported with the pattern and the text. */
function compare(title: string, questions: readonly Question[]): void {
  const slowest = { ms: 0, what: "" };
  const engines = { RegExp: 0, re2js: 0, refused: 0 };
  const differences: unknown[] = [];
  for (const [index, response] of resultsOfGo(questions).entries()) {
    const question = questions[index] as Question;
    const ours = ourResult(question, slowest);
    const compiled = compileRe2(question.pattern);
    engines["problem" in compiled ? "refused" : compiled.engine]++;
    if (ours.problem !== response.problem) {
      differences.push([question.pattern, { go: response.problem, ours: ours.problem }]);
    } else {
      question.texts.forEach((text, at) => {
        if (ours.matches?.[at] !== response.matches?.[at]) {
          differences.push([question.pattern, text, { go: response.matches?.[at] }]);
        }
        const found = { go: response.found?.[at] ?? [], ours: ours.found?.[at] ?? [] };
        if (JSON.stringify(found.go) !== JSON.stringify(found.ours)) {
          differences.push([question.pattern, text, found]);
        }
      });
    }
  }
  const shown = slowest.ms.toFixed(2);
  console.log(
    `${title}: ${questions.length} patterns, ${JSON.stringify(engines)}; slowest match ${shown} ms (${slowest.what})`,
  );
  expect(differences).toEqual([]);
}

describe.skipIf(build.status !== 0)("patterns compared to Go's regexp", () => {
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it(`ES14: ${count} random patterns match as in Go's regexp, seed ${seed}`, () => {
    const random = seededRandom(seed);
    const questions = Array.from({ length: count }, () => {
      const pattern = randomPattern(random);
      return { pattern, texts: Array.from({ length: 12 }, () => randomText(random, pattern)) };
    });
    compare(`seed ${seed}`, questions);
  });

  it.skipIf(file === undefined)("ES14: the patterns of a file match as in Go's regexp", () => {
    const random = seededRandom(seed);
    const patterns: string[] = JSON.parse(readFileSync(file ?? "", "utf8"));
    const questions = patterns.map((pattern) => ({
      pattern,
      texts: [
        ...Array.from({ length: 200 }, () => randomText(random, pattern)),
        ...["a", "0", "a.", "1.", "-a", "A/", "::"].flatMap((run) => [
          `${run.repeat(28)}!`,
          run.repeat(1_000),
          `${run.repeat(5_000)}!`,
        ]),
      ],
    }));
    compare("file", questions);
  });
});
