import type { KubeError } from "@typekube/core";

/**
 * The states of a watcher. One loop owns one connection and is in one of them:
 *
 * - `streaming`: reads a streaming list: initial events, then the end bookmark. Next: `watching` on the same stream;
 * `listing` when the server can't stream.
 * - `listing`: reads a list, in pages or whole. Next: `watching` from the list's resourceVersion; `polling` with the
 * option `poll`.
 * - `watching`: follows changes. Next: itself when the watch ends; `streaming` or `listing` when its resourceVersion is
 * gone.
 * - `polling`: waits for the next list, with the option `poll`. Next: `listing`.
 * - `waiting`: backs off after a failure. Next: the state to retry.
 * - `stopped`: does nothing any more.
 *
 * {@link afterFailures} has the next state after each failure.
 */
export type WatcherState =
  | { readonly name: "streaming"; readonly resourceVersion: string | undefined }
  | { readonly name: "listing"; readonly resourceVersion: string }
  | { readonly name: "watching"; readonly resourceVersion: string }
  | { readonly name: "polling"; readonly delayMs: number }
  | {
      readonly name: "waiting";
      readonly cause: KubeError;
      readonly delayMs: number;
      readonly next: WatcherState;
    }
  | { readonly name: "stopped" };

type Step<State extends string> = `${"after a wait" | "at once"}: ${State} ${"known" | "newest"}`;

/**
 * Next steps after one failure, by the state whose request failed; the other states send no requests. A step is whether
 * the watcher backs off in `waiting` first, the state that sends the next request, and the resourceVersion that this
 * request names: the last known one, or none, which is the newest state. `snapshot` is `streaming` where the server can
 * stream, otherwise `listing`. `-` is a failure that can't happen in the state.
 */
export interface StepsAfterFailure {
  readonly streaming: Step<"listing" | "streaming"> | "-" | "stopped";
  readonly listing: Step<"listing" | "snapshot"> | "-" | "stopped";
  readonly watching: Step<"snapshot" | "watching"> | "-" | "stopped";
}

/**
 * Steps of a watcher after each failure, once a first snapshot was complete. `watch-position.ts` and `list-round.ts`
 * decide it, with the numbers. No code reads this table: a test makes a watcher fail in each way and in each state, and
 * compares its next request with the cell.
 */
export const afterFailures: Readonly<Record<string, StepsAfterFailure>> = {
  "410": {
    streaming: "at once: streaming newest",
    listing: "at once: listing newest",
    watching: "at once: snapshot known",
  },
  "410 again": {
    streaming: "after a wait: streaming newest",
    listing: "after a wait: snapshot newest",
    watching: "after a wait: snapshot known",
  },
  "resourceVersion too large": {
    streaming: "at once: streaming newest",
    listing: "at once: listing newest",
    watching: "after a wait: snapshot newest",
  },
  "400": {
    streaming: "at once: streaming newest",
    listing: "at once: listing newest",
    watching: "after a wait: snapshot known",
  },
  "422 or 405": {
    streaming: "at once: listing known",
    listing: "after a wait: snapshot known",
    watching: "after a wait: snapshot known",
  },
  "429, or 5xx with Retry-After": {
    streaming: "after a wait: streaming known",
    listing: "after a wait: snapshot known",
    watching: "after a wait: watching known",
  },
  "401": {
    streaming: "at once: listing known",
    listing: "after a wait: snapshot known",
    watching: "after a wait: watching known",
  },
  "403, 404, or another status": {
    streaming: "at once: listing known",
    listing: "after a wait: snapshot known",
    watching: "after a wait: snapshot known",
  },
  "500 within internalErrorWindowMs": {
    streaming: "at once: listing known",
    listing: "after a wait: snapshot known",
    watching: "after a wait: watching known",
  },
  "connection, DNS or TLS failed": {
    streaming: "after a wait: streaming known",
    listing: "after a wait: snapshot known",
    watching: "after a wait: watching known",
  },
  "cut within a second": {
    streaming: "after a wait: streaming known",
    listing: "after a wait: snapshot known",
    watching: "after a wait: watching known",
  },
  "cut within a second, third in a row": {
    streaming: "at once: listing known",
    listing: "after a wait: snapshot known",
    watching: "after a wait: snapshot known",
  },
  "cut later": {
    streaming: "after a wait: streaming known",
    listing: "after a wait: snapshot known",
    watching: "at once: watching known",
  },
  "ended within a second": {
    streaming: "after a wait: streaming known",
    listing: "-",
    watching: "after a wait: watching known",
  },
  unreadable: {
    streaming: "at once: listing known",
    listing: "after a wait: snapshot known",
    watching: "after a wait: watching known",
  },
  "unreadable, third in a row": {
    streaming: "-",
    listing: "after a wait: snapshot known",
    watching: "after a wait: snapshot known",
  },
  "no response": {
    streaming: "at once: listing known",
    listing: "after a wait: snapshot known",
    watching: "after a wait: watching known",
  },
  "no response, fifth in a row": {
    streaming: "-",
    listing: "after a wait: snapshot known",
    watching: "after a wait: snapshot known",
  },
  silent: {
    streaming: "at once: listing known",
    listing: "-",
    watching: "after a wait: watching known",
  },
  "silent, second in a row": {
    streaming: "-",
    listing: "-",
    watching: "after a wait: snapshot known",
  },
  "snapshot older than the known resourceVersion": {
    streaming: "at once: listing known",
    listing: "after a wait: snapshot known",
    watching: "-",
  },
  "reader too slow": {
    streaming: "-",
    listing: "-",
    watching: "at once: snapshot known",
  },
  "client closed": {
    streaming: "at once: listing known",
    listing: "after a wait: snapshot known",
    watching: "after a wait: watching known",
  },
  "client closed, second in a row": {
    streaming: "stopped",
    listing: "stopped",
    watching: "stopped",
  },
};
