/**
 * The state that a read may return, chosen by intent. In terms of the API:
 *
 *   | intent | resourceVersion | resourceVersionMatch | cost |
 *   |---|---|---|---|
 *   | `"latest"` | absent | absent | the newest state; the server confirms it with its storage |
 *   | `"any"` | `"0"` | absent | none: the state that the server has at hand, possibly older than an earlier read |
 *   | `{ notOlderThan }` | the given one | `NotOlderThan` | none, or a short wait until the server has caught up |
 *   | `{ exact }` | the given one | `Exact` | lists only; `Expired` when the server no longer has that state |
 *
 * A resourceVersion is the `metadata.resourceVersion` of an object or a list of the same resource.
 */
export type Consistency =
  | "any"
  | "latest"
  | { readonly notOlderThan: string; readonly exact?: undefined }
  | { readonly exact: string; readonly notOlderThan?: undefined };

/** The state of one object to read: by intent, or by the API's own parameter. */
export type GetVersion =
  | {
      /** Default `latest`. A single object cannot be read at an exact resourceVersion. */
      readonly consistency?: Exclude<Consistency, { readonly exact: string }> | undefined;
      readonly resourceVersion?: undefined;
    }
  | {
      readonly consistency?: undefined;
      /** Minimum resourceVersion of the state. Absent: the newest state; "0": any state that the server has at hand. */
      readonly resourceVersion?: string | undefined;
    };

/**
 * The state that a list may return, in the API's parameters. `resourceVersionMatch` needs a resourceVersion, and
 * `Exact` needs one other than "0".
 */
export type ListVersion =
  | { readonly resourceVersion?: undefined; readonly resourceVersionMatch?: undefined }
  | { readonly resourceVersion: string; readonly resourceVersionMatch?: "NotOlderThan" | undefined }
  | { readonly resourceVersion: string; readonly resourceVersionMatch: "Exact" };

/** The state of a collection to read: by intent, or by the API's own parameters. */
export type ListState =
  | (ListVersion & { readonly consistency?: undefined })
  | {
      /** Default `latest`. Ignored for a page requested with a `continue` token. */
      readonly consistency: Consistency | undefined;
      readonly resourceVersion?: undefined;
      readonly resourceVersionMatch?: undefined;
    };
