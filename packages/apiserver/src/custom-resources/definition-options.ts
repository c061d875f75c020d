import type { ConversionFunction } from "../resources/converter.js";
import type { DefinitionSource } from "./definition-sources.js";

/** Options for serving custom resource definitions. */
export interface DefinitionOptions {
  /** Milliseconds of the server's clock until a definition is established. Default 0: at once, during the write. */
  readonly establishDelayMs?: number | undefined;
  /**
   * Custom resources to serve: values of `defineResource` of `typekube/crd`, or the path of a file or folder with definitions, such as a
   * folder of `typekube generate --schemas json`. Default: none.
   */
  readonly crds?: URL | readonly DefinitionSource[] | string | undefined;
  /** Conversion functions that run in process, by the name of the definition. */
  readonly conversions?: Readonly<Record<string, ConversionFunction>> | undefined;
}
