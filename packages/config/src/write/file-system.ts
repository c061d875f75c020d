import { open, rename, rm } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";

/** File system operations for writing files; replaceable in tests. */
export interface FileSystem {
  readonly platform: NodeJS.Platform;
  readonly rename: (from: string, to: string) => Promise<void>;
  /** Creates an empty file; fails with `EEXIST` when it exists. */
  readonly create: (path: string) => Promise<void>;
  readonly remove: (path: string) => Promise<void>;
  readonly wait: (ms: number) => Promise<unknown>;
}

export const thisFileSystem: FileSystem = {
  platform: process.platform,
  rename,
  create: async (path) => (await open(path, "wx", 0o600)).close(),
  remove: (path) => rm(path, { force: true }),
  wait: (ms) => setTimeout(ms),
};

/** Attempts of an operation that another program may block on Windows. Including the delays they take 1.7 seconds. */
export const windowsAttempts = 20;

/** Milliseconds before the second attempt. The delay doubles each time, up to {@link maxWindowsDelayMs}. */
const firstWindowsDelayMs = 10;

const maxWindowsDelayMs = 100;

/** Errors on Windows for a file that a virus scanner or an editor holds open, or that is being deleted. */
const held: ReadonlySet<string | undefined> = new Set(["EACCES", "EBUSY", "EPERM"]);

/**
 * Runs a file operation, on Windows up to {@link windowsAttempts} times: a file that another program holds open cannot
 * be renamed, replaced or removed there, usually only for milliseconds. On other systems those errors are final.
 */
export async function whileHeld<T>(
  { platform, wait }: FileSystem,
  operation: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1, delayMs = firstWindowsDelayMs; ; attempt += 1) {
    try {
      return await operation();
    } catch (error) {
      const isHeld = held.has((error as NodeJS.ErrnoException).code);
      if (platform !== "win32" || !isHeld || attempt >= windowsAttempts) {
        throw error;
      }
      await wait(delayMs);
      delayMs = Math.min(2 * delayMs, maxWindowsDelayMs);
    }
  }
}
