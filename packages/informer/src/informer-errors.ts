import { KubeError } from "@typekube/core";

/**
 * Of whoever asks something of an informer that has ended.
 *
 * @param cause - the reason of the signal that ended it, where one did.
 */
export function closedError(cause?: unknown): KubeError {
  return new KubeError("Closed", "the informer is closed", { cause });
}

/** Of an informer over a cache that was handed to it: it does not know how to make another one. */
export function noOtherPart(): never {
  throw new KubeError("InvalidArgument", "this informer was made for one cache", {
    hint: "client.informer() makes informers that can go over to another part",
  });
}
