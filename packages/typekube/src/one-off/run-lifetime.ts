import { KubeError } from "@typekube/core";
import { type Clock, callScope, linkAbort } from "@typekube/core/internal";

/** The time in which a session may run. */
export interface RunLifetime {
  /** Aborted by the caller, by the scope of the call, or when the run takes too long. */
  readonly signal: AbortSignal;
  /** Ends it. Idempotent; an abort ends it, too. */
  end(): Promise<void>;
}

/** @param onEnd - called once. */
export function runLifetime(
  clock: Clock,
  {
    signal,
    sessionTimeoutMs = 0,
  }: { readonly signal?: AbortSignal | undefined; readonly sessionTimeoutMs?: number | undefined },
  onEnd: () => Promise<void>,
): RunLifetime {
  const abort = linkAbort(signal, callScope()?.signal);
  const tooLong = () =>
    abort.abort(
      new KubeError("DeadlineExceeded", `the session took more than ${sessionTimeoutMs} ms`),
    );
  const cancel = sessionTimeoutMs > 0 ? clock.schedule(sessionTimeoutMs, tooLong) : () => {};
  let ended: Promise<void> | undefined;
  const end = (): Promise<void> => {
    cancel();
    abort[Symbol.dispose]();
    ended ??= onEnd();
    return ended;
  };
  const onAbort = () => void end().catch(() => {});
  if (abort.signal.aborted) {
    onAbort();
  }
  abort.signal.addEventListener("abort", onAbort, { once: true });
  return { signal: abort.signal, end };
}
