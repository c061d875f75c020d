import type { HttpResponse } from "@typekube/core/internal";

/** Returns a 101 response whose body ends when the upgraded connection ends. */
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
