import type { Clock } from "@typekube/core/internal";
import type { ServerContext } from "../../context/server-context.js";
import type { ListOptions } from "../../request/list-options.js";

const bookmarkEveryMs = 60_000;
/** Time of the last bookmark before the end of a watch, in milliseconds. */
const bookmarkBeforeEndMs = 2_000;
/** Minimum timeout in seconds of a watch that requests none: it lasts half an hour to an hour (`--min-request-timeout`). */
const minTimeoutSeconds = 1_800;

/** Sends a bookmark each minute, and once more shortly before the timeout that the client requested. */
export function scheduleBookmarks(
  clock: Clock,
  timeoutSeconds: number | undefined,
  hadInitialBookmark: boolean,
  cleanups: (() => void)[],
  send: () => void,
): void {
  let cancel = () => {};
  const again = () => {
    cancel = clock.schedule(bookmarkEveryMs, () => {
      send();
      again();
    });
  };
  again();
  cleanups.push(() => cancel());
  const lastMs = (timeoutSeconds ?? 0) * 1_000 - bookmarkBeforeEndMs;
  if (lastMs > 0 && (lastMs >= bookmarkEveryMs || !hadInitialBookmark)) {
    cleanups.push(clock.schedule(lastMs, send));
  }
}

/** Ends a watch at the timeout that the client requested, or at a random one. */
export function scheduleEnd(
  { clock, random }: ServerContext,
  { timeoutSeconds }: ListOptions,
  close: () => void,
  cleanups: (() => void)[],
): void {
  const seconds =
    timeoutSeconds !== undefined && timeoutSeconds > 0
      ? timeoutSeconds
      : minTimeoutSeconds * (1 + random());
  cleanups.push(clock.schedule(seconds * 1_000, close));
}
