import { type LineEdit, lineEdits } from "./line-edits.js";

/** Context lines around a change, as in `diff -u`. */
const contextLines = 3;

/** Titles of the two sides of a diff. */
export interface DiffTitles {
  readonly before: string;
  readonly after: string;
}

/** Returns the unified diff of two texts; empty when they are equal. */
export function unifiedDiff(before: string, after: string, titles: DiffTitles): string {
  const edits = lineEdits(linesOf(before), linesOf(after));
  const changed = edits.flatMap(({ sign }, i) => (sign === " " ? [] : [i]));
  const hunks: [from: number, to: number][] = [];
  for (const i of changed) {
    const last = hunks.at(-1);
    const from = Math.max(0, i - contextLines);
    const to = Math.min(edits.length, i + contextLines + 1);
    if (last && from <= last[1]) {
      last[1] = to;
    } else {
      hunks.push([from, to]);
    }
  }
  if (hunks.length === 0) {
    return "";
  }
  const lines = hunks.flatMap(([from, to]) => hunkLines(edits, from, to));
  return [`--- ${titles.before}`, `+++ ${titles.after}`, ...lines, ""].join("\n");
}

function hunkLines(edits: readonly LineEdit[], from: number, to: number): string[] {
  const range = (without: "+" | "-") => {
    const count = (part: readonly LineEdit[]) => part.filter(({ sign }) => sign !== without).length;
    const length = count(edits.slice(from, to));
    // An empty side has the number of the line before it.
    return `${count(edits.slice(0, from)) + (length === 0 ? 0 : 1)},${length}`;
  };
  const body = edits.slice(from, to).map(({ sign, line }) => `${sign}${line}`);
  return [`@@ -${range("+")} +${range("-")} @@`, ...body];
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
