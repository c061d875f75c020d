import { assertIsOptions } from "@typekube/client/internal";
import { assertOptions, type OptionTable } from "@typekube/core/internal";

/** Options of a wait on an informer. */
export interface WaitOptions {
  /** Aborts the wait, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the wait rejects. Default: no limit; for `Informer.synced`, its `failAfterMs`. */
  readonly timeoutMs?: number | undefined;
}

const waitOptions: OptionTable<WaitOptions> = { signal: true, timeoutMs: true };

/**
 * Rejects unknown options: a misspelled timeout would set no limit. The values are checked when the wait begins.
 *
 * @throws {KubeError} `InvalidArgument` that names the option.
 */
export function assertWaitOptions(options: WaitOptions): void {
  assertIsOptions(options);
  assertOptions("a wait", options, waitOptions);
}
