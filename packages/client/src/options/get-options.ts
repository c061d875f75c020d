import type { OptionTable } from "@typekube/core/internal";
import { type EncodingOptions, encodingOptions } from "./encoding-options.js";
import { type AnyFieldsOption, fieldsCheck } from "./fields-option.js";
import type { GetVersion } from "./read-state.js";

/** Options of a get. */
export type GetOptions = EncodingOptions & GetVersion;

/** Names and checks of {@link GetOptions}. */
export const getOptions: OptionTable<GetOptions & AnyFieldsOption> = {
  ...encodingOptions,
  consistency: true,
  fields: fieldsCheck,
  resourceVersion: true,
};
