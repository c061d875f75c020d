import { type AnyFieldsOption, fieldsCheck } from "@typekube/client/internal";
import { type OptionTable, oneOf } from "@typekube/core/internal";

/** Decision of an informer with some fields about an update of other fields. */
export type Unchanged = "deliver" | "skip";

/** Option of an informer with some fields only. */
export interface UnchangedOption {
  /**
   * `skip` leaves out an update when all kept fields but the resourceVersion are equal. Default `deliver`.
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
