import type { CompileProblem } from "../syntax/compile-problem.js";

/** Thrown for an expression that does not compile. */
export class CelCompileError extends Error {
  override readonly name = "CelCompileError";
  /** The problems in the order of the text; at least one. */
  readonly problems: readonly CompileProblem[];

  constructor(message: string, problems: readonly CompileProblem[]) {
    super(message);
    this.problems = problems;
  }
}
