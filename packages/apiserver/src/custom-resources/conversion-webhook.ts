import { getPath, isJsonObject, type JsonObject } from "../objects/json-value.js";
import type { Converter } from "../resources/converter.js";
import { listOf } from "../resources/definition.js";
import type { WebhookClient } from "../webhooks/webhook-client.js";

/** Milliseconds that the server waits for a conversion. (apiextensions-apiserver `webhookConverterFactory`: 30 s) */
const timeoutMs = 30_000;

/**
 * Creates a converter that calls the webhook of a definition.
 *
 * @param conversion - `spec.conversion` of the definition.
 * @param uid - generates the UID of a review.
 */
export function webhookConverter(
  conversion: unknown,
  uid: () => string,
  client: WebhookClient,
): Converter {
  const clientConfig = getPath(conversion, "webhook", "clientConfig");
  const reviewVersions = getPath(conversion, "webhook", "conversionReviewVersions");
  const version = (Array.isArray(reviewVersions) ? reviewVersions : []).find(
    (one) => one === "v1" || one === "v1beta1",
  ) as string | undefined;
  return {
    async convert(objects, desiredAPIVersion) {
      const id = uid();
      const review = {
        kind: "ConversionReview",
        apiVersion: `apiextensions.k8s.io/${version ?? "v1"}`,
        request: { uid: id, desiredAPIVersion, objects: [...objects] },
      };
      const response = await client.call({ clientConfig, review, timeoutMs });
      return convertedOf(response, id, review.apiVersion);
    },
  };
}

function convertedOf(reply: unknown, uid: string, apiVersion: string): JsonObject[] {
  const { kind, apiVersion: given, response } = isJsonObject(reply) ? reply : {};
  if (kind !== "ConversionReview" || given !== apiVersion) {
    const shown = `${String(given ?? "")}, Kind=${String(kind ?? "")}`;
    throw new Error(
      `expected webhook response of ${apiVersion}, Kind=ConversionReview, got ${shown}`,
    );
  }
  if (!isJsonObject(response)) {
    throw new Error("no response provided");
  }
  if (apiVersion.endsWith("/v1") && response["uid"] !== uid) {
    throw new Error(
      `expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response["uid"] ?? "")}`,
    );
  }
  const { status, message } = isJsonObject(response["result"]) ? response["result"] : {};
  if (status !== "Success") {
    throw new Error(
      typeof message === "string" && message !== ""
        ? message
        : `response.result.status was '${String(status ?? "")}', not 'Success'`,
    );
  }
  return listOf(response["convertedObjects"]);
}
