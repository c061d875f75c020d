import type { Log } from "../log/log.js";
import type { RunningWebhooks } from "../webhook/running-webhooks.js";
import type { ManagerSettings } from "./manager-settings.js";

/** Starts the webhooks of a manager, whose code is loaded only then; stops them when the signal aborted meanwhile. */
export async function startManagerWebhooks(
  { webhooks: options, client, clock, random }: ManagerSettings,
  log: Log,
  signal: AbortSignal,
): Promise<RunningWebhooks | undefined> {
  if (options === undefined) {
    return undefined;
  }
  const { startWebhooks } = await import("../webhook/start-webhooks.js");
  const webhooks = await startWebhooks(options, { client, clock, random, log, observers: [] });
  if (signal.aborted) {
    await webhooks.stop(AbortSignal.abort());
    throw signal.reason;
  }
  return webhooks;
}
