import { KubeError } from "@typekube/core";
import type { ListPart } from "@typekube/core/internal";
import { versionedOptions } from "../options/consistency.js";
import type { ListOptions } from "../options/list-options.js";
import type { ListState } from "../options/read-state.js";
import type { CallContext } from "../request/call-context.js";
import { emitWarning } from "../request/warnings.js";
import type { KubeList, KubeObject, Live } from "../types/api-types.js";
import { itemWalk } from "./item-walk.js";
import { listStateProblem, otherState } from "./list-state.js";

/** The parts of a reader that a list needs. */
interface ListReader {
  readonly context: CallContext;
  listParts(options: ListOptions): AsyncIterable<ListPart>;
}

/**
 * Reads one list as a whole. When the response shows another state than requested, requests again: the newest state
 * instead of an older one, and an exact state in pages, which keep to it more strictly.
 *
 * @throws {KubeError} `Expired` when the server does not show the exact state.
 */
export async function readList(
  reader: ListReader,
  options: ListOptions,
): Promise<KubeList<Live<KubeObject>>> {
  const list = await collectList(reader, options);
  const { resourceVersion = "", resourceVersionMatch, ...rest } = versionedOptions(options);
  const requested = { resourceVersion, resourceVersionMatch };
  switch (listStateProblem(requested, list.metadata.resourceVersion)) {
    case undefined:
      return list;
    case "older":
      emitWarning(
        reader.context,
        options,
        `the server returned a state older than resourceVersion ${resourceVersion}; the client requested the newest state instead`,
      );
      return collectList(reader, rest);
    case "other":
      return exactList(reader, rest, resourceVersion, list);
  }
}

async function exactList(
  reader: ListReader,
  options: Omit<ListOptions, keyof ListState>,
  exact: string,
  responded: KubeList<Live<KubeObject>>,
): Promise<KubeList<Live<KubeObject>>> {
  const { limit, continue: _, ...rest } = options;
  const items: Live<KubeObject>[] = [];
  const walk = itemWalk((page) => reader.listParts(page), { ...rest, consistency: { exact } });
  if (!limit) {
    for await (const item of walk) {
      items.push(item);
    }
  }
  if (walk.metadata?.resourceVersion !== exact) {
    throw otherState(exact);
  }
  return { ...responded, metadata: walk.metadata, items };
}

async function collectList(
  reader: ListReader,
  options: ListOptions,
): Promise<KubeList<Live<KubeObject>>> {
  const items: Live<KubeObject>[] = [];
  let head: Omit<KubeList<KubeObject>, "items"> | undefined;
  for await (const part of reader.listParts(options)) {
    for (const item of part.items) {
      items.push(item as Live<KubeObject>);
    }
    head = {
      apiVersion: part.apiVersion ?? "",
      kind: part.kind ?? "",
      metadata: part.metadata ?? {},
    };
  }
  if (head === undefined) {
    throw new KubeError("Decode", "the response is not a list");
  }
  return { kind: head.kind, apiVersion: head.apiVersion, metadata: head.metadata, items };
}
