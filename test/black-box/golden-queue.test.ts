import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { randomScenario } from "../../packages/controller/test/queue/golden/random-scenario.js";
import {
  runScenario,
  type Scenario,
  type ScenarioResult,
} from "../../packages/controller/test/queue/golden/scenario.js";
import { scenarios } from "../../packages/controller/test/queue/golden/scenarios.js";
import { runProgram } from "./run-program.js";

const peer = fileURLToPath(
  new URL("../../packages/bench/peers/controller-runtime/", import.meta.url),
);
const recorded = new URL(
  "../../packages/controller/test/queue/golden/go-results.json",
  import.meta.url,
);
const folder = mkdtempSync(join(tmpdir(), "typekube-golden-queue-"));
const program = join(folder, "golden-queue");
// Compiling controller-runtime takes minutes where no build cache is warm.
const build = await runProgram("go", ["test", "-c", "-o", program, "./golden-queue"], {
  env: {},
  folder: peer,
  timeoutMs: 900_000,
});
if (build.code !== 0) {
  console.warn(
    `SKIPPED: queues against client-go and controller-runtime; not built: ${build.text}`,
  );
}
const count = Number(process.env["TYPEKUBE_QUEUE_SCENARIOS"] ?? 200);

/** Runs scenarios on the queues of client-go and controller-runtime. */
async function resultsOfGo(given: readonly Scenario[]): Promise<ScenarioResult[]> {
  const [input, output] = [join(folder, "scenarios.json"), join(folder, "results.json")];
  writeFileSync(input, JSON.stringify(given));
  const { code, text } = await runProgram(program, ["-test.run", "^TestGoldenQueue$"], {
    env: { GOLDEN_SCENARIOS: input, GOLDEN_RESULTS: output },
    timeoutMs: 200_000,
  });
  expect(code, text).toBe(0);
  return JSON.parse(readFileSync(output, "utf8"));
}

describe.skipIf(build.code !== 0)("queues compared with client-go and controller-runtime", () => {
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("CT11: the recorded results are those of the Go programs; TYPEKUBE_RECORD=1 records them", async () => {
    const results = await resultsOfGo(scenarios);
    if (process.env["TYPEKUBE_RECORD"] === "1") {
      writeFileSync(recorded, `${JSON.stringify(results, undefined, 2)}\n`);
    }
    expect(JSON.parse(readFileSync(recorded, "utf8"))).toEqual(results);
  });

  it.each(["classic", "priority"] as const)(
    `CT11: ${count} random scenarios give the same results in the %s queue`,
    async (flavour) => {
      const random = Array.from({ length: count }, (_, seed) => randomScenario(seed, flavour, 120));
      const results = await resultsOfGo(random);
      for (const [index, scenario] of random.entries()) {
        expect(await runScenario(scenario)).toEqual(results[index]);
      }
    },
  );
});
