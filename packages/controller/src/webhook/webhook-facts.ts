import type { ClientCore } from "@typekube/client";
import { KubeError } from "@typekube/core";
import { serviceAccountNamespace } from "../election/service-account-namespace.js";
import { isBuiltIn } from "./registration/assert-harmless.js";
import type { WebhookPlace } from "./registration/configurations.js";
import type { RegisteredHandlers } from "./registration/registration.js";
import { configurationName } from "./webhook-names.js";
import type { WebhooksOptions } from "./webhooks-options.js";

/** Facts about webhooks that follow from their options. */
export interface WebhookFacts {
  readonly name: string;
  readonly namespace: string;
  readonly place: WebhookPlace;
  /** Names and addresses in the certificate, the one that API servers use first. */
  readonly hosts: readonly string[];
}

/**
 * Returns the name, the place and the certificate's names of webhooks.
 *
 * @throws {KubeError} `InvalidArgument` when the namespace of a Service is unknown.
 */
export async function webhookFacts(
  options: WebhooksOptions,
  handlers: RegisteredHandlers,
): Promise<WebhookFacts> {
  const name = configurationName(options, handlers);
  if (options.url !== undefined) {
    const namespace = options.namespace ?? (await podNamespace()) ?? "default";
    const { hostname } = new URL(options.url);
    const host = hostname.replace(/^\[|\]$/g, "");
    return { name, namespace, place: { url: options.url }, hosts: [host] };
  }
  const given = typeof options.service === "string" ? { name: options.service } : options.service;
  const { name: service = "", port = 443 } = given ?? {};
  const namespace = given?.namespace ?? options.namespace ?? (await podNamespace());
  if (namespace === undefined) {
    throw new KubeError("InvalidArgument", "webhooks.namespace: must be set outside of a pod", {
      hint: "the namespace of the Service",
    });
  }
  return {
    name,
    namespace,
    place: { service: { name: service, namespace, port } },
    hosts: [
      `${service}.${namespace}.svc`,
      `${service}.${namespace}.svc.cluster.local`,
      `${service}.${namespace}`,
      service,
    ],
  };
}

function podNamespace(): Promise<string | undefined> {
  return serviceAccountNamespace().catch(() => undefined);
}

/** Returns the place with the real port where the URL has port 0. */
export function withPort(place: WebhookPlace, port: number): WebhookPlace {
  return "url" in place
    ? { url: place.url.replace(/^(https:\/\/[^/]+):0(?=\/|$)/, `$1:${port}`) }
    : place;
}

/** Returns our user name where it matters: for webhooks of built-in kinds. */
export async function ownUser(
  { admissions }: RegisteredHandlers,
  client: ClientCore,
): Promise<string | undefined> {
  if (!admissions.some(({ kind }) => isBuiltIn(kind.group))) {
    return undefined;
  }
  const { username = "" } = await client.whoAmI();
  return username.startsWith("system:serviceaccount:") ? username : undefined;
}
