import type { ApiObject } from "../../objects/api-object.js";
import { type JsonObject, stringsOf } from "../../objects/json-value.js";
import { objectsOf } from "../../objects/parts.js";
import type { Store } from "../../store/store.js";

/** The two kinds of admission webhooks. */
export type WebhookType = "mutating" | "validating";

/** An admission webhook of a configuration. */
export interface AdmissionWebhook {
  /** Identifies the webhook among all of its type, even if its configuration has two of its name. */
  readonly id: string;
  readonly name: string;
  /** Name of the configuration. */
  readonly configuration: string;
  readonly clientConfig: unknown;
  readonly rules: readonly JsonObject[];
  readonly matchPolicy: "Equivalent" | "Exact";
  readonly matchConditions: readonly JsonObject[];
  readonly namespaceSelector: unknown;
  readonly objectSelector: unknown;
  readonly reviewVersions: readonly string[];
  readonly sideEffects: unknown;
  /** `true` for the failure policy `Ignore`. */
  readonly ignoresFailures: boolean;
  /** `true` for the reinvocation policy `IfNeeded`. */
  readonly isReinvoked: boolean;
  readonly timeoutMs: number;
}

const storages: Readonly<Record<WebhookType, string>> = {
  mutating: "mutatingwebhookconfigurations.admissionregistration.k8s.io",
  validating: "validatingwebhookconfigurations.admissionregistration.k8s.io",
};

/** Seconds that the server waits for a webhook whose configuration does not say. */
const defaultTimeoutSeconds = 10;

/** Webhooks by their configuration, which is read once. */
const read = new WeakMap<ApiObject, readonly AdmissionWebhook[]>();

/** Returns whether there is a configuration of webhooks. */
export function hasAdmissionWebhooks(store: Store): boolean {
  return Object.values(storages).some((storage) => store.collection(storage).size > 0);
}

/** Returns the webhooks of all configurations, in the order in which a server calls them: by name, then as listed. */
export function admissionWebhooks(store: Store, type: WebhookType): readonly AdmissionWebhook[] {
  const configurations = store.collection(storages[type]);
  return configurations.size === 0
    ? none
    : configurations.entries("").flatMap(([, configuration]) => webhooksOf(configuration));
}

const none: readonly AdmissionWebhook[] = [];

function webhooksOf(configuration: ApiObject): readonly AdmissionWebhook[] {
  let webhooks = read.get(configuration);
  if (webhooks === undefined) {
    webhooks = readConfiguration(configuration);
    read.set(configuration, webhooks);
  }
  return webhooks;
}

function readConfiguration({ metadata, webhooks }: ApiObject): readonly AdmissionWebhook[] {
  const { name = "" } = metadata;
  return objectsOf(webhooks).map((webhook, at) => readWebhook(webhook, name, at));
}

function readWebhook(webhook: JsonObject, configuration: string, at: number): AdmissionWebhook {
  const { clientConfig, namespaceSelector, objectSelector, sideEffects, timeoutSeconds } = webhook;
  const name = String(webhook["name"]);
  const seconds = typeof timeoutSeconds === "number" ? timeoutSeconds : defaultTimeoutSeconds;
  return {
    id: `${configuration}/${name}/${at}`,
    name,
    configuration,
    clientConfig,
    rules: objectsOf(webhook["rules"]),
    matchPolicy: webhook["matchPolicy"] === "Exact" ? "Exact" : "Equivalent",
    matchConditions: objectsOf(webhook["matchConditions"]),
    namespaceSelector,
    objectSelector,
    reviewVersions: stringsOf(webhook["admissionReviewVersions"]),
    sideEffects,
    ignoresFailures: webhook["failurePolicy"] === "Ignore",
    isReinvoked: webhook["reinvocationPolicy"] === "IfNeeded",
    timeoutMs: seconds * 1_000,
  };
}
