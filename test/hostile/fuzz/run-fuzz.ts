import { KubeError } from "@typekube/core";
import { seededRandom } from "@typekube/test-support/seeded-random";
import { hostileInput } from "./hostile-input.js";
import type { HostileReader } from "./hostile-reader.js";

/** Inputs between two checks of the prototypes. */
const batchSize = 500;

/** An input on which a reader failed. */
export interface FuzzFailure {
  readonly reader: string;
  readonly input: string;
  readonly problem: string;
}

/** Results of one reader. */
export interface FuzzResult {
  readonly reader: string;
  readonly inputs: number;
  /** Number of values, and of KubeErrors by code. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly failures: readonly FuzzFailure[];
  /** Milliseconds of CPU for all inputs and for the slowest; reported, not asserted. */
  readonly totalMs: number;
  readonly slowestMs: number;
  /** Slowest input, as base64. */
  readonly slowest: string;
}

/** Number of failures after which the fuzzer stops testing a reader. */
const maxFailures = 5;

/**
 * Feeds mutated inputs to a reader. An error other than KubeError, or a changed prototype, is a failure. The same seed
 * gives the same inputs.
 */
export async function runFuzz(
  reader: HostileReader,
  { inputs, seed }: { readonly inputs: number; readonly seed: number },
): Promise<FuzzResult> {
  const random = seededRandom(seed);
  const outcomes: Record<string, number> = {};
  const failures: FuzzFailure[] = [];
  let totalMs = 0;
  let slowestMs = 0;
  let slowest: Uint8Array = new Uint8Array(0);
  let count = 0;
  while (count < inputs && failures.length < maxFailures) {
    const good = reader.seeds[count % reader.seeds.length] ?? new Uint8Array(0);
    const input = hostileInput(good, random);
    count++;
    const fail = (problem: string) =>
      failures.push({ reader: reader.name, input: base64(input), problem });
    const before = process.cpuUsage();
    let outcome = "value";
    try {
      await reader.read(input, random);
    } catch (error) {
      outcome = error instanceof KubeError ? error.code : "failure";
      if (outcome === "failure") {
        fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
      }
    }
    const { user, system } = process.cpuUsage(before);
    const ms = (user + system) / 1000;
    totalMs += ms;
    if (ms > slowestMs) {
      slowestMs = ms;
      slowest = input;
    }
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (count % batchSize === 0 || count === inputs) {
      const changed = changedPrototypes();
      if (changed.length > 0) {
        fail(`changed prototypes within the last ${batchSize} inputs: ${changed.join(", ")}`);
        break;
      }
    }
  }
  const sample = base64(slowest);
  return {
    reader: reader.name,
    inputs: count,
    outcomes,
    failures,
    totalMs,
    slowestMs,
    slowest: sample,
  };
}

const prototypes = { Object, Array, Function, String, Number, Map } as const;
const namesBefore = new Map(
  Object.entries(prototypes).map(([name, { prototype }]) => [
    name,
    Reflect.ownKeys(prototype).length,
  ]),
);

/** Returns the built-in prototypes whose number of properties has changed since the start. */
function changedPrototypes(): string[] {
  return Object.entries(prototypes).flatMap(([name, { prototype }]) =>
    Reflect.ownKeys(prototype).length === namesBefore.get(name) ? [] : [name],
  );
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
