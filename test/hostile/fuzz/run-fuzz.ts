import { KubeError } from "@typekube/core";
import { seededRandom } from "../../../packages/core/test/helpers/seeded-random.js";
import { hostileInput } from "./hostile-input.js";
import type { HostileReader } from "./hostile-reader.js";

/** Inputs between two looks at the prototypes. */
const batchSize = 500;

/** An input that a reader failed on. */
export interface FuzzFailure {
  readonly reader: string;
  readonly input: string;
  readonly problem: string;
}

/** What became of the inputs of one reader. */
export interface FuzzResult {
  readonly reader: string;
  readonly inputs: number;
  /** How often there was a value, and each code of a KubeError. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly failures: readonly FuzzFailure[];
  /** CPU time of all inputs and of the slowest, in milliseconds; reported, never asserted. */
  readonly totalMs: number;
  readonly slowestMs: number;
  /** The slowest input as base64. */
  readonly slowest: string;
}

/** Failures after which the fuzz stops testing a reader. */
const maxFailures = 5;

/**
 * Feeds a reader changed inputs. A failure is an error that is no KubeError, or a prototype that changed; the same seed gives
 * the same inputs.
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

/** The built-in prototypes that have another number of properties than at the beginning. */
function changedPrototypes(): string[] {
  return Object.entries(prototypes).flatMap(([name, { prototype }]) =>
    Reflect.ownKeys(prototype).length === namesBefore.get(name) ? [] : [name],
  );
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
