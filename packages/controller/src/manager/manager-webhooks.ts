import type { RunningWebhooks } from "../webhook/running-webhooks.js";
import type { WebhookParts } from "../webhook/start-webhooks.js";
import type { WebhooksOptions } from "../webhook/webhooks-options.js";

/** Starts the webhooks of a manager, whose code is loaded only then; stops them when the signal aborted meanwhile. */
export async function startManagerWebhooks(
  options: WebhooksOptions | undefined,
  parts: WebhookParts,
  signal: AbortSignal,
): Promise<RunningWebhooks | undefined> {
  if (options === undefined) {
    return undefined;
  }
  const { startWebhooks } = await import("../webhook/start-webhooks.js");
  const webhooks = await startWebhooks(options, parts);
  if (signal.aborted) {
    await webhooks.stop(AbortSignal.abort());
    throw signal.reason;
  }
  return webhooks;
}
