import { writeFile } from "node:fs/promises";
import { KubeError } from "@typekube/core";
import { assertOptions } from "@typekube/core/internal";
import { startApiServer } from "../../api-server/start-api-server.js";
import type { Exploration } from "./exploration.js";
import { type FaultType, faultText } from "./faults/explored-fault.js";
import type { Finding } from "./findings/finding.js";
import { parseReplay, type Replay, replayText } from "./plan/replay.js";
import { seededFaults } from "./plan/seeded-faults.js";
import { singleFaults } from "./plan/single-faults.js";
import type { Failure, RunResult } from "./record/run-result.js";
import { CoverageBook } from "./report/coverage.js";
import { htmlReport } from "./report/html-report.js";
import { textReport } from "./report/text-report.js";
import { catchRejections } from "./run/rejections.js";
import { type ExploreOptions, exploreOptions } from "./scenario/explore-options.js";
import type { Externals } from "./scenario/externals.js";
import type { Scenario } from "./scenario/scenario.js";
import { assertScenario } from "./scenario/scenario-options.js";
import { type Judged, Search } from "./search.js";

/**
 * Searches the ways in which an operator can fail: it stops and restarts before and after each write, its caches lag,
 * events and responses get lost, writes are refused, steps of users come early, leadership moves. Each is tried alone;
 * then several together, by seed. Everything runs in this process, on virtual time, and equal seeds give equal results.
 *
 * Rejections that nobody handles count as findings while it runs, so no other test should run at the same time.
 *
 * @example
 * ```ts
 * const accounts = defineController({ kind: ConfigMap, labelSelector: "app=shop" }, {
 *   owns: [ServiceAccount],
 *   reconcile: async ({ metadata }, run) => void (await run.apply(ServiceAccount, { metadata: { name: metadata.name } })),
 * });
 * const tea = { metadata: { name: "tea", labels: { app: "shop" } } };
 * const found = await explore({
 *   operator: () => accounts,
 *   steps: { "create a shop": (client) => client.resource(ConfigMap, "default").create(tea) },
 * });
 * found.assertPassed();
 * ```
 *
 * @throws {KubeError} `InvalidArgument` for a scenario without steps or with wrong options, for one that fails, does nothing or differs from run
 * to run without faults, for invalid options, and for a `page` that cannot be written; `InvalidState` while another search
 * runs in this process.
 */
export async function explore<X extends Externals = Externals>(
  scenario: Scenario<X>,
  options: ExploreOptions = {},
): Promise<Exploration> {
  assertOptions("explore()", options, exploreOptions);
  const steps = assertScenario(scenario).map((_, at) => at + 1);
  const begun = performance.now();
  const { seed = 1 } = options;
  await using base = await startApiServer({
    ...scenario.server,
    clock: "virtual",
    seed: 1,
    ...(scenario.load === undefined ? {} : { load: scenario.load }),
  });
  const search = new Search(base, scenario, seed);
  const rejections = catchRejections();
  try {
    const { findings, known, book } =
      options.replay === undefined
        ? await searchAll(search, steps, options)
        : await searchReplay(search, steps, parseReplay(options.replay, steps.length));
    const exploration = {
      name: scenario.name,
      seed,
      runs: search.runs,
      findings,
      known,
      coverage: book.coverage,
      elapsedMs: performance.now() - begun,
    };
    const text = () => textReport(exploration);
    const html = () => htmlReport(exploration);
    if (options.page !== undefined && findings.length > 0) {
      await writePage(options.page, html(), text);
    }
    return {
      ...exploration,
      text,
      html,
      assertPassed() {
        if (findings.length > 0) {
          throw new KubeError("InvalidState", text());
        }
      },
    };
  } finally {
    rejections.end();
  }
}

async function writePage(path: string, html: string, text: () => string): Promise<void> {
  try {
    await writeFile(path, html);
  } catch (error) {
    throw new KubeError(
      "InvalidArgument",
      `page: ${path} cannot be written: ${(error as Error).message}\n${text()}`,
    );
  }
}

/** A run to try. */
interface Plan {
  readonly replay: Replay;
  /** Seed of its faults; `undefined` for one fault alone. */
  readonly seed?: number;
}

interface Searched {
  readonly findings: readonly Finding[];
  readonly known: readonly Finding[];
  readonly book: CoverageBook;
}

async function searchReplay<X extends Externals>(
  search: Search<X>,
  steps: readonly number[],
  replay: Replay,
): Promise<Searched> {
  const { calls, events } = await search.reference(steps);
  const book = new CoverageBook(calls, events);
  const judged = await search.confirm(replay);
  if (
    judged === undefined ||
    (judged.result.impossible !== undefined && judged.failures.length === 0)
  ) {
    throw new KubeError(
      "InvalidArgument",
      `the replay's steps cannot be taken${judged === undefined ? "" : `: ${judged.result.impossible}`}`,
    );
  }
  const { result, failures } = judged;
  book.add(result.struck);
  book.leaveOut("everything but the given replay");
  for (const fault of replay.faults.filter((one) => !result.struck.includes(one))) {
    book.leaveOut(`a fault that did not occur, as the scenario has changed: ${faultText(fault)}`);
  }
  const [failure] = failures;
  const findings = failure === undefined ? [] : [await search.finding(replay, failure)];
  return { findings, known: [], book };
}

async function searchAll<X extends Externals>(
  search: Search<X>,
  steps: readonly number[],
  { seed = 1, runs = 200, budgetMs, maxFindings = 5, faults, known = [] }: ExploreOptions,
): Promise<Searched> {
  const begun = performance.now();
  const reference = await search.reference(steps);
  const book = new CoverageBook(reference.calls, reference.events);
  for (const what of leaveOuts(reference)) {
    book.leaveOut(what);
  }
  const findings: Finding[] = [];
  const knownFindings: Finding[] = [];
  const signatures = new Set<string>();
  const isTried = (fault: { readonly type: FaultType }) => faults?.includes(fault.type) !== false;
  const isLate = () => budgetMs !== undefined && performance.now() - begun > budgetMs;
  const note = async (replay: Replay, failures: readonly Failure[], at?: number) => {
    for (const failure of failures) {
      if (signatures.has(signatureOf(failure))) {
        continue;
      }
      const finding = await search.describe(replay, failure, at);
      if (finding === undefined) {
        book.leaveOut(`${failure.kind}, which a second run did not show: ${replayText(replay)}`);
        continue;
      }
      if (known.includes(finding.replay)) {
        // Words that name nothing hide no other finding.
        if (finding.kind !== "did not converge") {
          signatures.add(signatureOf(failure));
        }
        if (!knownFindings.some(({ replay: one }) => one === finding.replay)) {
          knownFindings.push(finding);
        }
        continue;
      }
      signatures.add(signatureOf(failure));
      const isNew = !signatures.has(`shortest ${signatureOf(finding)}`);
      signatures.add(`shortest ${signatureOf(finding)}`);
      if (isNew && findings.length < maxFindings) {
        findings.push(finding);
      }
    }
  };
  const alone: Plan = { replay: { steps, faults: [] } };
  const withFaults: Plan[] = [
    ...singleFaults(reference, steps)
      .filter(isTried)
      .map((fault) => ({ replay: { steps, faults: [fault] } })),
    ...Array.from({ length: runs }, (_, at) => ({
      replay: { steps, faults: seededFaults(seed + at, reference, steps).filter(isTried) },
      seed: seed + at,
    })),
  ];
  if (reference.isEndless) {
    book.leaveOut("all faults: without any, the operator already has no end");
  }
  const plans = reference.isEndless ? [alone] : [alone, ...withFaults];
  const impossible = new Map<string, number>();
  for (const [at, { replay, seed: own }] of plans.entries()) {
    if (findings.length >= maxFindings) {
      book.leaveOut(
        `${plans.length - at} of ${plans.length} runs: ${maxFindings} finding${maxFindings === 1 ? " is" : "s are"} enough`,
      );
      break;
    }
    if (isLate()) {
      book.leaveOut(
        `${plans.length - at} of ${plans.length} runs: the budget of ${budgetMs} ms is used up`,
      );
      break;
    }
    const { result, failures } = (await search.judge(replay)) as Judged;
    if (result.impossible !== undefined) {
      impossible.set(result.impossible, (impossible.get(result.impossible) ?? 0) + 1);
    }
    if (own === undefined) {
      book.add(result.struck);
    }
    for (const what of result.unexplored) {
      book.leaveOut(what);
    }
    await note(replay, failures, own);
  }
  for (const [step, count] of impossible) {
    book.leaveOut(
      `${count} run${count === 1 ? "" : "s"}, which left nothing to do for a step: ${step}`,
    );
  }
  return { findings, known: knownFindings, book };
}

/** Two failures with the same signature have the same cause, as far as one can tell. */
function signatureOf({ kind, message }: Failure): string {
  return `${kind} ${message}`;
}

/** Returns what a search of this operator can't try. */
function leaveOuts({ calls, events, unexplored }: RunResult): string[] {
  return [
    ...unexplored,
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
