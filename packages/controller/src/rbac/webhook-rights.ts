import type { Right } from "@typekube/client";
import { KubeError } from "@typekube/core";
import { sortHandlers } from "../webhook/endpoint/create-webhook.js";
import { configurationName, secretName } from "../webhook/webhook-names.js";
import type { WebhooksOptions } from "../webhook/webhooks-options.js";

/** The webhooks of a manager, as far as its rights depend on them: the same values as in `startManager`. */
export type WebhookRights = Pick<
  WebhooksOptions,
  "certificates" | "ephemeral" | "handlers" | "name" | "namespace" | "secret" | "service" | "url"
>;

/** Rights with the namespace that they are for; cluster-wide without one. */
export interface PlacedRights {
  readonly namespace: string | undefined;
  readonly rights: readonly Right[];
}

/** Verbs by which our fields are applied, and watched so that they can be restored. */
const keeping = ["list", "patch", "watch"];

/**
 * Returns the rights that webhooks need to register themselves and to keep their certificate. All but the creation of the
 * Secret are for single objects.
 *
 * @throws {KubeError} `InvalidArgument` when the namespace of the Secret is unknown.
 */
export function webhookRights(options: WebhookRights): PlacedRights[] {
  const handlers = sortHandlers(options.handlers);
  const { admissions, conversions } = handlers;
  const name = configurationName(options, handlers);
  // A server-side apply of an object that does not exist needs `create`, too.
  const verbs = ["create", ...keeping, ...(options.ephemeral === true ? ["delete"] : [])];
  const configuration = (resource: string): Right => ({
    group: "admissionregistration.k8s.io",
    resource,
    verbs,
    name,
  });
  const definitions = conversions.map(
    ({ kind }): Right => ({
      group: "apiextensions.k8s.io",
      resource: "customresourcedefinitions",
      verbs: ["get", ...keeping],
      name: `${kind.plural}.${kind.group}`,
    }),
  );
  const ofCluster = [
    ...(admissions.some(({ mutators }) => mutators.length > 0)
      ? [configuration("mutatingwebhookconfigurations")]
      : []),
    ...(admissions.some(({ validators }) => validators.length > 0)
      ? [configuration("validatingwebhookconfigurations")]
      : []),
    ...definitions,
  ];
  return [{ namespace: undefined, rights: ofCluster }, ...certificateRights(options, name)];
}

/** Returns the rights on the Secret with the certificate; none where the certificate is mounted. */
function certificateRights(options: WebhookRights, name: string): PlacedRights[] {
  const { certificates = "self", service, namespace } = options;
  if (certificates !== "self") {
    return [];
  }
  const place = (typeof service === "object" ? service.namespace : undefined) ?? namespace;
  if (place === undefined) {
    throw new KubeError(
      "InvalidArgument",
      "webhooks.namespace: must be set, for the Secret of their certificate",
      { hint: "the namespace of the operator" },
    );
  }
  const secret = { group: "", resource: "secrets" };
  return [
    {
      namespace: place,
      rights: [
        { ...secret, verbs: ["create"] },
        {
          ...secret,
          verbs: ["get", "list", "update", "watch"],
          name: secretName(options, name),
        },
      ],
    },
  ];
}
