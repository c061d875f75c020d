import { type ExploredFault, faultText } from "./faults/explored-fault.js";
import type { Finding } from "./findings/finding.js";
import { FindingBook } from "./findings/finding-book.js";
import { equalCalls, equalCallsText } from "./plan/equal-calls.js";
import type { Plan } from "./plan/plan.js";
import { parseReplay, type Replay } from "./plan/replay.js";
import { seededFaults } from "./plan/seeded-faults.js";
import { singleFaults } from "./plan/single-faults.js";
import type { Call } from "./record/call.js";
import type { RunResult } from "./record/run-result.js";
import { rehearse } from "./rehearsal.js";
import { CoverageBook } from "./report/coverage.js";
import { UnjudgedRuns } from "./report/unjudged-runs.js";
import type { ExploreOptions } from "./scenario/explore-options.js";
import type { Externals } from "./scenario/externals.js";
import type { Judged, Search } from "./search.js";

/** Result of a search. */
export interface Searched {
  readonly findings: readonly Finding[];
  readonly known: readonly Finding[];
  /** Faults of a replay that did not occur. */
  readonly absentFaults: readonly ExploredFault[];
  readonly book: CoverageBook;
}

/** Tries each fault alone, and then several together, by seed. */
export async function searchAll<X extends Externals>(
  search: Search<X>,
  steps: readonly number[],
  options: ExploreOptions,
  isOverBudget: () => boolean,
): Promise<Searched> {
  const reference = await search.reference(steps);
  const book = new CoverageBook(reference.calls, reference.events);
  for (const what of leaveOuts(reference)) {
    book.leaveOut(what);
  }
  const found = new FindingBook();
  if (reference.cutShortMs === undefined) {
    await addKnown(search, found, book, steps.length, options.known ?? []);
    await tryAll(
      search,
      { found, book, unjudged: new UnjudgedRuns((replay) => search.replayText(replay)) },
      plansOf(reference, steps, options, book),
      {
        ...options,
        isOverBudget,
      },
    );
  } else {
    const seconds = Math.round(reference.cutShortMs / 1_000);
    book.leaveOut(
      `everything: the budget of ${options.budgetMs} ms ended the run without faults, ${seconds} s of its clock after the last step; give a larger budgetMs, or a smaller stableMs`,
    );
  }
  return { findings: found.findings, known: found.known, absentFaults: [], book };
}

/** Plays the replays of known findings, by which further runs are recognized that fail in the same way. */
async function addKnown<X extends Externals>(
  search: Search<X>,
  found: FindingBook,
  book: CoverageBook,
  stepCount: number,
  known: readonly string[],
): Promise<void> {
  for (const text of known) {
    let replay: Replay;
    try {
      replay = parseReplay(text, stepCount);
    } catch {
      book.leaveOut(`a known replay that does not fit this scenario: ${text}`);
      continue;
    }
    const { seed = 1 } = replay;
    const own = seed === search.seed ? search : search.withSeed(seed);
    const judged = await own.confirm(replay);
    if (own !== search) {
      search.runs += own.runs;
    }
    const failure = judged?.failures[0];
    if (judged !== undefined && failure !== undefined) {
      found.add(await own.advised(replay, judged, failure), judged.failures, true);
    } else {
      book.leaveOut(`a known replay that no longer fails${reasonToPass(replay, judged)}: ${text}`);
    }
  }
}

/** Returns why a known replay does not fail, as far as something else than the operator is the reason. */
function reasonToPass(replay: Replay, judged: Judged | undefined): string {
  const impossible = judged === undefined ? "" : judged.result.impossible;
  if (impossible !== undefined) {
    return `, since its steps can't be taken${impossible === "" ? "" : ` (${impossible})`}`;
  }
  const absent = absentFaults(replay, judged?.result.struck ?? []);
  return absent.length === 0
    ? ""
    : `, since a fault does not occur (${absent.map(faultText).join(", ")})`;
}

/** Returns the faults of a run that did not occur. */
export function absentFaults(
  { faults }: Replay,
  struck: readonly ExploredFault[],
): readonly ExploredFault[] {
  return faults.filter((one) => !struck.includes(one));
}

function plansOf(
  reference: RunResult,
  steps: readonly number[],
  { seed = 1, runs = 200, faults }: ExploreOptions,
  book: CoverageBook,
): Plan[] {
  const alone: Plan = { replay: { steps, faults: [] } };
  if (reference.isEndless) {
    book.leaveOut("all faults: without any, the operator already has no end");
    return [alone];
  }
  if (faults?.length === 0) {
    book.leaveOut("all faults: the option faults names none");
    return [alone];
  }
  if (reference.failures.some(({ isEnd }) => isEnd)) {
    book.leaveOut("all faults: without any, the operator already does not converge");
    return [alone];
  }
  const isTried = ({ type }: ExploredFault) => faults?.includes(type) !== false;
  return [
    alone,
    ...placedFaults(reference, steps, isTried, book).map((fault) => ({
      replay: { steps, faults: [fault] },
    })),
    ...Array.from({ length: runs }, (_, at) => ({
      replay: { steps, faults: seededFaults(seed + at, reference, steps, isTried) },
      seed: seed + at,
    })),
  ];
}

/** Returns the faults to try alone, without those at calls that only repeat another one. */
function placedFaults(
  reference: RunResult,
  steps: readonly number[],
  isTried: (fault: ExploredFault) => boolean,
  book: CoverageBook,
): ExploredFault[] {
  const equal = equalCalls(reference.calls);
  const leftOut = new Set<Call>();
  const placed = singleFaults(reference, steps)
    .filter(isTried)
    .filter((fault) => {
      const call = "call" in fault ? equal.get(fault.call) : undefined;
      if (call !== undefined) {
        leftOut.add(call);
      }
      return call === undefined;
    });
  if (leftOut.size > 0) {
    const calls = `${leftOut.size} call${leftOut.size === 1 ? " that repeats" : "s that repeat"}`;
    book.leaveOut(
      `faults at ${calls} another one at rest, with nothing written in between; the first ten of each and the last were tried: ${equalCallsText([...leftOut])}`,
    );
  }
  return placed;
}

interface Books {
  readonly found: FindingBook;
  readonly book: CoverageBook;
  readonly unjudged: UnjudgedRuns;
}

async function tryAll<X extends Externals>(
  search: Search<X>,
  books: Books,
  plans: readonly Plan[],
  {
    budgetMs,
    maxFindings = 5,
    isOverBudget,
  }: ExploreOptions & { readonly isOverBudget: () => boolean },
): Promise<void> {
  const { found, book, unjudged } = books;
  const rehearsed = await rehearse(search, plans, isOverBudget);
  for (const [at, plan] of plans.entries()) {
    const { replay, seed } = plan;
    const reason =
      found.newCount >= maxFindings
        ? `${maxFindings} finding${maxFindings === 1 ? " is" : "s are"} enough`
        : isOverBudget()
          ? `the budget of ${budgetMs} ms is used up`
          : undefined;
    if (reason !== undefined) {
      book.leaveOut(`${plans.length - at} of ${plans.length} runs: ${reason}`);
      break;
    }
    const judged = rehearsed.get(plan) ?? ((await search.rehearse(replay)) as Judged);
    search.runs += 1;
    const { result } = judged;
    if (seed === undefined) {
      book.add(result.struck);
    }
    for (const what of result.unexplored) {
      book.leaveOut(what);
    }
    await noteFailures(search, books, replay, judged, { seed, maxFindings });
    if (result.impossible !== undefined) {
      unjudged.addImpossible(result.impossible, replay);
      await judgeBefore(search, books, replay, judged, { seed, maxFindings });
    }
  }
  for (const what of unjudged.texts) {
    book.leaveOut(what);
  }
}

/** Judges the part of a run before a step that failed. An operator that did not do its work may be the reason. */
async function judgeBefore<X extends Externals>(
  search: Search<X>,
  books: Books,
  { steps, faults }: Replay,
  { result }: Judged,
  options: { readonly seed: number | undefined; readonly maxFindings: number },
): Promise<void> {
  const { failedStep = 0, struck } = result;
  const before: Replay = {
    steps: steps.filter((step) => step < failedStep),
    faults: faults.filter(
      (fault) => struck.includes(fault) && !(fault.type === "early" && fault.step >= failedStep),
    ),
  };
  const judged =
    before.steps.length > 0 && before.faults.length > 0 ? await search.judge(before) : undefined;
  if (judged !== undefined && judged.result.impossible === undefined) {
    await noteFailures(search, books, before, judged, options);
  }
}

async function noteFailures<X extends Externals>(
  search: Search<X>,
  { found, book, unjudged }: Books,
  replay: Replay,
  { result, failures }: Judged,
  { seed, maxFindings }: { readonly seed: number | undefined; readonly maxFindings: number },
): Promise<void> {
  for (const failure of failures) {
    const marks = found.newMarks(failure);
    if (marks.length === 0) {
      found.count(failure, result.struck);
    } else if (found.newCount < maxFindings) {
      const described = await search.describe(replay, marks, seed);
      if (described.type === "finding") {
        found.add(described.finding, [described.failure], false);
      } else if (described.type === "passes by chance") {
        unjudged.addChance(replay);
      } else if (described.type === "unconfirmed") {
        book.leaveOut(
          `${failure.kind}, which a second run did not show: explore(scenario, { replay: '${search.replayText(replay)}' })`,
        );
      }
    }
  }
}

/** Returns what a search of this operator can't try. */
function leaveOuts({ calls, events, quits, unexplored }: RunResult): string[] {
  return [
    ...unexplored,
    ...(quits === 0
      ? []
      : [
          "an operator that keeps running: its promise ends by itself without any fault, and it is started again each time; return its controllers, or a promise that lasts as long as it works",
        ]),
    ...(calls.length > 0 ? [] : ["everything: the operator makes no calls"]),
    ...(calls.some(({ resource }) => resource === "leases")
      ? []
      : ["a lost leadership: the operator elects no leader"]),
    ...(calls.some(({ acceptsOldState }) => acceptsOldState)
      ? []
      : ["lists of an old state: the operator asks for none"]),
    ...(calls.some(({ isExternal }) => isExternal)
      ? []
      : [
          "systems outside of the cluster: the scenario has none, or the operator does not call them",
        ]),
    ...(events.size > 0 ? [] : ["late and missed events: the operator watches nothing"]),
  ];
}
