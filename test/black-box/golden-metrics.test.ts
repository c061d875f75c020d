import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { runProgram } from "./run-program.js";

const peer = fileURLToPath(
  new URL("../../packages/bench/peers/controller-runtime/", import.meta.url),
);
const recorded = new URL(
  "../../packages/controller/test/metrics/golden/go-metrics.json",
  import.meta.url,
);
const folder = mkdtempSync(join(tmpdir(), "typekube-golden-metrics-"));
const program = join(folder, "golden-metrics");
// Compiling controller-runtime takes minutes where no build cache is warm.
const build = await runProgram("go", ["test", "-c", "-o", program, "./golden-metrics"], {
  env: {},
  folder: peer,
  timeoutMs: 900_000,
});
if (build.code !== 0) {
  console.warn(`SKIPPED: metrics against controller-runtime; not built: ${build.text}`);
}

describe.skipIf(build.code !== 0)("metrics compared with controller-runtime", () => {
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("CT11: the recorded metrics are those of the Go program; TYPEKUBE_RECORD=1 records them", async () => {
    const output = join(folder, "metrics.json");
    const { code, text } = await runProgram(program, ["-test.run", "^TestGoldenMetrics$"], {
      env: { GOLDEN_METRICS: output },
      timeoutMs: 200_000,
    });
    expect(code, text).toBe(0);
    const metrics = readFileSync(output, "utf8");
    if (process.env["TYPEKUBE_RECORD"] === "1") {
      writeFileSync(recorded, metrics);
    }
    expect(JSON.parse(readFileSync(recorded, "utf8"))).toEqual(JSON.parse(metrics));
  });
});
