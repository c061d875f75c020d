import { KubeError } from "@typekube/core";
import { type Clock, monotonicNow } from "@typekube/core/internal";
import type { Entry } from "./schedule.js";

/** Milliseconds between two warnings about one controller. */
const warningIntervalMs = 60_000;

/** Code of the warnings. `node --disable-warning=TYPEKUBE_APISERVER` turns them off; so does any `onError`. */
export const serverWarningCode = "TYPEKUBE_APISERVER";

/** Reports an error of a controller that is not a rejected write, such as one thrown by a stage's function. */
export type ReportError = (entry: Entry, error: unknown) => void;

/** Creates the reports of one server: to `onError`, otherwise as warnings of the process. */
export function reportError(
  clock: Clock,
  onError: ((error: KubeError) => void) | undefined,
): ReportError {
  const warn = warnings(clock);
  return ([{ name }, key], cause) => {
    const { rawMessage } = KubeError.from(cause);
    const text = `the controller "${name}" failed on ${key}: ${rawMessage}`;
    const error = new KubeError("InternalError", text, { cause });
    if (onError === undefined) {
      warn(name, error);
      return;
    }
    try {
      onError(error);
    } catch (thrown) {
      // The caller chose to fail; the controllers go on.
      setImmediate(() => {
        throw thrown;
      });
    }
  };
}

/** Prints the first error of a controller at once, and then at most one a minute. */
function warnings(clock: Clock): (controller: string, error: KubeError) => void {
  const states = new Map<string, { nextAt: number; suppressed: number }>();
  return (controller, error) => {
    const state = states.get(controller) ?? { nextAt: Number.NEGATIVE_INFINITY, suppressed: 0 };
    states.set(controller, state);
    const now = monotonicNow(clock);
    if (now < state.nextAt) {
      state.suppressed += 1;
      return;
    }
    const { suppressed } = state;
    state.nextAt = now + warningIntervalMs;
    state.suppressed = 0;
    const more = suppressed > 0 ? ` (${suppressed} more errors since the last warning)` : "";
    const { cause } = error;
    const advice =
      "pass onError to startApiServer() to handle these errors, or --disable-warning=TYPEKUBE_APISERVER to hide them";
    process.emitWarning(`embedded API server: ${error.rawMessage}${more}`, {
      type: "TypeKubeWarning",
      code: serverWarningCode,
      detail: cause instanceof Error ? `${cause.stack}\n${advice}` : advice,
    });
  };
}
