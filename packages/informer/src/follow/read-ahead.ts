import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { KubeObject } from "@typekube/api";
import type { Clock } from "@typekube/core/internal";
import { TimeSlice } from "../callbacks/time-slice.js";
import type { FollowEvent } from "../events/follow-event.js";
import { slowReaderError } from "../watcher/slow-reader.js";
import { FollowBuffer, type FollowBufferLimits } from "./follow-buffer.js";

/**
 * Yields the events of a watcher one by one and reads from the server independently of the reader: a server cuts
 * connections that are not read. Unread events wait in a {@link FollowBuffer}. When the buffer is full, reading stops;
 * the reader gets a gap and a new snapshot when it continues.
 *
 * @param run - groups of events, until `signal` aborts.
 */
export async function* readAhead<T extends KubeObject>(
  run: AsyncGenerator<readonly FollowEvent<T>[], void>,
  limits: FollowBufferLimits,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<FollowEvent<T>, void> {
  const buffer = new FollowBuffer<T>(limits);
  let failure: { readonly error: unknown } | undefined;
  let isDone = false;
  let wakeReader = () => {};
  let wakePump = () => {};
  const pump = async () => {
    let result = await run.next();
    while (!result.done) {
      if (buffer.wouldFold(result.value.length)) {
        // Many events may arrive at once: the reader is slow only if it has not read after we yield to the event loop.
        await yieldToEventLoop();
      }
      const isTooMuch = buffer.push(result.value);
      wakeReader();
      if (isTooMuch) {
        buffer.dropChanges();
        // The watcher yields a gap, and sends no request before the next call.
        result = await run.throw(slowReaderError(limits.maxBufferedObjects));
        if (!result.done) {
          buffer.push(result.value);
          await new Promise<void>((resolve) => {
            wakePump = resolve;
            wakeReader();
          });
        }
      }
      result = await run.next();
    }
  };
  const pumping = pump()
    .catch((error: unknown) => {
      failure = { error };
    })
    .finally(() => {
      isDone = true;
      wakeReader();
    });
  const onAbort = () => wakePump();
  signal.addEventListener("abort", onAbort, { once: true });
  const slice = new TimeSlice(clock);
  try {
    while (!signal.aborted) {
      if (slice.isOver) {
        await slice.rest();
        continue;
      }
      const event = buffer.shift();
      if (event !== undefined) {
        yield event;
        continue;
      }
      wakePump();
      if (isDone) {
        break;
      }
      await new Promise<void>((resolve) => {
        wakeReader = resolve;
      });
      slice.renew();
    }
    if (failure !== undefined) {
      throw failure.error;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    wakePump();
    // Nothing is open when the iteration has ended: the caller that ends it has aborted the signal.
    await pumping;
  }
}
