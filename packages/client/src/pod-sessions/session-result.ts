/** How a process ended. */
export interface SessionResult<Code extends number | undefined = number> {
  /**
   * Exit code of the process; 137 when it was killed. After `attach` it is `undefined` when the pod did not state it
   * within 5 seconds.
   */
  readonly exitCode: Code;
  /** `true` when the detach keys ended the session: the process goes on, and `exitCode` is `undefined`. */
  readonly isDetached?: true;
}
