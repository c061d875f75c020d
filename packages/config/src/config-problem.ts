import { KubeError } from "@typekube/core";

/**
 * Kinds of problems: nothing configured at all, a named file that does not exist, a file that cannot be read, one that is not a
 * kubeconfig, a context that does not exist, content that cannot work, a file that is locked or cannot be written, or something
 * that TypeKube does not support.
 */
export type ConfigProblemKind =
  | "ContextMissing"
  | "Empty"
  | "FileMissing"
  | "Invalid"
  | "Locked"
  | "Malformed"
  | "Unreadable"
  | "Unsupported"
  | "Unwritable";

/** One thing that is wrong with a configuration; the `cause` of a KubeError with code `Config`, alone or among others. */
export class ConfigProblem extends Error {
  override readonly name = "ConfigProblem";
  readonly kind: ConfigProblemKind;

  constructor(kind: ConfigProblemKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** The error for everything that was found, in one message: people like to repair all of it at once. */
export function configError(problems: readonly ConfigProblem[], hint?: string): KubeError {
  const [first] = problems;
  const message = problems.map((problem) => problem.message).join("; ");
  const cause = problems.length === 1 ? first : new AggregateError(problems, message);
  return new KubeError("Config", message, { cause, hint });
}

/** Whether an error says, perhaps among other things, that the configuration has this kind of problem. */
export function hasConfigProblem(error: unknown, kind: ConfigProblemKind): boolean {
  if (!(error instanceof KubeError)) {
    return false;
  }
  const { cause } = error;
  const problems = cause instanceof AggregateError ? (cause.errors as unknown[]) : [cause];
  return problems.some((problem) => (problem as ConfigProblem | undefined)?.kind === kind);
}
