import { getPath, type JsonObject } from "../objects/json-value.js";
import { mapOf } from "../objects/parts.js";

/** Port of a Service that names none. */
const defaultPort = 443;

/** The place of a webhook. */
export interface WebhookTarget {
  /** The URL; for a Service, that of its name in the cluster. */
  readonly url: string;
  /** PEM certificates to verify the webhook; absent to use the system's. */
  readonly ca: string | undefined;
  /** The Service; absent for a webhook that has a URL. */
  readonly service: { readonly namespace: string; readonly name: string } | undefined;
}

/**
 * Reads the target of a webhook.
 *
 * @param clientConfig - of a webhook configuration, or of the conversion of a definition.
 */
export function webhookTarget(clientConfig: unknown): WebhookTarget {
  const given = mapOf(getPath(clientConfig, "service"));
  const { caBundle, url } = mapOf(clientConfig);
  const pem = typeof caBundle === "string" ? Buffer.from(caBundle, "base64").toString("utf8") : "";
  const isService = typeof url !== "string";
  const { namespace, name } = {
    namespace: String(given["namespace"]),
    name: String(given["name"]),
  };
  return {
    url: isService ? serviceUrl(given) : url,
    ca: pem === "" ? undefined : pem,
    service: isService ? { namespace, name } : undefined,
  };
}

function serviceUrl({ namespace, name, port, path }: JsonObject): string {
  const place = `${String(name)}.${String(namespace)}.svc:${String(port ?? defaultPort)}`;
  return `https://${place}${typeof path === "string" ? path : ""}`;
}

/** Adds the timeout to a URL, as real servers do: the webhook then knows how long it may take. */
export function withTimeout(url: string, timeoutMs: number): string {
  const seconds = `timeout=${Math.ceil(timeoutMs / 1000)}s`;
  const path = /^https:\/\/[^/?]*$/.test(url) ? `${url}/` : url;
  return `${path}${path.includes("?") ? "&" : "?"}${seconds}`;
}
