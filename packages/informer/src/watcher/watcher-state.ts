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
