import type { WatchSelector } from "../store/watch-hub.js";
import type { FaultRule } from "./fault-rule.js";
import type { Fault } from "./faults.js";

/** The server methods that presets use. */
interface Server {
  fault(rule: FaultRule): Fault;
  dropWatches(choice: WatchSelector): number;
}

const writes: ReadonlySet<string> = new Set([
  "create",
  "delete",
  "deletecollection",
  "patch",
  "update",
]);

/** Options of a simulated crash. */
export interface CrashOptions {
  /** Name of the user whose process crashes. Default: all users. */
  readonly user?: string | undefined;
  /** Number of writes before the crash. Default 1. */
  readonly afterWrites?: number | undefined;
}

/**
 * Simulates a process that crashes between two writes: earlier writes persist, its next write and all later requests
 * are reset, and its watches break. `remove()` restarts it.
 */
export function crashBetweenWrites(
  server: Server,
  { user, afterWrites = 1 }: CrashOptions = {},
): Fault {
  let count = 0;
  let isDead = false;
  const whose = user === undefined ? {} : { user };
  return server.fault({
    ...whose,
    when({ verb }) {
      if (!isDead && writes.has(verb)) {
        count += 1;
        if (count > afterWrites) {
          isDead = true;
          server.dropWatches(whose);
        }
      }
      return isDead;
    },
    reset: "before",
    times: Number.POSITIVE_INFINITY,
  });
}

/**
 * Serves the next read from a state that lacks the last `writes`, like a lagging server behind a load balancer.
 *
 * @param rule - selects the read; default: the next list, get or watch of any resource.
 */
export function staleRead(
  server: Server,
  {
    writes: staleBy,
    ...rule
  }: Pick<FaultRule, "name" | "namespace" | "resource" | "times" | "user" | "verb"> & {
    readonly writes: number;
  },
): Fault {
  return server.fault({ ...rule, staleBy });
}

/**
 * Loses a watch event together with its watch, which ends with a 410. A client that relists sees only the resulting
 * state. The history still holds the event for clients that watch from an older resourceVersion; `compact()` removes
 * it.
 *
 * @param rule - selects the event; default: the next one of any watch.
 */
export function missedEvent(
  server: Server,
  rule: Pick<FaultRule, "eventType" | "name" | "namespace" | "resource" | "skip" | "user"> = {},
): Fault {
  return server.fault({ ...rule, event: "expire" });
}
