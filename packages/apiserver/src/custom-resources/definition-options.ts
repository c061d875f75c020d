import type { ConversionFunction } from "../resources/converter.js";
import type { CallWebhook } from "./conversion-webhook.js";

/** Options for serving custom resource definitions. */
export interface DefinitionOptions {
  /** Milliseconds of the server's clock until a definition is established. Default 0: at once, during the write. */
  readonly establishDelayMs?: number | undefined;
  /** Conversion functions that run in process, by the name of the definition. */
  readonly conversions?: Readonly<Record<string, ConversionFunction>> | undefined;
  /** Calls conversion webhooks. Default: HTTPS to `clientConfig.url`. */
  readonly callWebhook?: CallWebhook | undefined;
}
