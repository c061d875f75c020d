import type { Clock, HttpResponse } from "@typekube/core/internal";

/** Bytes of a response that are read to keep its connection usable. */
const drainBytes = 16 * 1024;

/** Milliseconds that draining may take: a connection is not worth more of a call's time. */
export const drainMs = 1_000;

/**
 * Reads a response before another attempt: an unread body would block its connection. A body that is long, slow or
 * broken is cancelled, which costs the connection; its status is all that is needed. Never rejects.
 */
export async function drain({ body }: HttpResponse, clock: Clock): Promise<void> {
  try {
    const bytes = body[Symbol.asyncIterator]();
    const reading = readSome(bytes);
    // Usually the whole body arrived with the headers, and no timer is needed.
    const end =
      (await Promise.race([reading, yieldToEventLoop()])) ?? (await withinLimit(reading, clock));
    if (end !== "done") {
      // Not awaited: cancelling a silent body may be silent too.
      bytes.return?.().catch(() => {});
    }
  } catch {
    // The body broke off, or was read already.
  }
}

function yieldToEventLoop(): Promise<undefined> {
  return new Promise((resolve) => {
    setImmediate(() => resolve(undefined));
  });
}

function withinLimit(
  reading: Promise<"done" | "long">,
  clock: Clock,
): Promise<"done" | "late" | "long"> {
  return new Promise((resolve, reject) => {
    const cancel = clock.schedule(drainMs, () => resolve("late"));
    reading.then(resolve, reject).finally(cancel);
  });
}

async function readSome(bytes: AsyncIterator<Uint8Array>): Promise<"done" | "long"> {
  for (let length = 0; length < drainBytes; ) {
    const next = await bytes.next();
    if (next.done) {
      return "done";
    }
    length += next.value.byteLength;
  }
  return "long";
}
