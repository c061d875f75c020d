import { KubeError } from "@typekube/core";
import { type Clock, monotonicNow, systemClock } from "@typekube/core/internal";
import { type RefreshOutcome, refreshPublisher } from "../observe/publish-refresh.js";
import {
  fileProblemOf,
  isPlausiblePath,
  readConfigFile,
  shownPath,
} from "../secrets/config-file.js";
import { reveal, type Secret } from "../secrets/secret.js";
import { type Credentials, concealed } from "./credentials.js";

/** Milliseconds until a token is read again: client-go assumes a lifetime of one minute and reads 10 s before its end. */
const tokenLifetimeMs = 50_000;

/** Options of {@link tokenFile}. */
export interface TokenFileOptions {
  readonly clock?: Clock | undefined;
  /** Token to use until the file is read for the first time, when a configuration contains both a token and a file. */
  readonly initialToken?: Secret | string | undefined;
  /** Reads the file; for tests. */
  readonly read?: ((path: string) => Promise<string>) | undefined;
}

/**
 * Creates credentials from a file whose token is replaced from time to time, such as a service account's. The file is
 * read again about once a minute. When reading fails, the last good token stays in use; without one the call fails with
 * the error.
 */
export function tokenFile(path: string, options: TokenFileOptions = {}): Credentials {
  const clock = options.clock ?? systemClock;
  const read = options.read ?? ((file: string) => readConfigFile(file, { clock }));
  let token = reveal(options.initialToken ?? "");
  let readAt = token === "" ? Number.NEGATIVE_INFINITY : monotonicNow(clock);
  let reading: Promise<string> | undefined;
  const tell = refreshPublisher("token-file");

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
              // The system's error message quotes the path.
              { cause: isPlausiblePath(path) ? error : undefined },
            );
      }
    }
    readAt = monotonicNow(clock);
    return token;
  };
  // Concurrent calls share one read of the file.
  const current = (why: RefreshOutcome["reason"] = "changed"): Promise<string> => {
    const ageMs = monotonicNow(clock) - readAt;
    // On a clock without a monotonic reading, a token may come from the future when the time of day was set back.
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
        // The file was read again after that request was sent, so the newer token is kept.
        return true;
      }
      readAt = Number.NEGATIVE_INFINITY;
      return `Bearer ${await current("unauthorized")}` !== before;
    },
  });
}
