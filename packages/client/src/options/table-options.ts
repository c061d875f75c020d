import type { OptionTable } from "@typekube/core/internal";
import type { IncludeObject } from "../response/table.js";
import { type CallOptions, callOptions } from "./call-options.js";
import { type ListBaseOptions, listOptions } from "./list-options.js";
import type { ListState } from "./read-state.js";

/** Options of a table of one object. Tables are JSON whatever the client's encoding. */
export interface TableOptions<I extends IncludeObject = IncludeObject> extends CallOptions {
  /** The part of its object that each row contains in addition to the cells. Default `Metadata`. */
  readonly includeObject?: I | undefined;
  /**
   * Accepts the objects themselves from a server that has no table for them. Default true; with false the call fails
   * with `NotAcceptable` instead.
   */
  readonly fallback?: boolean | undefined;
}

/** Options of a table of one page of a collection. */
export type TableListOptions<I extends IncludeObject = IncludeObject> = TableOptions<I> &
  Omit<ListBaseOptions, "encoding" | "managedFields" | "shareEqual"> &
  ListState;

/** Names and checks of {@link TableOptions}. */
export const tableOptions: OptionTable<TableOptions> = {
  ...callOptions,
  fallback: true,
  includeObject: true,
};

const {
  encoding: _encoding,
  fields: _some,
  managedFields: _managed,
  shareEqual: _equal,
  ...listed
} = listOptions;

/** Names and checks of {@link TableListOptions}. */
export const tableListOptions: OptionTable<TableListOptions> = { ...tableOptions, ...listed };
