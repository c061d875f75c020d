import { KubeError } from "@typekube/core";
import { linkAbort } from "@typekube/core/internal";
import { type Credentials, concealed } from "@typekube/transport";
import { type RefreshOutcome, refreshPublisher } from "@typekube/transport/internal";
import type { CredentialsCall } from "../credentials/credentials-types.js";
import { oneRunAtATime, type Waiters } from "../credentials/shared-run.js";
import type { ExecOptions } from "./exec-options.js";
import type { ExecSource } from "./exec-source.js";
import { obtainCredential } from "./obtain-credential.js";
import { failureOf } from "./plugin-failure.js";
import type { ExecCredential } from "./read-exec-credential.js";

/**
 * Milliseconds before expiry at which credentials are refreshed, at most a tenth of their lifetime. client-go waits
 * until they expire.
 */
export const execRefreshSkewMs = 30_000;

/**
 * Milliseconds that a call waits for new credentials while the old ones are still valid. The plugin keeps running after
 * that.
 */
export const execPatienceMs = 1_000;

/** Milliseconds until the next attempt after a failed or slow refresh, while the old credentials are still valid. */
export const execRetryMs = 5_000;

/** Install hints per plugin and hour, as in client-go, so that a loop of calls does not flood a log with them. */
const maxHints = 10;
const hintIntervalMs = 3_600_000;

interface Held extends ExecCredential {
  readonly headers: Readonly<Record<string, string>>;
  refreshAtMs: number;
}

/**
 * Provides credentials from an exec plugin. The plugin runs for the first request, again shortly before the credentials
 * expire, and after a 401. All waiting calls share one run. The plugin is killed when no call waits for it, unless the
 * last call timed out: short deadlines would otherwise prevent an interactive login from finishing.
 */
export function execCredentials(source: ExecSource, options: ExecOptions): Credentials {
  const { clock } = options;
  let held: Held | undefined;
  /**
   * Headers that were rejected with 401 and refreshed since. Other calls sent with the same headers get that result
   * without another run.
   */
  const refusedBefore = new WeakSet<object>();
  const mayHint = hints(() => clock.now());

  const tell = refreshPublisher("exec");

  const obtain = async (why: RefreshOutcome["reason"], waiters: Waiters): Promise<Held> => {
    const reason = held ? why : "first";
    try {
      const credential = await obtainCredential(source, options, waiters, mayHint);
      if (held && why === "unauthorized") {
        refusedBefore.add(held.headers);
      }
      held = hold(credential, held, clock.now());
    } catch (error) {
      const failure = waiters.signal.aborted ? "aborted" : failureOf(error);
      tell({ reason, ok: false, error, ...(failure ? { failure } : {}) });
      throw error;
    }
    const { expiresAtMs: expiresAt } = held;
    tell({ reason, ok: true, ...(expiresAt === undefined ? {} : { expiresAt }) });
    return held;
  };
  const run = oneRunAtATime(obtain, isTimeUp);
  const current = async (call: CredentialsCall | undefined): Promise<Held> => {
    const known = held;
    const now = clock.now();
    if (!known || isOver(known, now)) {
      return run("expiry", call?.signal);
    }
    if (now < known.refreshAtMs) {
      return known;
    }
    using patience = linkAbort(call?.signal);
    const late = new KubeError("DeadlineExceeded", "the exec plugin has not returned yet");
    const cancel = clock.schedule(execPatienceMs, () => patience.abort(late), true);
    try {
      return await run("expiry", patience.signal);
    } catch (error) {
      if (isOver(known, clock.now()) && error === late) {
        return run("expiry", call?.signal);
      }
      if (call?.signal.aborted || isOver(known, clock.now())) {
        throw error;
      }
      known.refreshAtMs = clock.now() + execRetryMs;
      return known;
    } finally {
      cancel();
    }
  };

  return concealed("exec plugin", {
    headers: async (call) => (await current(call)).headers,
    certificate: async (call) => (held ?? (await current(call))).certificate,
    refresh: async (refused, call) => {
      const before = refused ?? held;
      if (held && before && (isOther(held, before) || refusedBefore.has(before.headers))) {
        return isOther(held, before);
      }
      const next = await run("unauthorized", call?.signal);
      return before === undefined || isOther(next, before);
    },
  });
}

/** Keeps the previous certificate object when the certificate is unchanged: a new object would cause new connections. */
function hold(credential: ExecCredential, before: Held | undefined, now: number): Held {
  const { token, certificate, expiresAtMs } = credential;
  const same = before?.certificate && certificate && isSame(before.certificate, certificate);
  const lifeMs = Math.max(0, (expiresAtMs ?? 0) - now);
  return {
    token,
    expiresAtMs,
    certificate: same ? before.certificate : certificate,
    headers: token ? { authorization: `Bearer ${token.reveal()}` } : {},
    refreshAtMs:
      expiresAtMs === undefined
        ? Number.POSITIVE_INFINITY
        : expiresAtMs - Math.min(execRefreshSkewMs, lifeMs / 10),
  };
}

/** Returns true when a caller stopped waiting because of a deadline: ours, or an `AbortSignal.timeout`. */
function isTimeUp(reason: unknown): boolean {
  return (
    (reason instanceof KubeError && reason.code === "DeadlineExceeded") ||
    (reason instanceof Error && reason.name === "TimeoutError")
  );
}

function isOver({ expiresAtMs }: Held, now: number): boolean {
  return expiresAtMs !== undefined && now >= expiresAtMs;
}

type Shown = Pick<Held, "certificate" | "headers">;

function isOther(one: Shown, other: Partial<Shown>): boolean {
  return (
    one.headers["authorization"] !== other.headers?.["authorization"] ||
    one.certificate !== other.certificate
  );
}

function isSame(
  one: NonNullable<Held["certificate"]>,
  other: NonNullable<Held["certificate"]>,
): boolean {
  return one.cert === other.cert && textOf(one.key) === textOf(other.key);
}

function textOf(key: NonNullable<Held["certificate"]>["key"]): string {
  return typeof key === "object" && "reveal" in key ? key.reveal() : String(key);
}

function hints(now: () => number): () => boolean {
  let shown = 0;
  let from = Number.NEGATIVE_INFINITY;
  return () => {
    if (now() - from >= hintIntervalMs) {
      from = now();
      shown = 0;
    }
    shown += 1;
    return shown <= maxHints;
  };
}
