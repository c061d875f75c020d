import { KubeError } from "@typekube/core";
import { sessionProtocols } from "../pod-sessions/channels.js";
import type { PodFiles } from "./pod-files.js";
import { runInPod } from "./run-in-pod.js";

/** Milliseconds in which the container must answer. (kubectl `cp`: 30 s) */
const withinMs = 30_000;

/** Result of a first command in the container. */
export interface FoundDirectory {
  /** `true` when the path is a directory, or a link to one. */
  readonly isDirectory: boolean;
  /** `false` when the container has no `test`, so that the path may be a directory all the same. */
  readonly hasTest: boolean;
  /** `true` when the server can end the input of a command. */
  readonly canEndInput: boolean;
}

/** Asks the container whether a path is a directory. A container without `test` counts as one where it is not. */
export async function findDirectory(files: PodFiles, path: string): Promise<FoundDirectory> {
  try {
    const { exitCode, protocol } = await runInPod(files, ["test", "-d", path], {
      sessionTimeoutMs: withinMs,
    });
    return {
      isDirectory: exitCode === 0,
      hasTest: exitCode <= 1,
      canEndInput: protocol === sessionProtocols.v5,
    };
  } catch (error) {
    if (error instanceof KubeError && error.code === "InternalError") {
      return { isDirectory: false, hasTest: false, canEndInput: true };
    }
    throw error;
  }
}
