/**
 * An error of evaluation, as a value: operators and functions pass it on, `&&`, `||`, `all` and `exists` may absorb it.
 * It is no `Error`, since most failures are absorbed and a stack trace would cost more than the evaluation.
 */
export class CelFailure {
  /** The message, for example "no such key: a". */
  readonly message: string;
  /** The original error when a function of the user threw. */
  readonly cause: unknown;

  constructor(message: string, cause?: unknown) {
    this.message = message;
    this.cause = cause;
  }
}

/** Returns the failure of an operation that is not defined for the types of its operands. */
export function noSuchOverload(detail?: string): CelFailure {
  return new CelFailure(detail === undefined ? "no such overload" : `no such overload: ${detail}`);
}

/** Returns true for a failure. */
export function isFailure(value: unknown): value is CelFailure {
  return value instanceof CelFailure;
}
