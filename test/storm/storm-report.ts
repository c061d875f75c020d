import type { FollowerName } from "./faults/fault.js";
import type { Tally } from "./faults/tally.js";

/** Counts of a storm. */
export interface StormReport {
  readonly seed: number;
  readonly subject: string;
  readonly struck: Tally;
  readonly writes: number;
  readonly quiets: number;
  readonly heap: { readonly first: number; readonly last: number } | undefined;
  readonly followers: readonly {
    readonly name: FollowerName;
    readonly requests: Tally;
    readonly errors: Tally;
    readonly events: number;
    readonly inOrder: number;
    readonly objects: number;
  }[];
}

/** Formats the report as lines for people. */
export function showReport(report: StormReport): string {
  const { seed, subject, struck, writes, quiets, heap, followers } = report;
  const show = (tally: Tally) =>
    tally
      .entries()
      .map(([name, count]) => `${name} ${count}`)
      .join(", ");
  return [
    `storm on ${subject}, seed ${seed}: ${struck.total} faults, ${writes} writes, ${quiets} quiet points`,
    `  faults: ${show(struck)}`,
    ...followers.flatMap(({ name, requests, errors, events, inOrder, objects }) => [
      `  ${name}: ${objects} objects, ${events} events seen, requests: ${show(requests)}; ${inOrder} intervals without a relist`,
      `    errors reported: ${show(errors)}`,
    ]),
    `  heap: ${heap ? `${megabytes(heap.first)} at first, ${megabytes(heap.last)} at the end` : "not measured (a longer storm under --expose-gc is needed)"}`,
  ].join("\n");
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
