import type { KubeObject } from "@typekube/api";
import { isAlreadyExists } from "@typekube/core";
import { assertOptionValues, type Clock, sleep } from "@typekube/core/internal";
import { createOptions } from "../options/write-options.js";

/** Attempts in total when a generated name is taken. Servers from 1.32 on make the same number of attempts themselves. */
export const defaultNameTries = 8;

/** Settings of {@link createNamed}. */
export interface NameTries {
  readonly clock: Clock;
  /** Creates in total. */
  readonly maxTries: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Repeats a create when the name that the server generated was taken. The server responds with AlreadyExists, advises a
 * retry, and generates another name then. A name that the caller gave is never retried.
 *
 * @throws {KubeError} `AlreadyExists` when every name was taken; `InvalidArgument` for fewer than one attempt.
 */
export async function createNamed<R>(
  { metadata }: KubeObject,
  create: () => Promise<R>,
  { clock, maxTries, signal }: NameTries,
): Promise<R> {
  assertOptionValues({ maxNameTries: maxTries }, createOptions);
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
