import { KubeError } from "@typekube/core";

/** Output of a command. */
export interface ExecOutput<T extends Buffer | string = string> {
  /** 0, or the code with which the command failed; 137 when it was killed. */
  readonly exitCode: number;
  readonly stdout: T;
  readonly stderr: T;
}

const outputs = new WeakMap<KubeError, ExecOutput<Buffer | string>>();

/**
 * Returns the output that a failed `exec` had collected: of a `CommandFailed`; of a `TooLarge`, and of a `Decode` by
 * `verifyOutput`, whose exit code is -1. It is not part of the error, so that logs do not show it. `undefined` for any other error.
 */
export function outputOf(error: unknown): ExecOutput<Buffer | string> | undefined {
  return error instanceof KubeError ? outputs.get(error) : undefined;
}

/** Remembers the output that a failed command had. */
export function withOutput(error: KubeError, output: ExecOutput<Buffer | string>): KubeError {
  outputs.set(error, output);
  return error;
}
