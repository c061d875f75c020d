import { stat } from "node:fs/promises";
import { KubeError } from "@typekube/core";
import {
  type Clock,
  type HttpRequest,
  type HttpResponse,
  type Interceptor,
  monotonicNow,
  systemClock,
} from "@typekube/core/internal";
import { RequestWait, type RequestWaitOptions, withTimeLeft } from "../deadlines/request-wait.js";
import { publishRetry } from "../observe/observe.js";
import { refreshPublisher } from "../observe/publish-refresh.js";
import { drain } from "../response/drain.js";
import type { Outcome } from "../retry/repeatable.js";
import { readConfigFile } from "../secrets/config-file.js";
import { Secret } from "../secrets/secret.js";
import type { TlsOptions } from "./tls-options.js";

/** Files that TLS material was read from; each may be absent. */
export interface TlsFiles {
  /** Path of the certificate authorities. */
  readonly ca?: string | undefined;
  /** Path of the client certificate. */
  readonly cert?: string | undefined;
  /** Path of the private key. */
  readonly key?: string | undefined;
}

/**
 * Milliseconds between two checks of the files. client-go checks certificates once per second when it connects, and a
 * CA every five minutes; checking three files is cheap enough for the shorter interval.
 */
export const tlsFilesCheckMs = 1_000;

/** TLS material that is reloaded when its files change. */
export interface FollowedTls {
  /**
   * Returns the current material: the same object while nothing has changed. Checks the files when the last check is
   * too old.
   */
  current(): TlsOptions | Promise<TlsOptions>;
  /** Checks the files at once. Returns true when the material differs from `known`. */
  recheck(known: TlsOptions): Promise<boolean>;
}

/**
 * Follows the files of TLS material. They are checked only when requests are sent: there is no watcher and no timer. A
 * missing, empty or unreadable file leaves the known material in place, since files are replaced in steps.
 *
 * @param initial - material to use until a file has changed.
 */
export function followTlsFiles(
  files: TlsFiles,
  initial: TlsOptions,
  clock: Clock = systemClock,
): FollowedTls {
  let tls = initial;
  let stamps = "";
  let checkedAt = monotonicNow(clock);
  let looking: Promise<TlsOptions> | undefined;
  const tell = refreshPublisher("tls-files");

  const look = async (): Promise<TlsOptions> => {
    const found = await stampsOf(files);
    if (found !== stamps) {
      stamps = found;
      const next = changed(tls, await readAll(files, clock));
      if (next !== tls) {
        tls = next;
        tell({ reason: "changed", ok: true });
      }
    }
    checkedAt = monotonicNow(clock);
    return tls;
  };
  const checkOnce = (): Promise<TlsOptions> => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  };

  return {
    current: () => {
      const ageMs = monotonicNow(clock) - checkedAt;
      // On a clock without a monotonic reading, a check in the future happened before the time of day was set back.
      return ageMs >= 0 && ageMs < tlsFilesCheckMs ? tls : checkOnce();
    },
    recheck: async (known) => (await checkOnce()) !== known,
  };
}

/**
 * Sends each request over connections with the current material. After a failed handshake or a 401 the files are
 * checked at once; if they changed, the request is sent once more, since a server that refused a handshake or a user
 * has not processed it.
 *
 * @param options - limits on checking the files: an unresponsive disk must not outlast the call.
 */
export function withTlsFiles(
  followed: FollowedTls,
  use: (tls: TlsOptions) => void,
  options: RequestWaitOptions = {},
): Interceptor {
  const { clock = systemClock } = options;
  const current = (request: HttpRequest): TlsOptions | Promise<TlsOptions> => {
    const known = followed.current();
    return known instanceof Promise ? looked(known, request, options) : known;
  };
  return (next) => async (request) => {
    const startedAt = monotonicNow(clock);
    const left = () => withTimeLeft(request, monotonicNow(clock) - startedAt);
    const known = current(request);
    const tls = await known;
    use(tls);
    const { response, error } = await outcomeOf(next(known === tls ? request : left()));
    const isRefused = response ? response.status === 401 : isTls(error);
    if (isRefused && (await looked(followed.recheck(tls), left(), options))) {
      if (response) {
        await drain(response, clock);
      }
      publishRetry(request, 0, response ? { status: response.status } : { error });
      use(await current(left()));
      return next(left());
    }
    if (response) {
      return response;
    }
    throw error;
  };
}

async function outcomeOf(sent: Promise<HttpResponse>): Promise<Outcome> {
  try {
    return { response: await sent };
  } catch (error) {
    return { error };
  }
}

function isTls(error: unknown): boolean {
  return error instanceof KubeError && error.code === "Tls";
}

/** Returns the result of checking the files, unless the request ends first. */
async function looked<T>(
  look: Promise<T>,
  request: HttpRequest,
  options: RequestWaitOptions,
): Promise<T> {
  const wait = new RequestWait(request, options, "the TLS files were not read");
  try {
    wait.throwIfOver();
    return await wait.orOver(look);
  } finally {
    wait.end();
  }
}

const fields = ["ca", "cert", "key"] as const;

/** Returns a text that changes when a file is replaced. Symbolic links are followed, since kubelet swaps them. */
async function stampsOf(files: TlsFiles): Promise<string> {
  const stamps = fields.map(async (field) => {
    const path = files[field];
    const found = path === undefined ? undefined : await stat(path).catch(() => undefined);
    return found ? `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}` : "-";
  });
  return (await Promise.all(stamps)).join("|");
}

async function readAll(
  files: TlsFiles,
  clock: Clock,
): Promise<Record<"ca" | "cert" | "key", string>> {
  const [ca = "", cert = "", key = ""] = await Promise.all(
    fields.map(async (field) => {
      const path = files[field];
      return path === undefined ? "" : await readConfigFile(path, { clock }).catch(() => "");
    }),
  );
  return { ca, cert, key };
}

function changed(tls: TlsOptions, read: Record<"ca" | "cert" | "key", string>): TlsOptions {
  const { ca, cert, key } = read;
  const next = {
    ...tls,
    ...(ca.trim() === "" ? {} : { ca }),
    // Certificate and key are used only together: one without the other fits no other half.
    ...(cert.trim() === "" || key.trim() === "" ? {} : { cert, key: new Secret(key) }),
  };
  return fields.every((field) => textOf(next[field]) === textOf(tls[field])) ? tls : next;
}

function textOf(pem: TlsOptions["ca"] | Secret): string {
  if (pem === undefined) {
    return "";
  }
  if (typeof pem === "string") {
    return pem;
  }
  return pem instanceof Secret ? pem.reveal() : Buffer.from(pem).toString();
}
