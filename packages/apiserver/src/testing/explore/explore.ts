import { writeFile } from "node:fs/promises";
import { KubeError } from "@typekube/core";
import { assertOptions, object } from "@typekube/core/internal";
import type { ApiServer } from "../../api-server/api-server.js";
import { startApiServer } from "../../api-server/start-api-server.js";
import type { LoadSource } from "../../server/load.js";
import type { Exploration } from "./exploration.js";
import { type ExploredFault, faultText } from "./faults/explored-fault.js";
import { FindingBook } from "./findings/finding-book.js";
import { parseReplay, type Replay } from "./plan/replay.js";
import type { RunResult } from "./record/run-result.js";
import { essentialLines } from "./record/trace.js";
import { CoverageBook } from "./report/coverage.js";
import { htmlReport } from "./report/html-report.js";
import { runLines, textReport } from "./report/text-report.js";
import { catchRejections } from "./run/rejections.js";
import { type ExploreOptions, exploreOptions } from "./scenario/explore-options.js";
import type { Externals } from "./scenario/externals.js";
import type { Scenario } from "./scenario/scenario.js";
import { assertScenario } from "./scenario/scenario-options.js";
import { Search } from "./search.js";
import { absentFaults, type Searched, searchAll } from "./search-all.js";

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
 * to run without faults, for invalid options, for a replay in whose run a step fails, and for a `page` that cannot be written; `InvalidState` while another search
 * runs in this process.
 */
export async function explore<X extends Externals = Externals>(
  scenario: Scenario<X>,
  options: ExploreOptions = {},
): Promise<Exploration> {
  if (!object.isValid(options)) {
    throw new KubeError("InvalidArgument", "the options of explore() must be an object", {
      hint: "leave them out for a search with all defaults",
    });
  }
  assertOptions("explore()", options, exploreOptions);
  const steps = assertScenario(scenario).map((_, at) => at + 1);
  const begun = performance.now();
  const { budgetMs } = options;
  const replay =
    options.replay === undefined ? undefined : parseReplay(options.replay, steps.length);
  const { seed = options.seed ?? 1 } = replay ?? {};
  const isOverBudget = () => budgetMs !== undefined && performance.now() - begun > budgetMs;
  await using base = await startApiServer({
    ...scenario.server,
    clock: "virtual",
    seed: 1,
  });
  await loadInto(base, scenario.load);
  const search = new Search(base, scenario, seed, isOverBudget);
  const rejections = catchRejections();
  try {
    const { book, ...searched } =
      replay === undefined
        ? await searchAll(search, steps, options, isOverBudget)
        : await searchReplay(search, steps, replay);
    const exploration = {
      name: scenario.name,
      seed,
      runs: search.runs,
      ...searched,
      coverage: book.coverage,
      elapsedMs: performance.now() - begun,
    };
    const { findings, absentFaults } = searched;
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
        if (absentFaults.length > 0) {
          throw absent(absentFaults, text());
        }
      },
    };
  } finally {
    rejections.end();
  }
}

/** Loads what exists at the beginning. */
async function loadInto(base: ApiServer, source: LoadSource | undefined): Promise<void> {
  try {
    await (source === undefined ? undefined : base.load(source));
  } catch (error) {
    const isNamed = error instanceof KubeError && error.code === "InvalidArgument";
    throw isNamed
      ? error
      : new KubeError("InvalidArgument", `load: ${(error as Error).message}`, { cause: error });
  }
}

/** Returns the error of a replay that does not meet its faults. */
function absent(faults: readonly ExploredFault[], text: string): KubeError {
  const words = faults.map(faultText).join(", and ");
  return new KubeError(
    "InvalidState",
    `the replay no longer meets its faults: ${words} did not occur\n${text}`,
    {
      hint: "the operator or the scenario has changed: search again, and take the replay of a new finding, or delete this test",
    },
  );
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

/** Returns the error of a replay whose steps can't be taken, with what happens in its run. */
function unjudged(result: RunResult | undefined): KubeError {
  if (result === undefined) {
    return new KubeError(
      "InvalidArgument",
      "the replay's steps can't be taken without the others, even without faults",
    );
  }
  const { impossible, trace } = result;
  const lines = runLines(essentialLines(trace, trace.length - 1));
  return new KubeError(
    "InvalidArgument",
    `the run of the replay can't be judged, since a step failed: ${impossible}\n${lines.join("\n")}`,
  );
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
    throw unjudged(judged?.result);
  }
  const { result, failures } = judged;
  book.add(result.struck);
  book.leaveOut("everything but the given replay");
  const found = new FindingBook();
  for (const failure of failures) {
    if (found.newMarks(failure).length > 0) {
      found.add(search.finding(replay, judged, failure), [failure], false);
    }
  }
  return {
    findings: found.findings,
    known: [],
    absentFaults: absentFaults(replay, result.struck),
    book,
  };
}
