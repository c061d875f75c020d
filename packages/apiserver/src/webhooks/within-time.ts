import type { Clock } from "@typekube/core/internal";
import { postError } from "./post-error.js";

/**
 * Awaits a call in process for a time of the server's clock.
 *
 * @param call - gets a signal that is aborted when the time is over.
 * @throws {Error} with the message of a real server, when the call takes too long.
 */
export async function withinTime<T>(
  clock: Clock,
  url: string,
  timeoutMs: number,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let cancel = () => {};
  const late = new Promise<never>((_, reject) => {
    cancel = clock.schedule(timeoutMs, () => {
      const error = postError(url, "context deadline exceeded");
      abort.abort(error);
      reject(error);
    });
  });
  try {
    return await Promise.race([call(abort.signal), late]);
  } finally {
    cancel();
  }
}
