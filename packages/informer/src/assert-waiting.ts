import { KubeError } from "@typekube/core";

/** What a wait is about, before it begins: a mistake would be told when its time is up, or never. */
interface Wait {
  readonly signal?: AbortSignal | null | undefined;
  readonly timeoutMs?: number | undefined;
}

/**
 * Refuses a limit that is none and what only looks like a signal.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertWait(options: Wait): void {
  if (typeof options !== "object" || options === null) {
    throw new KubeError("InvalidArgument", "options: must be an object");
  }
  const { signal, timeoutMs = 0 } = options;
  if (typeof timeoutMs !== "number" || !(timeoutMs >= 0)) {
    throw new KubeError("InvalidArgument", "timeoutMs: must be a number of 0 or more", {
      hint: "milliseconds; leave it out to wait without a limit",
    });
  }
  if (signal && typeof signal.throwIfAborted !== "function") {
    throw new KubeError("InvalidArgument", "signal: must be an AbortSignal");
  }
}

/**
 * Refuses a name that no object has, and a condition that cannot be asked.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertWaitFor(name: string, condition: unknown): void {
  if (typeof name !== "string" || /^$|^\.{1,2}$|[/%]/.test(name)) {
    throw new KubeError("InvalidArgument", `no object is called ${JSON.stringify(name)}`);
  }
  if (typeof condition !== "function") {
    throw new KubeError("InvalidArgument", "a condition to wait for must be a function", {
      hint: 'condition("Ready"), exists(), deleted() and jsonPath(".status.phase", "Running") make one',
    });
  }
}
