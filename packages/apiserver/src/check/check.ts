import { runCheck } from "./engine/check-run.js";
import type { RunFacts } from "./engine/run-state.js";
import type { CheckReport, CheckResult, CheckSummary } from "./model/check-result.js";
import { type CheckInput, type ReadSource, sourcesOf } from "./options/check-input.js";
import {
  type CheckOptions,
  type CompleteOptions,
  completeOptions,
} from "./options/check-options.js";
import { SummaryCounter } from "./summary-counter.js";

/**
 * Checks manifests as a Kubernetes API server would, without one: each object is created, or updated with `against`, as a
 * dry run in an embedded server that is made for the check. Nothing is sent, and no file is read.
 *
 * @param input - YAML or JSON as text, objects, or texts with names.
 * @throws {KubeError} `InvalidArgument` for invalid options. Problems of the input are findings.
 *
 * @example
 * ```ts
 * const { valid, findings } = await check(yaml, { version: "1.36" });
 * ```
 */
export async function check(input: CheckInput, options: CheckOptions = {}): Promise<CheckReport> {
  const stream = checkEach(input, options);
  const results: CheckResult[] = [];
  for await (const result of stream) {
    results.push(result);
  }
  const { summary, versions, notes } = stream;
  const findings = results.flatMap((result) => result.findings);
  return { versions, valid: summary.errors === 0, summary, results, findings, notes };
}

/** Results of a check as they come, and its counts so far. */
export interface CheckStream extends AsyncIterable<CheckResult> {
  readonly versions: readonly string[];
  /** Counts of the results that were read. */
  readonly summary: CheckSummary;
  /** Statements about the check as a whole; complete after the last result. */
  readonly notes: readonly string[];
}

/**
 * Checks manifests like {@link check}, and yields one result per object in the order of the input. Results are not kept, so
 * that an input of any length needs little memory. Can be iterated once.
 *
 * @throws {KubeError} `InvalidArgument` for invalid options.
 */
export function checkEach(input: CheckInput, options: CheckOptions = {}): CheckStream {
  const complete = completeOptions(options);
  const counter = new SummaryCounter();
  const facts: RunFacts = { withoutNamespace: 0, notes: [] };
  return {
    versions: complete.versions,
    get summary() {
      return counter.summary;
    },
    get notes() {
      return notesOf(complete, facts);
    },
    async *[Symbol.asyncIterator]() {
      const { crds = [], policies = [], against = [] } = options;
      const sources = {
        input: await sourcesOf(input, "the input of check()"),
        crds: named(await sourcesOf(crds, "crds"), "crds"),
        policies: named(await sourcesOf(policies, "policies"), "policies"),
        snapshot: (options.snapshot?.objects ?? []).map((object, index) => ({
          name: "snapshot",
          index,
          object,
        })),
        against: named(await sourcesOf(against, "against"), "against"),
      };
      for await (const result of runCheck(sources, complete, facts)) {
        counter.add(result);
        yield result;
      }
    },
  };
}

/** Tells sources without a name of their own apart from those of the input. */
function named(sources: readonly ReadSource[], option: string): readonly ReadSource[] {
  return sources.map((source) =>
    source.name === "objects" || source.name === "text" ? { ...source, name: `${option}` } : source,
  );
}

const newest = "1.37";

function notesOf({ versions, namespace, ...options }: CompleteOptions, facts: RunFacts): string[] {
  const older = versions.filter((version) => version !== newest);
  return [
    ...(older.length === 0
      ? []
      : [
          `Kubernetes ${older.join(", ")}: checked with the schemas of ${newest} and the kinds of the release`,
        ]),
    ...(facts.withoutNamespace === 0 || options.namespaceIsGiven
      ? []
      : [
          `${facts.withoutNamespace} ${facts.withoutNamespace === 1 ? "object names" : "objects name"} no namespace: ${JSON.stringify(namespace)} is assumed`,
        ]),
    ...facts.notes,
  ];
}
