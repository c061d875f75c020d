import { expect, it } from "vitest";
import { runFuzz } from "../fuzz/run-fuzz.js";
import { streamReaders } from "../fuzz/stream-readers.js";

/** Inputs for each reader. TYPEKUBE_FUZZ sets a larger number than a quick run has time for. */
const inputs = Number(process.env["TYPEKUBE_FUZZ"] ?? 2_000);
const seed = 20_261_126;

it.each(streamReaders)(
  `XT14: ${inputs} inputs, $name: are a value or a KubeError`,
  async (reader) => {
    const { outcomes, failures } = await runFuzz(reader, { inputs, seed });
    console.log(`seed ${seed}, ${reader.name}: ${JSON.stringify(outcomes)}`);
    expect(failures).toEqual([]);
  },
);
