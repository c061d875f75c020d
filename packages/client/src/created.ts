import type { ClientContext } from "./client-context.js";

const created = new WeakSet<object>();

/**
 * Whether a server-side apply made the object that it gave back (201), or merged into one that was there (200). False for an
 * object that came otherwise, or is a copy.
 */
export function wasCreated(applied: object): boolean {
  return created.has(applied);
}

/** Runs a call on a context that remembers of the object that comes back whether it was made. */
export async function noticingCreation(
  context: ClientContext,
  run: (context: ClientContext) => Promise<unknown>,
): Promise<unknown> {
  let httpStatus = 0;
  const send: ClientContext["send"] = async (request) => {
    const response = await context.send(request);
    httpStatus = response.status;
    return response;
  };
  const answer = await run({ ...context, send });
  if (httpStatus === 201 && typeof answer === "object" && answer !== null) {
    created.add(answer);
  }
  return answer;
}
