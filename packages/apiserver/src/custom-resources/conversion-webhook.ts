import { request } from "node:https";
import { codecs, collectBytes } from "@typekube/core/internal";
import { getPath, isJsonObject, type JsonObject } from "../objects/json-value.js";
import type { Converter } from "../resources/converter.js";
import { listOf } from "../resources/definition.js";

/** A call of a conversion webhook. */
export interface WebhookCall {
  /** URL of the webhook, from `clientConfig.url` of the definition. */
  readonly url: string;
  /** PEM certificates to verify the webhook; absent to use the system's. */
  readonly ca: string | undefined;
  /** The ConversionReview to send. */
  readonly review: JsonObject;
}

/** Sends a ConversionReview and returns the one in the response. */
export type CallWebhook = (call: WebhookCall) => Promise<unknown>;

/** Maximum bytes of a webhook's response. */
const maxReviewBytes = 32 * 1024 * 1024;
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
  call: CallWebhook = callByHttps,
): Converter {
  const url = getPath(conversion, "webhook", "clientConfig", "url");
  const bundle = getPath(conversion, "webhook", "clientConfig", "caBundle");
  const reviewVersions = getPath(conversion, "webhook", "conversionReviewVersions");
  const ca =
    typeof bundle === "string" ? Buffer.from(bundle, "base64").toString("utf8") : undefined;
  const version = (Array.isArray(reviewVersions) ? reviewVersions : []).find(
    (one) => one === "v1" || one === "v1beta1",
  ) as string | undefined;
  return {
    async convert(objects, desiredAPIVersion) {
      if (typeof url !== "string") {
        throw new Error("the embedded server calls webhooks only through clientConfig.url");
      }
      const id = uid();
      const review = {
        kind: "ConversionReview",
        apiVersion: `apiextensions.k8s.io/${version ?? "v1"}`,
        request: { uid: id, desiredAPIVersion, objects: [...objects] },
      };
      const response = await call({ url, ca: ca === "" ? undefined : ca, review });
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

const callByHttps: CallWebhook = async ({ url, ca, review }) => {
  const body = await codecs.json.encode(review);
  const signal = AbortSignal.timeout(timeoutMs);
  const reply = await new Promise<Uint8Array>((resolve, reject) => {
    const headers = {
      "content-type": "application/json",
      accept: "application/json",
      "content-length": body.byteLength,
    };
    const target = withTimeout(url);
    const sent = request(
      target,
      { method: "POST", headers, ca, signal, agent: false },
      (response) => {
        collectBytes(response, maxReviewBytes, undefined, "the response").then((bytes) => {
          const { statusCode = 0 } = response;
          if (statusCode < 200 || statusCode > 299) {
            reject(new Error(`the server responded with ${statusCode}`));
          } else {
            resolve(bytes);
          }
        }, reject);
      },
    );
    sent.on("error", (error) => reject(new Error(`Post "${target}": ${dialText(error)}`)));
    sent.end(body);
  });
  return codecs.json.decode(reply);
};

/** Adds the timeout to the URL, like real servers. */
function withTimeout(url: string): string {
  const target = new URL(url);
  target.searchParams.set("timeout", `${timeoutMs / 1000}s`);
  return target.href;
}

/** Returns Go's message for a refused connection, Node's for any other failure. */
function dialText(error: NodeJS.ErrnoException & { address?: string; port?: number }): string {
  const { code, address = "", port, message } = error;
  const host = address.includes(":") ? `[${address}]` : address;
  return code === "ECONNREFUSED" && port !== undefined
    ? `dial tcp ${host}:${port}: connect: connection refused`
    : message;
}
