import type { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";

/** The conversion of a definition as a server has it. */
export type ConversionManifest = NonNullable<CustomResourceDefinition["spec"]["conversion"]>;

type ClientConfig = NonNullable<NonNullable<ConversionManifest["webhook"]>["clientConfig"]>;

/** A webhook that converts objects, in short. */
export interface WebhookConversion {
  readonly strategy: "Webhook";
  /** The Service or URL of the webhook, and the certificate to trust. */
  readonly clientConfig: ClientConfig;
  /** Versions of the reviews that the webhook understands. Default: `["v1"]`. */
  readonly reviewVersions?: readonly string[] | undefined;
}

/** Returns the conversion of a definition in the form of a manifest. */
export function conversionManifest(
  conversion: ConversionManifest | WebhookConversion,
): ConversionManifest {
  if (!("clientConfig" in conversion)) {
    return conversion;
  }
  const { strategy, clientConfig, reviewVersions = ["v1"], ...rest } = conversion;
  const webhook = { clientConfig, conversionReviewVersions: [...reviewVersions] };
  return { ...rest, strategy, webhook };
}
