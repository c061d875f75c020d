import { KubeError } from "@typekube/core";
import { collectBytes, type HttpRequest, type HttpResponse } from "@typekube/core/internal";
import { expect } from "vitest";

/** Returns a GET of `/api` with the test's overrides. */
export function get(overrides: Partial<HttpRequest> = {}): HttpRequest {
  return { method: "GET", path: "/api", headers: {}, mode: "call", ...overrides };
}

export async function text(response: HttpResponse): Promise<string> {
  return Buffer.from(await collectBytes(response.body, 1e9, "maxBodyBytes")).toString();
}

/** Returns the KubeError that a promise rejects with. */
export async function failure(promise: Promise<unknown>): Promise<KubeError> {
  try {
    await promise;
  } catch (error) {
    expect(error).toBeInstanceOf(KubeError);
    return error as KubeError;
  }
  throw new Error("it did not fail");
}

/** Creates a promise and the function that resolves it. */
export function deferred<T = void>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

export async function* bytesOf(
  ...chunks: readonly (string | Uint8Array)[]
): AsyncIterable<Uint8Array> {
  for (const chunk of chunks) {
    yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
  }
}

/** Returns a body whose connection breaks after a few bytes. */
export async function* brokenBody(): AsyncIterable<Uint8Array> {
  yield Buffer.from("no");
  throw new KubeError("ConnectionClosed", "the body ended after 2 bytes of 100");
}
