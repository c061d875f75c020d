import { setTimeout } from "node:timers/promises";
import type { ResourceAccess } from "@typekube/client";
import type { Client } from "typekube";

/** Milliseconds between two questions. */
const pollMs = 20;

/**
 * Asks until a client's user may do something. A right that was just given is not there at once: a real server's authorizer reads
 * roles and bindings from a cache that is a moment behind.
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
