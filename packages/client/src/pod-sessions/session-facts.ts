import type { CallContext } from "../request/call-context.js";
import type { Detach } from "./detach-keys.js";
import type { JoinLog } from "./join-log.js";
import type { OutputFilter } from "./output-filter.js";
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
  /** Takes what a wrapper wrote out of the output. */
  readonly filter?: OutputFilter | undefined;
  /** Terminates the process when the session ends before it. */
  readonly terminator?: Terminator | undefined;
  /** Ends the session by keys in its input. */
  readonly detach?: Detach<Code> | undefined;
}

/** How a process is terminated whose session has failed. */
export interface Terminator {
  /** Resolves when it is known which process that is, or does not become known soon. */
  ready(): Promise<void>;
  /** Resolves when the signal was sent, or could not be sent. */
  terminate(): Promise<void>;
}
