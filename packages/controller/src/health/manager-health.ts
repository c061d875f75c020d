import type { Clock } from "@typekube/core/internal";
import type { Route } from "../http/http-listener.js";
import type { Log } from "../log/log.js";
import type { KindCache } from "../sources/kind-cache.js";
import { CheckSet } from "./check-set.js";
import { EventLoopLag } from "./event-loop-lag.js";
import type { HealthOptions } from "./health-options.js";
import { healthRoute } from "./health-route.js";

/** Parts of a manager that its health depends on. */
export interface HealthSources {
  readonly clock: Clock;
  readonly log: Log;
  /** Returns the caches of all controllers. */
  readonly caches: () => readonly KindCache[];
  /** Returns the kinds that controllers do without because their definitions are absent. */
  readonly inactiveKinds: () => readonly string[];
  /** Returns why this process should not believe to lead; `undefined` when it need not. */
  readonly electionProblem: () => Error | undefined;
  /** Returns why API servers cannot rely on the webhooks; empty when they can, and without webhooks. */
  readonly webhookProblems: () => readonly string[];
  /** Returns true while the manager runs: neither starts nor stops. */
  readonly isRunning: () => boolean;
}

/** The checks of a manager. */
export interface ManagerHealth {
  readonly routes: readonly Route[];
  /** Checks that restart the process when they fail. */
  readonly live: CheckSet;
  /** Checks that take the process out of Services when they fail. */
  readonly ready: CheckSet;
  close(): void;
}

/** Milliseconds for which a cache may not follow the server before the process is not ready. */
const maxStallMs = 300_000;

/**
 * Creates the checks of a manager. Live: `ping`, `event-loop` and `leader-election`. Ready: `running`, `caches-synced`, `webhooks` and
 * `informers-not-stalled`; `?verbose` also lists the inactive kinds, which fail no check, and the fields that caches keep. An outage of the API server fails no live check: a restart would not help.
 */
export function createManagerHealth(
  { checks = {} }: HealthOptions,
  { clock, log, caches, inactiveKinds, isRunning, electionProblem, webhookProblems }: HealthSources,
): ManagerHealth {
  const lag = new EventLoopLag(clock);
  const live = new CheckSet(clock, {
    ping() {},
    "event-loop": () => lag.check(),
    "leader-election"() {
      const problem = electionProblem();
      if (problem !== undefined) {
        throw problem;
      }
    },
    ...checks.live,
  });
  const ready = new CheckSet(clock, {
    running() {
      if (!isRunning()) {
        throw new Error("the manager starts or stops");
      }
    },
    "caches-synced"() {
      const pending = caches().filter(({ isSynced }) => !isSynced);
      if (pending.length > 0) {
        throw new Error(`not synced: ${pending.map(({ id }) => id).join(", ")}`);
      }
    },
    "informers-not-stalled"() {
      const stalled = caches().filter((cache) => isStalled(cache, clock.now()));
      if (stalled.length > 0) {
        throw new Error(`stalled: ${stalled.map(({ id }) => id).join(", ")}`);
      }
    },
    webhooks() {
      const problems = webhookProblems();
      if (problems.length > 0) {
        throw new Error(problems.join(", "));
      }
    },
    ...checks.ready,
  });
  const onFailed = (path: string, name: string, error: Error) =>
    log.info(`${path}: the check ${name} failed: ${error.message}`);
  const notes = () => [
    ...inactiveKinds().map((kind) => `warn: inactive, as its definition is absent: ${kind}`),
    ...new Set(caches().flatMap(fieldsNote)),
  ];
  return {
    routes: [
      healthRoute("/healthz", live, onFailed),
      healthRoute("/readyz", ready, onFailed, notes),
    ],
    live,
    ready,
    close: () => lag.close(),
  };
}

/** Tells people which fields a cache keeps; nothing about one with whole objects. */
function fieldsNote({ id, kept }: KindCache): string[] {
  if (kept === undefined) {
    return [];
  }
  const { fields, addedFields } = kept;
  const added =
    addedFields.length === 0 ? "" : `; added for the controller: ${addedFields.join(", ")}`;
  return [`info: ${id} is cached with ${fields.join(", ") || "no further fields"}${added}`];
}

function isStalled({ informers, served }: KindCache, now: number): boolean {
  if (served.isInactive) {
    return false;
  }
  return informers.some(({ health: { stalledSince } }) => {
    return stalledSince !== undefined && now - stalledSince > maxStallMs;
  });
}
