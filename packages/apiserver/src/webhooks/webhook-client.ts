import type { Clock } from "@typekube/core/internal";
import type { JsonObject } from "../objects/json-value.js";
import type { Store } from "../store/store.js";
import { type CallWebhook, callByHttps } from "./call-by-https.js";
import { callService } from "./call-service.js";
import { postError } from "./post-error.js";
import type { ServiceWebhook, ServiceWebhooks } from "./service-webhook.js";
import { type WebhookTarget, webhookTarget, withTimeout } from "./webhook-target.js";
import { withinTime } from "./within-time.js";

/** Options for calls of webhooks. */
export interface WebhookClientOptions {
  /**
   * Webhooks in process, by the `namespace/name` of the Service that a `clientConfig` refers to. A reference to any other
   * Service is a failed call, which `failurePolicy` decides about. Default: none.
   */
  readonly webhooks?: ServiceWebhooks | undefined;
  /** Calls webhooks that have a URL, on the server's clock. Default: over HTTPS, in real time. */
  readonly callWebhook?: CallWebhook | undefined;
}

/** A call of a webhook. */
export interface ReviewCall {
  /** `clientConfig` of the webhook. */
  readonly clientConfig: unknown;
  readonly review: JsonObject;
  /** Milliseconds of the server's clock for a webhook in process, of real time over HTTPS. */
  readonly timeoutMs: number;
}

/** Calls webhooks, in process or over HTTPS. */
export interface WebhookClient {
  /** Sends a review and returns the reply, which is yet to be verified. Rejects with the reason of a real server. */
  call(call: ReviewCall): Promise<unknown>;
}

/** Creates the client of one server. */
export function createWebhookClient(
  { webhooks = {}, callWebhook }: WebhookClientOptions,
  { clock, store }: { readonly clock: Clock; readonly store: Store },
): WebhookClient {
  return {
    async call({ clientConfig, review, timeoutMs }) {
      const target = webhookTarget(clientConfig);
      const { url, ca, service } = target;
      const timed = withTimeout(url, timeoutMs);
      if (service !== undefined) {
        const webhook = webhookOf(webhooks, target, timed, store);
        return withinTime(clock, timed, timeoutMs, (signal) =>
          callService(webhook, { url: timed, review, signal }),
        );
      }
      return callWebhook === undefined
        ? callByHttps({ url: timed, ca, review, timeoutMs })
        : withinTime(clock, timed, timeoutMs, () => callWebhook({ url, ca, review, timeoutMs }));
    },
  };
}

function webhookOf(
  webhooks: ServiceWebhooks,
  { service }: WebhookTarget,
  url: string,
  store: Store,
): ServiceWebhook {
  const { namespace = "", name = "" } = service ?? {};
  const key = `${namespace}/${name}`;
  const webhook = Object.hasOwn(webhooks, key) ? webhooks[key] : undefined;
  if (webhook === undefined) {
    const shown = JSON.stringify(name);
    const why =
      store.collection("services").get(key) === undefined
        ? `service ${shown} not found`
        : `no endpoints available for service ${shown}`;
    const hint = `this embedded API server calls it through the option webhooks: { ${JSON.stringify(key)}: ... }`;
    throw postError(url, `${why} (${hint})`);
  }
  return webhook;
}
