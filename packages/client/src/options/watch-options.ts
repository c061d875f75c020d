import { integerFrom, type OptionTable } from "@typekube/core/internal";
import { type EncodingOptions, encodingOptions } from "./encoding-options.js";
import { type AnyFieldsOption, fieldsCheck } from "./fields-option.js";
import { type SelectorOptions, selectorOptions } from "./selector-options.js";

interface WatchBaseOptions extends EncodingOptions, SelectorOptions {
  /** Seconds after which the server ends the watch. Default: the server's choice, 30 to 60 minutes. */
  readonly timeoutSeconds?: number | undefined;
  /** Requests bookmarks. Default true: without them the last known resourceVersion becomes too old on a quiet watch. */
  readonly allowWatchBookmarks?: boolean | undefined;
  /** Keeps `metadata.managedFields`. Default true. */
  readonly managedFields?: boolean | undefined;
  /**
   * Shares equal parts between objects, and freezes them: half the memory for caches of many objects that nobody
   * modifies. Works for protobuf and JSON. Default false.
   */
  readonly shareEqual?: boolean | undefined;
}

/**
 * Start of a watch. With a resourceVersion it starts after that state, for callers that have it. Without one it starts
 * with the existing objects as ADDED events, which look the same as later ones. With `sendInitialEvents` (needs
 * `resourceVersionMatch` and bookmarks) a bookmark follows the existing objects.
 */
export type WatchStart =
  | {
      readonly resourceVersion?: string | undefined;
      readonly sendInitialEvents?: false | undefined;
      readonly resourceVersionMatch?: undefined;
    }
  | {
      readonly resourceVersion?: string | undefined;
      readonly sendInitialEvents: true;
      readonly resourceVersionMatch: "NotOlderThan";
      readonly allowWatchBookmarks?: true | undefined;
    };

/** Options of one watch request. */
export type WatchOptions = WatchBaseOptions & WatchStart;

/** Names and checks of {@link WatchOptions}. */
export const watchOptions: OptionTable<WatchOptions & AnyFieldsOption> = {
  ...encodingOptions,
  ...selectorOptions,
  allowWatchBookmarks: true,
  fields: fieldsCheck,
  managedFields: true,
  resourceVersion: true,
  resourceVersionMatch: true,
  sendInitialEvents: true,
  shareEqual: true,
  timeoutSeconds: integerFrom(0),
};
