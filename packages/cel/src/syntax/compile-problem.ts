import type { CelSource } from "./cel-source.js";

/** An error in the text of an expression. */
export interface CompileProblem {
  /** For example "undeclared reference to 'x' (in container '')". */
  readonly message: string;
  /** Line, from 1; -1 if the problem concerns the whole expression. */
  readonly line: number;
  /** Column in code points, from 1; 0 if the problem concerns the whole expression. */
  readonly column: number;
  /** Offset in code points from the start, from 0; -1 if the problem concerns the whole expression. */
  readonly offset: number;
}

/** Largest number of problems that are reported. */
export const maxProblems = 100;

/** Longest line, in code points, that is shown below a problem. */
const maxSnippet = 16_384;

/** Collects the problems of one expression. */
export class ProblemList {
  readonly source: CelSource;
  readonly #found: CompileProblem[] = [];
  #count = 0;
  #syntaxError: CompileProblem | undefined;

  constructor(source: CelSource) {
    this.source = source;
  }

  /** Number of problems, including those beyond `maxProblems`. */
  get count(): number {
    return this.#count;
  }

  /** Adds a problem at an offset in code points; an offset of -1 stands for the whole expression. */
  add(offset: number, message: string): void {
    this.#count += 1;
    if (this.#count > maxProblems) {
      return;
    }
    const { line, column } = this.source.location(offset);
    this.#found.push({ message, line, column, offset });
  }

  /** Adds a syntax error. Only the first one of the text is kept: what follows it is a guess. */
  addSyntaxError(offset: number, message: string): void {
    this.#count += 1;
    if (this.#syntaxError === undefined || offset < this.#syntaxError.offset) {
      const { line, column } = this.source.location(offset);
      this.#syntaxError = { message: `Syntax error: ${message}`, line, column, offset };
    }
  }

  /** Returns the problems in the order of the text. */
  sorted(): readonly CompileProblem[] {
    if (this.#syntaxError !== undefined) {
      return [this.#syntaxError];
    }
    return this.#found.toSorted((a, b) => a.line - b.line || a.column - b.column);
  }

  /** Returns all problems as cel-go prints them: position, message, the line and a caret. */
  toString(): string {
    const lines = this.sorted().map((problem) => display(problem, this.source));
    if (this.#found.length === maxProblems && this.#count > maxProblems) {
      lines.push(`${this.#count - maxProblems} more errors were truncated`);
    }
    return lines.join("\n");
  }
}

function display({ message, line, column }: CompileProblem, source: CelSource): string {
  const head = `ERROR: <input>:${line}:${column}: ${message}`;
  const snippet = source.line(line);
  if (snippet === undefined) {
    return head;
  }
  const points = Array.from(snippet.replaceAll("\t", " "));
  if (points.length > maxSnippet) {
    return head;
  }
  const dots = points
    .slice(0, Math.max(column - 1, 0))
    .map((point) => (isWide(point) ? "．" : "."));
  const caret = isWide(points[column - 1] ?? "") ? "＾" : "^";
  return `${head}\n | ${points.join("")}\n | ${dots.join("")}${caret}`;
}

/** Returns true for a character that takes several bytes in UTF-8: its mark is wide, too. */
function isWide(point: string): boolean {
  return point > "\u007f";
}
