import { KubeError } from "@typekube/core";
import { expect } from "vitest";

/** Returns the KubeError with which a promise rejects. */
export async function failure(promise: Promise<unknown>): Promise<KubeError> {
  try {
    await promise;
  } catch (error) {
    expect(error).toBeInstanceOf(KubeError);
    return error as KubeError;
  }
  throw new Error("it did not fail");
}

/** Returns the KubeError that a function throws. */
export function thrown(run: () => unknown): Promise<KubeError> {
  return failure(Promise.resolve().then(run));
}
