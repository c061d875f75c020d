import type { KubeError } from "@typekube/core";
import { diagnostics } from "@typekube/core/internal";
import type { WatchSubject } from "../sources/watch-subject.js";
import type { WatcherState } from "./watcher-state.js";

/** Reason for a state change of a watcher. */
export interface StateReason {
  /** `Started`, `Synced`, `Waited`, `Closed`, or the code of the failure. */
  readonly reason: string;
  readonly error?: KubeError | undefined;
}

const channel = diagnostics("typekube:watch.state");
const unknownSubject: WatchSubject = { apiVersion: "", resource: "" };

/** Publishes the state changes of one watcher on `typekube:watch.state`. Creates no messages without a subscriber. */
export class StateChannel {
  readonly #subject: WatchSubject;
  #plural: string | undefined;

  constructor(subject: WatchSubject = unknownSubject) {
    this.#subject = subject;
  }

  /** Sets the plural name of the resource, once the server has reported it. */
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
