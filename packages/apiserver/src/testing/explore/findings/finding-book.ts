import type { ExploredFault } from "../faults/explored-fault.js";
import type { ClassifiedFailure } from "./classify.js";
import type { DescribedFinding, Finding } from "./finding.js";

/** A finding with the runs that fail in the same way. */
interface Entry {
  readonly finding: DescribedFinding;
  readonly isKnown: boolean;
  runs: number;
  readonly faults: Set<string>;
}

/** The findings of a search, and the marks by which each is recognized in further runs. */
export class FindingBook {
  readonly #entries: Entry[] = [];
  readonly #owners: Map<string, Entry> = new Map();

  /** Number of new findings. */
  get newCount(): number {
    return this.#entries.filter(({ isKnown }) => !isKnown).length;
  }

  /** Returns the marks of a failure that no finding has. Empty for a failure that is recognized. */
  newMarks({ marks }: ClassifiedFailure): string[] {
    const [kind = "", ...own] = marks;
    const fresh = own.filter((mark) => !this.#owners.has(mark));
    return fresh.length > 0 || this.#owners.has(kind) ? fresh : [kind];
  }

  /** Adds a finding, with the failures of its run that belong to it. */
  add(finding: DescribedFinding, failures: readonly ClassifiedFailure[], isKnown: boolean): void {
    const entry: Entry = { finding, isKnown, runs: 0, faults: new Set() };
    this.#entries.push(entry);
    for (const mark of failures.flatMap(({ marks }) => marks)) {
      if (!this.#owners.has(mark)) {
        this.#owners.set(mark, entry);
      }
    }
  }

  /** Counts a run whose failure is recognized, at each finding that it shows. */
  count({ marks }: ClassifiedFailure, struck: readonly ExploredFault[]): void {
    const entries = new Set(marks.slice(1).map((mark) => this.#owners.get(mark)));
    for (const entry of entries) {
      if (entry !== undefined) {
        entry.runs += 1;
        for (const fault of struck) {
          entry.faults.add(JSON.stringify(fault));
        }
      }
    }
  }

  /** The new findings, in the order in which they were found. */
  get findings(): Finding[] {
    return this.#entries.filter(({ isKnown }) => !isKnown).map(toFinding);
  }

  /** The known findings. */
  get known(): Finding[] {
    return this.#entries.filter(({ isKnown }) => isKnown).map(toFinding);
  }
}

function toFinding({ finding, runs, faults }: Entry): Finding {
  return { ...finding, alsoIn: { runs, faults: faults.size } };
}
