import type { ApplyOptions } from "./write-options.js";

/** Returns the options of a write that a read takes, too. */
export function callOptionsOf({
  signal,
  timeoutMs,
  onWarning,
  impersonate,
  encoding,
}: ApplyOptions): Pick<
  ApplyOptions,
  "encoding" | "impersonate" | "onWarning" | "signal" | "timeoutMs"
> {
  return { signal, timeoutMs, onWarning, impersonate, encoding };
}
