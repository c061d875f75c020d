import type { Clock } from "@typekube/core/internal";
import type { ListOptions } from "../request/list-options.js";
import type { ServerContext } from "../server-context.js";

const bookmarkEveryMs = 60_000;
/** The last bookmark comes this long before the watch ends. */
const bookmarkBeforeEndMs = 2_000;
/** A watch without a timeout lasts half an hour to an hour (`--min-request-timeout`). */
const minTimeoutSeconds = 1_800;

/** Bookmarks come each minute and once more shortly before the end that the client asked for. */
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

/** A watch ends at the time that its client asked for, or that the server drew by lot. */
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
