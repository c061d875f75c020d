import { isForbidden, type KubeError } from "@typekube/core";
import type { Log } from "../log/log.js";
import type { DropReason } from "./event-queue.js";

/** Different reports; further ones stay in the counts. */
const maxReports = 100;

const sentences: Readonly<Record<DropReason, string>> = {
  budget: "too many events of this reason about one object: some are dropped",
  queue_full: "1,000 events wait to be written: further ones are dropped",
  rejected: "the server rejected an event",
  retries: "an event could not be written in 12 attempts",
  stopped: "events were dropped at the stop",
};

/**
 * Returns a function that reports dropped events, once per reason and, for rejections, once per namespace and code: a
 * missing right or a namespace that is being deleted concerns every further event.
 */
export function dropReport(
  log: Log,
  onDrop: ((reason: DropReason) => void) | undefined,
): (reason: DropReason, what: string, error?: KubeError) => void {
  const told = new Set<string>();
  return (reason, what, error) => {
    onDrop?.(reason);
    const id = `${reason} ${error?.code ?? ""} ${error === undefined ? "" : what.split("/")[0]}`;
    if (told.has(id) || told.size >= maxReports) {
      return;
    }
    told.add(id);
    const hint = isForbidden(error)
      ? "; controllers need the verbs create and patch for events, in the core group and in events.k8s.io"
      : "";
    log.warn(
      `${what}: ${sentences[reason]}${error === undefined ? "" : `: ${error.message}`}${hint}`,
    );
  };
}
