import { type AnyFieldsOption, fieldsCheck } from "@typekube/client/internal";
import { type OptionTable, oneOf } from "@typekube/core/internal";

/** What an informer with some fields does with an update of which none of them is part. */
export type Unchanged = "deliver" | "skip";

/** Option of an informer with some fields only. */
export interface UnchangedOption {
  /**
   * Whether an update is delivered when all kept fields but the resourceVersion are equal. Default `deliver`; the caches
   * of controllers skip it.
   */
  readonly unchanged?: Unchanged | undefined;
}

/** Options of readers that keep some fields of each object. */
export interface ProjectionOptions extends AnyFieldsOption, UnchangedOption {}

/** Names and checks of {@link ProjectionOptions}. */
export const projectionOptions: OptionTable<ProjectionOptions> = {
  fields: fieldsCheck,
  unchanged: oneOf("deliver", "skip"),
};
