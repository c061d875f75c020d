import type { KubeObject } from "@typekube/api";
import { isAlreadyExists, KubeError } from "@typekube/core";
import { type Clock, sleep } from "@typekube/core/internal";

/** Tries in all when a generated name is taken: servers of 1.32 and later make as many themselves. */
export const defaultNameTries = 8;

/** How {@link createNamed} goes about it. */
export interface NameTries {
  readonly clock: Clock;
  /** Creates in all. */
  readonly maxTries: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends a create again when the name that the server made up was taken: it answers AlreadyExists and advises to try again, and
 * makes up another one then. A name that the caller gave is never tried twice.
 *
 * @throws {KubeError} `AlreadyExists` when every name was taken; `InvalidArgument` for a number of tries below 1.
 */
export async function createNamed<R>(
  { metadata }: KubeObject,
  create: () => Promise<R>,
  { clock, maxTries, signal }: NameTries,
): Promise<R> {
  if (!Number.isInteger(maxTries) || maxTries < 1) {
    throw new KubeError("InvalidArgument", "maxNameTries must be a whole number of 1 or more");
  }
  const isGenerated = Boolean(metadata?.generateName) && !metadata?.name;
  for (let tries = 1; ; tries++) {
    try {
      return await create();
    } catch (error) {
      if (!isGenerated || !isAlreadyExists(error) || tries >= maxTries) {
        throw error;
      }
      await sleep(clock, error.retryAfterMs ?? 0, signal);
    }
  }
}
