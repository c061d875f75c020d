import type { ConversionFunction } from "../resources/converter.js";

/** Options for serving custom resource definitions. */
export interface DefinitionOptions {
  /** Milliseconds of the server's clock until a definition is established. Default 0: at once, during the write. */
  readonly establishDelayMs?: number | undefined;
  /** Conversion functions that run in process, by the name of the definition. */
  readonly conversions?: Readonly<Record<string, ConversionFunction>> | undefined;
}
