import type { CallContext } from "../request/call-context.js";
import type { JoinLog } from "./join-log.js";
import type { SessionStreams } from "./session-options.js";

/** Facts about a session that its start found. */
export interface SessionFacts<Code extends number | undefined = number> {
  readonly kind: "attach" | "exec";
  readonly context: CallContext;
  readonly namespace: string;
  /** Name of the pod. */
  readonly pod: string;
  /** Name of the container; `undefined` when the server chose it. */
  readonly container: string | undefined;
  readonly streams: SessionStreams;
  /** `true` when the caller writes to stdin. */
  readonly hasStdinStream: boolean;
  readonly isDisconnecting: boolean;
  readonly signal: AbortSignal | undefined;
  readonly sessionTimeoutMs: number | undefined;
  /** Reads the exit code that the status of the session does not have. Default: that of the status. */
  readonly readExitCode?: ((ofStatus: number) => Promise<Code>) | undefined;
  /** Puts the log in front of the output. */
  readonly joinLog?: JoinLog | undefined;
}
