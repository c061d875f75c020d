import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
  WebhookClientConfig,
} from "@typekube/api/admissionregistration/v1";
import type { CustomResourceConversion } from "@typekube/api/apiextensions/v1";
import type { AnyAdmissionHandler } from "../admission/run-admission.js";
import { admissionPath } from "../endpoint/admission-endpoint.js";
import { conversionPath } from "../endpoint/conversion-endpoint.js";
import { isBuiltIn } from "./assert-harmless.js";
import { namespaceSelectorOf, selectorObject } from "./selectors.js";

/** Place at which API servers reach the webhooks: a URL without a path, or a Service. */
export type WebhookPlace =
  | { readonly url: string }
  | {
      readonly service: {
        readonly name: string;
        readonly namespace: string;
        readonly port: number;
      };
    };

/** Facts that configurations depend on, beside the handlers. */
export interface ConfigurationContext {
  readonly name: string;
  readonly place: WebhookPlace;
  /** Certificates to trust, as PEM; `undefined` when another program fills them in. */
  readonly ca: string | undefined;
  /** Name of a cert-manager Certificate, `namespace/name`, whose CA is filled in. */
  readonly injectCaFrom: string | undefined;
  /** User name of our own service account; `undefined` outside of a pod. */
  readonly ownUser: string | undefined;
}

/** Returns the configuration of all mutators, with the fields that we own. */
export function mutatingConfiguration(
  handlers: readonly AnyAdmissionHandler[],
  context: ConfigurationContext,
): MutatingWebhookConfiguration {
  const webhooks: MutatingWebhook[] = handlers
    .filter(({ mutators }) => mutators.length > 0)
    .map((handler) => ({
      ...webhookOf(handler, "mutate", context),
      reinvocationPolicy: handler.settings.reinvocationPolicy,
    }));
  return { metadata: metadataOf(context), webhooks };
}

/** Returns the configuration of all validators, with the fields that we own. */
export function validatingConfiguration(
  handlers: readonly AnyAdmissionHandler[],
  context: ConfigurationContext,
): ValidatingWebhookConfiguration {
  const webhooks: ValidatingWebhook[] = handlers
    .filter(({ validators }) => validators.length > 0)
    .map((handler) => webhookOf(handler, "validate", context));
  return { metadata: metadataOf(context), webhooks };
}

/** Returns the `spec.conversion` of a CustomResourceDefinition. */
export function conversionStrategy(context: ConfigurationContext): CustomResourceConversion {
  return {
    strategy: "Webhook",
    webhook: {
      clientConfig: clientConfig(context, conversionPath),
      conversionReviewVersions: ["v1"],
    },
  };
}

/** Returns the annotations of an object whose CA cert-manager fills in. */
export function injectionAnnotations({ injectCaFrom }: ConfigurationContext): {
  readonly annotations?: Record<string, string>;
} {
  return injectCaFrom === undefined
    ? {}
    : { annotations: { "cert-manager.io/inject-ca-from": injectCaFrom } };
}

function metadataOf(context: ConfigurationContext) {
  return { name: context.name, ...injectionAnnotations(context) };
}

function webhookOf(
  handler: AnyAdmissionHandler,
  phase: "mutate" | "validate",
  context: ConfigurationContext,
): ValidatingWebhook {
  const { kind, name, settings } = handler;
  const { subresource } = settings;
  const resource = subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`;
  const namespaceSelector = namespaceSelectorOf(settings);
  const objectSelector = selectorObject(settings.objectSelector);
  const matchConditions = [...settings.matchConditions, ...ownExclusion(handler, context)];
  // A delete has no object to change.
  const operations = settings.operations.filter((one) => phase === "validate" || one !== "DELETE");
  return {
    name: `${phase}.${name}.${kind.group || "core"}`,
    clientConfig: clientConfig(context, admissionPath(handler, phase)),
    rules: [
      {
        operations: [...operations],
        apiGroups: [kind.group],
        apiVersions: [kind.version],
        resources: [resource],
        scope: kind.scope,
      },
    ],
    failurePolicy: settings.failurePolicy,
    matchPolicy: settings.matchPolicy,
    ...(namespaceSelector === undefined ? {} : { namespaceSelector }),
    ...(objectSelector === undefined ? {} : { objectSelector }),
    ...(matchConditions.length === 0 ? {} : { matchConditions }),
    sideEffects: settings.sideEffects,
    timeoutSeconds: settings.timeoutSeconds,
    admissionReviewVersions: ["v1"],
  };
}

/** Our own writes of built-in kinds must not wait for our own webhook, which may not have started. */
function ownExclusion({ kind }: AnyAdmissionHandler, { ownUser }: ConfigurationContext) {
  return ownUser === undefined || !isBuiltIn(kind.group)
    ? []
    : [
        {
          name: "not-from-the-webhook-itself",
          expression: `request.userInfo.username != ${JSON.stringify(ownUser)}`,
        },
      ];
}

function clientConfig(
  { place, ca }: Pick<ConfigurationContext, "ca" | "place">,
  path: string,
): WebhookClientConfig {
  const caBundle = ca === undefined ? {} : { caBundle: Buffer.from(ca).toString("base64") };
  return "url" in place
    ? { url: `${place.url.replace(/\/+$/, "")}${path}`, ...caBundle }
    : { service: { ...place.service, path }, ...caBundle };
}
