/** Name of an output of a process. */
export type OutputName = "stderr" | "stdout";

/** Takes what the wrapper of a command wrote out of the command's output. */
export interface OutputFilter {
  /** Returns the bytes of the command that are certain by now. The others come with later ones, or at the end. */
  pass(name: OutputName, bytes: Buffer): Buffer;
  /**
   * Returns the rest, once the process has ended and all of its output was passed.
   *
   * @throws {KubeError} when output is missing.
   */
  end(exitCode: number): Readonly<Record<OutputName, Buffer>>;
}

/** Returns a filter for a command in two wrappers; the outer one reads first. */
export function filterChain(outer: OutputFilter, inner: OutputFilter): OutputFilter {
  return {
    pass: (name, bytes) => inner.pass(name, outer.pass(name, bytes)),
    end(exitCode) {
      const { stdout, stderr } = outer.end(exitCode);
      const passed = { stdout: inner.pass("stdout", stdout), stderr: inner.pass("stderr", stderr) };
      const rest = inner.end(exitCode);
      return {
        stdout: Buffer.concat([passed.stdout, rest.stdout]),
        stderr: Buffer.concat([passed.stderr, rest.stderr]),
      };
    },
  };
}
