import { KubeError } from "@typekube/core";
import { expect } from "vitest";

/** The KubeError that a promise fails with. */
export async function failure(promise: Promise<unknown>): Promise<KubeError> {
  try {
    await promise;
  } catch (error) {
    expect(error).toBeInstanceOf(KubeError);
    return error as KubeError;
  }
  throw new Error("it did not fail");
}

/** Everything that an iterable yields. */
export async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of source) {
    found.push(one);
  }
  return found;
}
