import type { KubeError } from "@typekube/core";
import { diagnostics } from "@typekube/core/internal";
import type { WatchSubject } from "./watch-source.js";
import type { WatcherState } from "./watcher-state.js";

/** Why a watcher changed its state. */
export interface StateReason {
  /** `Started`, `Synced`, `Waited`, `Closed`, or the code of the failure. */
  readonly reason: string;
  readonly error?: KubeError | undefined;
}

const channel = diagnostics("typekube:watch.state");
const unknownSubject: WatchSubject = { apiVersion: "", resource: "" };

/** Tells `typekube:watch.state` of the changes of one watcher. Without a subscriber nothing is made. */
export class StateChannel {
  readonly #subject: WatchSubject;
  #plural: string | undefined;

  constructor(subject: WatchSubject = unknownSubject) {
    this.#subject = subject;
  }

  /** The server has said what the resource is called. */
  found(plural: string): void {
    this.#plural = plural;
  }

  publish(from: WatcherState["name"], to: WatcherState["name"], why: StateReason): void {
    if (channel.hasSubscribers) {
      const { apiVersion, resource, namespace } = this.#subject;
      channel.publish({
        apiVersion,
        resource: this.#plural ?? resource,
        namespace,
        from,
        to,
        reason: why.reason,
        error: why.error,
      });
    }
  }
}
