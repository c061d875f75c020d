import { KubeError } from "@typekube/core";
import { type Clock, monotonicNow, systemClock } from "@typekube/core/internal";
import { fileProblemOf, isPlausiblePath, readConfigFile, shownPath } from "./config-file.js";
import { type Credentials, concealed } from "./credentials.js";
import { reveal, type Secret } from "./secret.js";
import { type RefreshOutcome, refreshTeller } from "./tell-refresh.js";

/** client-go pretends that a token from a file lives a minute, and reads it again 10 s before that is over. */
const tokenLifetimeMs = 50_000;

/** How a token file is read. */
export interface TokenFileOptions {
  readonly clock?: Clock | undefined;
  /** Used until the first minute is over, when a configuration holds both a token and a file. */
  readonly initialToken?: Secret | string | undefined;
  /** Reads the file; for tests. */
  readonly read?: ((path: string) => Promise<string>) | undefined;
}

/**
 * A token that lives in a file and is replaced there, as a service account's. It is read again each minute. When
 * that fails the last good token is kept; without one the error is the caller's.
 */
export function tokenFile(path: string, options: TokenFileOptions = {}): Credentials {
  const clock = options.clock ?? systemClock;
  const read = options.read ?? ((file: string) => readConfigFile(file, { clock }));
  let token = reveal(options.initialToken ?? "");
  let readAt = token === "" ? Number.NEGATIVE_INFINITY : monotonicNow(clock);
  let reading: Promise<string> | undefined;
  const tell = refreshTeller("token-file");

  const load = async (why: RefreshOutcome["reason"]): Promise<string> => {
    const reason = token === "" ? "first" : why;
    try {
      const text = (await read(path)).trim();
      if (text === "") {
        throw new KubeError("Config", `the token file ${shownPath(path)} is empty`);
      }
      const isNew = token !== text;
      token = text;
      if (isNew) {
        tell({ reason, ok: true });
      }
    } catch (error) {
      tell({ reason, ok: false, error });
      if (token === "") {
        throw error instanceof KubeError
          ? error
          : new KubeError(
              "Config",
              `the token file ${shownPath(path)} cannot be read (${fileProblemOf(error)})`,
              // The system's message quotes the path.
              { cause: isPlausiblePath(path) ? error : undefined },
            );
      }
    }
    readAt = monotonicNow(clock);
    return token;
  };
  // Calls that come while the file is read share that read.
  const current = (why: RefreshOutcome["reason"] = "changed"): Promise<string> => {
    const ageMs = monotonicNow(clock) - readAt;
    // On a clock without a monotonic reading a token may come from the future, when somebody set the time of day back.
    if (token !== "" && ageMs >= 0 && ageMs < tokenLifetimeMs) {
      return Promise.resolve(token);
    }
    reading ??= load(why).finally(() => {
      reading = undefined;
    });
    return reading;
  };

  return concealed("token file", {
    headers: async () => ({ authorization: `Bearer ${await current()}` }),
    refresh: async (refused) => {
      const before = refused?.headers["authorization"] ?? `Bearer ${token}`;
      if (before !== `Bearer ${token}`) {
        // Read again since that request went out: the new token is not thrown away for the old one's sake.
        return true;
      }
      readAt = Number.NEGATIVE_INFINITY;
      return `Bearer ${await current("unauthorized")}` !== before;
    },
  });
}
