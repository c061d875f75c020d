import { callOptionsOf } from "../options/call-options-of.js";
import { chooseContainer } from "../pod-target/choose-container.js";
import type { PodTarget } from "../pod-target/pod-target.js";
import type { PodFileOptions } from "./file-options.js";

/** The container whose files a call reads or writes, chosen once for all of its commands. */
export interface PodFiles {
  readonly target: PodTarget;
  readonly options: PodFileOptions;
}

/** Chooses the container of a call. */
export async function podFiles(target: PodTarget, options: PodFileOptions): Promise<PodFiles> {
  const container = await chooseContainer(target, options);
  return { target, options: { ...callOptionsOf(options), container } };
}
