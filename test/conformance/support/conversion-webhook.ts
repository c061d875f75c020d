import { startReviewWebhook } from "./review-webhook.js";

/** An object as a webhook receives it. */
export type WireObject = Record<string, unknown>;

/** A listening conversion webhook. */
export interface ConversionWebhook extends AsyncDisposable {
  /** `conversion` stanza of a definition that uses the webhook. */
  readonly conversion: object;
  /** Requested versions, in order. */
  readonly requested: readonly string[];
}

/**
 * Listens for conversion reviews on a local socket.
 *
 * @param convert - converts one object; an error it throws becomes the failure message of the webhook.
 */
export async function startConversionWebhook(
  convert: (object: WireObject, toApiVersion: string) => WireObject,
): Promise<ConversionWebhook> {
  const requested: string[] = [];
  const webhook = await startReviewWebhook(({ request }) => {
    const desired = String(request["desiredAPIVersion"]);
    requested.push(desired);
    const objects = request["objects"] as WireObject[];
    return outcome(() => objects.map((object) => convert(object, desired)));
  });
  return {
    requested,
    conversion: {
      strategy: "Webhook",
      webhook: { conversionReviewVersions: ["v1"], clientConfig: webhook.clientConfig },
    },
    [Symbol.asyncDispose]: () => webhook[Symbol.asyncDispose](),
  };
}

function outcome(convert: () => WireObject[]): object {
  try {
    return { result: { status: "Success" }, convertedObjects: convert() };
  } catch (error) {
    return { result: { status: "Failure", message: (error as Error).message } };
  }
}
