import type { ResourceDescriptor } from "@typekube/api";
import type { Client, KindReference, View } from "@typekube/client";
import { rediscovering } from "./rediscovering.js";
import type { WatchSource } from "./watch-source.js";

/** What lists and watches a kind: a built-in one by its descriptor, any other by discovery. */
export function sourceOf(
  client: Client,
  type: KindReference | ResourceDescriptor,
  {
    namespace,
    view,
  }: { readonly namespace?: string | undefined; readonly view?: View | undefined },
): WatchSource {
  const reader = client.reader(type, namespace, view);
  return "plural" in type ? reader : rediscovering(reader, client.context.discovery);
}
