import type { ApiServer } from "../api-server.js";
import type { FaultRule } from "./fault-rule.js";
import type { Fault } from "./faults.js";

/** What a preset needs of a server. */
type Server = Pick<ApiServer, "dropWatches" | "fault">;

const writes: ReadonlySet<string> = new Set([
  "create",
  "delete",
  "deletecollection",
  "patch",
  "update",
]);

/** Whose process dies, and when. */
export interface CrashOptions {
  /** The name of the user that the process comes as. Default: everybody's. */
  readonly user?: string | undefined;
  /** After so many writes. Default 1. */
  readonly afterWrites?: number | undefined;
}

/**
 * A process dies between two of its writes: what it has written stays, and from its next write on no request of it
 * arrives any more, and its watches break. `remove()` is its new start.
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
 * The next read comes from a server that has not seen the last `writes` yet, as behind a load balancer with several.
 *
 * @param rule - which read; default: the next list, get or watch of anything.
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
 * A watch never tells of an event: it is lost together with the watch, which ends with a 410. Whoever lists then sees only
 * what came of it. The history still has it, for who watches from an older version all the same: `compact()` takes it away.
 *
 * @param rule - which event; default: the next one of any watch.
 */
export function missedEvent(
  server: Server,
  rule: Pick<FaultRule, "eventType" | "name" | "namespace" | "resource" | "skip" | "user"> = {},
): Fault {
  return server.fault({ ...rule, event: "expire" });
}
