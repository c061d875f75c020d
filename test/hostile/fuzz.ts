// Feeds mutated inputs to every reader: `pnpm fuzz --inputs 1000000 --seed 1 [--reader NAME]`. The inputs are divided
// among the readers.
import { parseArgs } from "node:util";
import { allReaders } from "./fuzz/all-readers.js";
import { type FuzzFailure, runFuzz } from "./fuzz/run-fuzz.js";

const { values } = parseArgs({
  options: {
    inputs: { type: "string", default: "1000000" },
    seed: { type: "string", default: "1" },
    /** Runs only readers whose name contains this text. */
    reader: { type: "string", default: "" },
  },
});

const all = await allReaders();
const readers = all.filter(({ name }) => name.includes(values.reader));
const seed = Number(values.seed);
const inputs = Math.ceil(Number(values.inputs) / readers.length);
const failures: FuzzFailure[] = [];
let total = 0;
for (const reader of readers) {
  const result = await runFuzz(reader, { inputs, seed });
  total += result.inputs;
  failures.push(...result.failures);
  const perInput = ((result.totalMs * 1000) / result.inputs).toFixed(0);
  const counts = JSON.stringify(result.outcomes);
  console.log(
    `${result.reader}: ${result.inputs} inputs, ${perInput} µs each, slowest ${result.slowestMs.toFixed(1)} ms; ${counts}`,
  );
}
for (const { reader, input, problem } of failures) {
  console.log(`FAILED ${reader}: base64 ${input}\n${problem}`);
}
console.log(
  `seed ${seed}: ${total} inputs, ${readers.length} readers, ${failures.length} failures`,
);
process.exit(failures.length === 0 && readers.length > 0 ? 0 : 1);
