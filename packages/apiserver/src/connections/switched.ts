import type { HttpResponse } from "@typekube/core/internal";

/** A response that is over when the connection that it handed over is. */
export function switched(done: Promise<void>): HttpResponse {
  return {
    status: 101,
    headers: {},
    body: {
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          await done;
          return { done: true, value: undefined };
        },
      }),
    },
  };
}
