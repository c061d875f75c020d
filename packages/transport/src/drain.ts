import type { Clock, HttpResponse } from "@typekube/core/internal";

/** Bytes of an answer that are read for its connection's sake. */
const drainBytes = 16 * 1024;

/** Milliseconds that this may take: a connection is not worth more of a call's time. */
export const drainMs = 1_000;

/**
 * Reads an answer that is followed by another attempt: a body that nobody reads keeps its connection. One that is long, slow
 * or breaks off gives it up, and says no less by its status. It does not fail.
 */
export async function drain({ body }: HttpResponse, clock: Clock): Promise<void> {
  try {
    const bytes = body[Symbol.asyncIterator]();
    const reading = readSome(bytes);
    // As a rule all of it has come with the headers; nobody needs a timer then.
    const end = (await Promise.race([reading, nextTurn()])) ?? (await withinLimit(reading, clock));
    if (end !== "done") {
      // Not waited for: what is silent may be so in this, too.
      bytes.return?.().catch(() => {});
    }
  } catch {
    // It broke off, or somebody has read it already.
  }
}

function nextTurn(): Promise<undefined> {
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
