import type { OptionTable } from "@typekube/core/internal";
import { type EncodingOptions, encodingOptions } from "./encoding-options.js";
import type { GetVersion } from "./read-state.js";

/** Options of a get. */
export type GetOptions = EncodingOptions & GetVersion;

/** Names and checks of {@link GetOptions}. */
export const getOptions: OptionTable<GetOptions> = {
  ...encodingOptions,
  consistency: true,
  resourceVersion: true,
};
