import type { KubeError } from "@typekube/core";

/**
 * The states of a watcher. One loop owns one connection and is in one of them:
 *
 * | state | what it does | goes on to |
 * |---|---|---|
 * | `streaming` | a streaming list: initial events, then the end bookmark | `watching` on the same stream; `listing` when the server cannot do it |
 * | `listing` | a list, in pages or whole | `watching` from the list's version |
 * | `watching` | follows changes | itself when the watch ends; `streaming` or `listing` when its version is gone |
 * | `polling` | waits for the next list, where `poll` was asked for | `listing` |
 * | `waiting` | backs off after a failure | the state that is to be tried again |
 * | `stopped` | nothing, for ever | |
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
