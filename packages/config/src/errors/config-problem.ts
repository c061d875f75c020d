import { KubeError } from "@typekube/core";

/**
 * Kinds of configuration problems:
 *
 * - `ContextMissing`: the context does not exist, or no current context is set.
 * - `Empty`: no configuration was found.
 * - `FileMissing`: a named file or the program of an exec plugin does not exist.
 * - `Invalid`: the content cannot work or is not allowed.
 * - `Locked`: a kubeconfig file is locked, or cannot be locked.
 * - `Malformed`: the content is not a kubeconfig.
 * - `Unreadable`: a file cannot be read.
 * - `Unsupported`: TypeKube does not support something that is configured.
 * - `Unwritable`: a file cannot be written.
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

/** One problem of a configuration. It is the `cause` of a KubeError with code `Config`, alone or in an AggregateError. */
export class ConfigProblem extends Error {
  override readonly name = "ConfigProblem";
  readonly kind: ConfigProblemKind;

  constructor(kind: ConfigProblemKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Creates one error for all problems found, so that a user can fix them together. */
export function configError(problems: readonly ConfigProblem[], hint?: string): KubeError {
  const [first] = problems;
  const message = problems.map((problem) => problem.message).join("; ");
  const cause = problems.length === 1 ? first : new AggregateError(problems, message);
  return new KubeError("Config", message, { cause, hint });
}

/** Returns true when a configuration error reports a problem of this kind, alone or among others. */
export function hasConfigProblem(error: unknown, kind: ConfigProblemKind): boolean {
  if (!(error instanceof KubeError)) {
    return false;
  }
  const { cause } = error;
  const problems = cause instanceof AggregateError ? (cause.errors as unknown[]) : [cause];
  return problems.some((problem) => (problem as ConfigProblem | undefined)?.kind === kind);
}
