import { KubeError } from "@typekube/core";
import { describe, expect, it } from "vitest";
import { allReaders } from "./fuzz/all-readers.js";
import { runFuzz } from "./fuzz/run-fuzz.js";

/** Inputs per reader, a small share of those of `pnpm fuzz`. */
const inputs = 300;
const seed = 20_261_125;

describe(`${inputs} mutated inputs per reader, seed ${seed}`, async () => {
  it.each(await allReaders())("$name: returns a value or a KubeError", async (reader) => {
    const { outcomes, failures } = await runFuzz(reader, { inputs, seed });
    console.log(`seed ${seed}, ${reader.name}: ${JSON.stringify(outcomes)}`);
    expect(failures).toEqual([]);
  });
});

describe("the fuzzer", () => {
  const failing = (read: () => unknown) =>
    runFuzz({ name: "x", seeds: [Buffer.from("x")], read }, { inputs: 20, seed });

  it("reports errors other than KubeError", async () => {
    const { failures } = await failing(() => {
      throw new TypeError("raw");
    });
    expect(failures[0]?.problem).toContain("raw");
    const { outcomes } = await failing(() => {
      throw new KubeError("Decode", "fine");
    });
    expect(outcomes).toEqual({ Decode: 20 });
  });

  it("reports changed prototypes", async () => {
    const target = Object.prototype as { polluted?: unknown };
    try {
      const { failures } = await failing(() => {
        target.polluted = true;
      });
      expect(failures[0]?.problem).toContain("Object");
    } finally {
      delete target.polluted;
    }
  });
});
