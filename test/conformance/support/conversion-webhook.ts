import { startReviewWebhook } from "./review-webhook.js";

/** An object as a webhook gets it. */
export type WireObject = Record<string, unknown>;

/** A conversion webhook that is listening. */
export interface ConversionWebhook extends AsyncDisposable {
  /** What a definition says to reach it. */
  readonly conversion: object;
  /** The versions that were asked for, in order. */
  readonly requested: readonly string[];
}

/**
 * Listens for conversion reviews on a socket of this machine.
 *
 * @param convert - converts one object; what it throws is the reason that the webhook gives.
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
