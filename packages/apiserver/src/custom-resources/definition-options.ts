import type { ConversionFunction } from "../resources/converter.js";
import type { DefinitionSource } from "./definition-sources.js";

/** Options for serving custom resource definitions. */
export interface DefinitionOptions {
  /** Milliseconds of the server's clock until a definition is established. Default 0: at once, during the write. */
  readonly establishDelayMs?: number | undefined;
  /** Custom resources to serve: values of `defineResource` of `typekube/crd`. Default: none. */
  readonly crds?: readonly DefinitionSource[] | undefined;
  /** Conversion functions that run in process, by the name of the definition. */
  readonly conversions?: Readonly<Record<string, ConversionFunction>> | undefined;
}
