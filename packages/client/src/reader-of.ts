import type { ResourceDescriptor } from "@typekube/api";
import { descriptorSource } from "./resource/resource-of.js";
import { ResourceReader } from "./resource/resource-reader.js";
import type { View } from "./response/view.js";
import { contextOf, type ServerClient } from "./server-client.js";
import type { KindReference } from "./types/kind-reference.js";

/** Place and view of a collection that a reader reads. */
export interface ReaderOptions {
  /** Default: all namespaces. */
  readonly namespace?: string | undefined;
  /** Default: whole objects. */
  readonly view?: View | undefined;
}

/** Returns the two reads that informers and pagers consist of: pages of a list, and batches of watch events. */
export function readerOf(
  client: ServerClient,
  type: KindReference | ResourceDescriptor,
  { namespace, view }: ReaderOptions = {},
): ResourceReader {
  const context = contextOf(client);
  return new ResourceReader(context, descriptorSource(context, type), namespace, view);
}
