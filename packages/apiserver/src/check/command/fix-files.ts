import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { lifecycleOf } from "@typekube/api/lifecycle";
import { checkEach } from "../check.js";
import type { CheckResult } from "../model/check-result.js";
import type { CheckRuleId } from "../model/check-rules.js";
import type { Finding } from "../model/finding.js";
import type { CheckFile, CheckText } from "../options/check-input.js";
import type { CheckOptions } from "../options/check-options.js";
import { isAnchored } from "../text/is-anchored.js";
import { offsetOf } from "../text/offset-of.js";
import { documentsOf } from "../text/source-document.js";

/** Outcome of `--fix` for one object, as a line for people. */
export interface FixOutcome {
  readonly place: string;
  readonly message: string;
  readonly isFixed: boolean;
}

/** An apiVersion to rewrite. */
interface Candidate {
  readonly source: string;
  /** Number of the object in its source. */
  readonly index: number;
  readonly finding: Finding;
  readonly from: string;
  readonly to: string;
}

/** A replacement in a text. */
interface Edit {
  readonly candidate: Candidate;
  readonly start: number;
  readonly end: number;
}

/**
 * Rewrites removed and deprecated apiVersions of files, where the fields of the kind are the same in the replacement. Only the bytes of
 * the value change. Whether the fields are the same is known for the kind, and checked for the object: the file is not changed for an
 * object that then has unknown, missing or mistyped fields, or whose replacement the release does not serve.
 *
 * @returns an outcome for each object with such a version.
 */
export async function fixFiles(
  folder: string,
  sources: readonly (CheckFile | CheckText)[],
  options: CheckOptions,
): Promise<readonly FixOutcome[]> {
  const outcomes: FixOutcome[] = [];
  const candidates: Candidate[] = [];
  for await (const { source, index, result } of indexed(sources, options)) {
    for (const finding of result.findings.filter(isOfVersion)) {
      const found = candidateOf(source, index, finding);
      if (typeof found === "string") {
        outcomes.push(outcomeOf(finding, false, found));
      } else if (found !== undefined) {
        candidates.push(found);
      }
    }
  }
  const texts = await readTexts(folder, candidates);
  const edits = new Map<string, Edit[]>();
  for (const candidate of candidates) {
    const text = texts.get(candidate.source);
    const span = text === undefined ? unwritten : spanOf(text, candidate);
    if (typeof span === "string") {
      outcomes.push(outcomeOf(candidate.finding, false, span));
    } else {
      const all = edits.get(candidate.source) ?? [];
      edits.set(candidate.source, [...all, { candidate, ...span }]);
    }
  }
  const refused = await refusals(sources, options, texts, edits);
  for (const [source, all] of edits) {
    const reasons = new Map(
      all.flatMap(({ candidate, start }) => {
        const why = refused.get(candidate);
        return why === undefined ? [] : [[start, why] as const];
      }),
    );
    // A place that one object refuses stays for all objects that have it.
    const kept = all.filter(({ start }) => !reasons.has(start));
    const failure =
      kept.length === 0
        ? undefined
        : await written(resolve(folder, source), edited(texts.get(source) ?? "", kept));
    for (const { candidate, start } of all) {
      const { finding, from, to } = candidate;
      const why = reasons.get(start) ?? failure;
      outcomes.push(outcomeOf(finding, why === undefined, why ?? `${from} is now ${to}`));
    }
  }
  return outcomes;
}

/** Writes a file. Returns why it could not be written. */
async function written(path: string, text: string): Promise<string | undefined> {
  try {
    await writeFile(path, text);
    return undefined;
  } catch (error) {
    return `the file could not be written: ${(error as Error).message}`;
  }
}

const versionRules: readonly string[] = ["removed-api", "deprecated-api"] satisfies CheckRuleId[];

function isOfVersion({ rule, field }: Finding): boolean {
  return versionRules.includes(rule) && field === "apiVersion";
}

/** Returns the rewriting, a sentence about why it is not possible, or `undefined` for a kind that is not built in. */
function candidateOf(
  source: string,
  index: number,
  finding: Finding,
): Candidate | string | undefined {
  const { apiVersion = "", kind = "" } = finding.object ?? {};
  const { replacedBy, changes = [], removed, deprecated } = lifecycleOf({ apiVersion, kind }) ?? {};
  if (removed === undefined && deprecated === undefined) {
    return undefined;
  }
  if (replacedBy === undefined) {
    return "it has no replacement";
  }
  if (replacedBy.kind !== kind) {
    return `its replacement is another kind: ${replacedBy.apiVersion} ${replacedBy.kind}`;
  }
  const to = replacedBy.apiVersion;
  return changes.length > 0
    ? `fields changed in ${to}: ${changes.join("; ")}`
    : { source, index, finding, from: apiVersion, to };
}

function outcomeOf({ location, object }: Finding, isFixed: boolean, message: string): FixOutcome {
  const { source, line, column } = location;
  const name = object === undefined ? "" : ` (${object.kind} ${object.name})`;
  return { place: `${source}:${line}:${column}`, message: `${message}${name}`, isFixed };
}

async function* indexed(
  sources: readonly (CheckFile | CheckText)[],
  options: CheckOptions,
): AsyncGenerator<{
  readonly source: string;
  readonly index: number;
  readonly result: CheckResult;
}> {
  const names = new Set(sources.map(({ name }) => name));
  const counts = new Map<string, number>();
  for await (const result of checkEach(sources, options)) {
    const { source } = result.location;
    const index = counts.get(source) ?? 0;
    counts.set(source, index + 1);
    if (names.has(source)) {
      yield { source, index, result };
    }
  }
}

/** Reads the files of candidates that are UTF-8. Standard input has no file. */
async function readTexts(
  folder: string,
  candidates: readonly Candidate[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { source } of candidates) {
    if (!texts.has(source) && source !== "-") {
      const bytes = await readFile(resolve(folder, source));
      const text = bytes.toString("utf8");
      if (Buffer.from(text).equals(bytes)) {
        texts.set(source, text);
      }
    }
  }
  return texts;
}

const unwritten = "its apiVersion is not written in a file of UTF-8 at this place";

/** Returns the range of the value without its quotes, or why the value cannot be rewritten there. */
function spanOf(
  text: string,
  { finding: { location }, source, from }: Candidate,
): Pick<Edit, "end" | "start"> | string {
  const { line = 0, column = 0 } = location;
  const start = valueAt(text, line, column);
  const own = [...documentsOf(source, text)].find((one) => one.document === location.document);
  const inOwn = own && valueAt(own.text, line - own.line + 1, column);
  if (
    start === undefined ||
    own === undefined ||
    inOwn === undefined ||
    !text.startsWith(from, start) ||
    !own.text.startsWith(from, inOwn)
  ) {
    return unwritten;
  }
  // The position of a value by an alias is that of its anchor.
  return isAnchored(own.text, inOwn)
    ? "its apiVersion has an anchor, so that a change would reach the aliases, too: write the version at each place"
    : { start, end: start + from.length };
}

/** Returns the offset of a value behind its quote. */
function valueAt(text: string, line: number, column: number): number | undefined {
  const at = offsetOf(text, line, column);
  return at !== undefined && /["']/.test(text.charAt(at)) ? at + 1 : at;
}

/** Returns the text with the edits. */
function edited(text: string, edits: readonly Edit[]): string {
  const byStart = new Map(edits.map((edit) => [edit.start, edit]));
  let [whole, end] = ["", 0];
  for (const edit of [...byStart.values()].sort((a, b) => a.start - b.start)) {
    whole += text.slice(end, edit.start) + edit.candidate.to;
    end = edit.end;
  }
  return whole + text.slice(end);
}

/** Rules whose errors after a rewriting mean that the object does not fit the replacement. */
const shapeRules: readonly string[] = [
  "field-required",
  "field-type",
  "not-served",
  "removed-api",
  "unknown-field",
  "unknown-kind",
  "unknown-version",
  "wrong-type",
] satisfies CheckRuleId[];

/** Checks the rewritten texts before they are written; returns why some objects must stay as they are. */
async function refusals(
  sources: readonly (CheckFile | CheckText)[],
  options: CheckOptions,
  texts: ReadonlyMap<string, string>,
  edits: ReadonlyMap<string, readonly Edit[]>,
): Promise<ReadonlyMap<Candidate, string>> {
  const refused = new Map<Candidate, string>();
  if (edits.size === 0) {
    return refused;
  }
  const trial = sources.map((source): CheckFile | CheckText => {
    const own = edits.get(source.name);
    const { name } = source;
    return own === undefined ? source : { name, text: edited(texts.get(name) ?? "", own) };
  });
  for await (const { source, index, result } of indexed(trial, options)) {
    const edit = edits.get(source)?.find(({ candidate }) => candidate.index === index);
    const problem = result.findings.find(({ rule }) => shapeRules.includes(rule));
    if (edit !== undefined && problem !== undefined) {
      refused.set(edit.candidate, `it does not fit ${edit.candidate.to}: ${problem.message}`);
    }
  }
  return refused;
}
