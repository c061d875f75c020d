import { setTimeout } from "node:timers/promises";
import type { ResourceAccess } from "@typekube/client";
import type { Client } from "typekube";

/** Milliseconds between two access reviews. */
const pollMs = 20;

/**
 * Repeats access reviews until a client's user has a permission. A new permission takes effect with a delay: a real
 * server's authorizer reads roles and bindings from a cache that lags behind.
 */
export async function untilAllowed(
  client: Client,
  access: ResourceAccess,
  signal?: AbortSignal,
): Promise<void> {
  while (!(await client.can(access, { signal })).allowed) {
    await setTimeout(pollMs, undefined, { signal });
  }
}
