import { KubeError } from "@typekube/core";
import type { Codec } from "@typekube/core/internal";
import { seededRandom } from "@typekube/test-support/seeded-random";
import { describe, expect, it } from "vitest";
import { codecReader } from "../fuzz/codec-readers.js";
import type { HostileReader } from "../fuzz/hostile-reader.js";
import { runFuzz } from "../fuzz/run-fuzz.js";

/** Inputs for each decoder. TYPEKUBE_FUZZ sets a larger number than a quick run has time for. */
const inputCount: number = Number(process.env["TYPEKUBE_FUZZ"] ?? 2_000);
const seed = 20_261_121;

/** Defines tests that feed malformed bytes to a codec: truncated, mutated and random ones. */
export function describeHostileBytes(codec: Codec): void {
  describe(`malformed bytes in ${codec.name}`, () => {
    it.each(["object", "list", "watch"] as const)(
      "truncated at every position, %s decoders return a value or a KubeError",
      async (what) => {
        const counts: Record<string, number> = {};
        const reader = await codecReader(codec, what);
        const [bytes = new Uint8Array(0)] = reader.seeds;
        for (let end = 0; end <= bytes.length; end++) {
          const outcome = await outcomeOf(reader, bytes.subarray(0, end));
          counts[outcome] = (counts[outcome] ?? 0) + 1;
        }
        console.log(`cut ${codec.name} ${what}: ${JSON.stringify(counts)}`);
        expect(counts["Decode"]).toBeGreaterThan(0);
      },
    );

    it.each(["object", "list", "watch"] as const)(
      `${inputCount} mutated or random inputs, seed ${seed}: %s decoders return the right value or a KubeError`,
      { timeout: 300_000 },
      async (what) => {
        const reader = await codecReader(codec, what);
        const { outcomes, failures } = await runFuzz(reader, { inputs: inputCount, seed });
        console.log(
          `${inputCount} hostile inputs, ${codec.name} ${what}: ${JSON.stringify(outcomes)}`,
        );
        expect(failures).toEqual([]);
        expect(outcomes["Decode"]).toBeGreaterThan(0);
      },
    );
  });
}

async function outcomeOf(reader: HostileReader, bytes: Uint8Array): Promise<string> {
  try {
    await reader.read(bytes, seededRandom(seed));
    return "value";
  } catch (error) {
    if (error instanceof KubeError) {
      return error.code;
    }
    throw error;
  }
}
