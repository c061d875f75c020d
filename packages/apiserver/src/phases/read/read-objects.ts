import type { ServerContext } from "../../context/server-context.js";
import { badRequest, expired, notFound } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { type JsonObject, omitKeys } from "../../objects/json-value.js";
import {
  type ContinueToken,
  formatContinueToken,
  parseContinueToken,
} from "../../request/continue-token.js";
import {
  type ListOptions,
  readListOptions,
  readResourceVersion,
} from "../../request/list-options.js";
import type { ResourceRequest } from "../../request/request-info.js";
import { createFilter } from "../../request/selectors.js";
import type { ServedResource } from "../../resources/served-resource.js";
import { prepareViews } from "../../resources/versions/conversion.js";
import { asVersion } from "../../resources/versions/object-versions.js";
import { readingMany, readingOne } from "../../resources/versions/unreadable.js";
import type { Entry } from "../../store/collection.js";
import { objectKey } from "../../store/store.js";
import { withPendingCalls } from "../../time/pending-call.js";
import { waitForRevision } from "./wait-for-revision.js";

/** Returns the current object, once the server has reached the requested resourceVersion. */
export async function getObject(
  server: ServerContext,
  { resource, namespace, name, query }: ResourceRequest,
  signal: AbortSignal,
): Promise<ApiObject> {
  const revision = readResourceVersion(query.get("resourceVersion") ?? "", "get");
  await waitForRevision(server, revision, signal);
  return readingOne(resource, () =>
    withPendingCalls(() => existing(server, resource, namespace, name)),
  );
}

/** Returns an existing object in the apiVersion of the request. */
export function existing(
  { store }: ServerContext,
  resource: ServedResource,
  namespace: string,
  name: string,
): ApiObject {
  const object = store.collection(resource.storage).get(objectKey(namespace, name));
  if (object === undefined) {
    throw notFound(resource, name);
  }
  return asVersion(object, resource);
}

/** Lists objects, with paging, selectors and older resourceVersions. */
export async function listObjects(
  server: ServerContext,
  request: ResourceRequest,
  signal: AbortSignal,
): Promise<JsonObject> {
  const options = readListOptions(request.query, false);
  return list(server, request, options, signal);
}

/** Lists objects by options that are already parsed. */
export async function list(
  server: ServerContext,
  { resource, namespace }: ResourceRequest,
  options: ListOptions,
  signal: AbortSignal,
): Promise<JsonObject> {
  const filter = createFilter(server, resource, options);
  const prefix = namespace === "" ? "" : `${namespace}/`;
  const page = await chooseState(server, resource, prefix, options, signal);
  const { defined } = resource;
  if (defined !== undefined) {
    // Without a selector, only the first `limit` objects are needed.
    const isCut = filter.all && options.limit > 0 && options.resourceVersion !== "0";
    const read = isCut ? page.entries.slice(0, options.limit) : page.entries;
    const objects = read.map(([, object]) => object);
    await readingMany(resource, () => prepareViews(objects, defined));
  }
  const matching = filter.all
    ? page.entries
    : page.entries.filter(([, object]) => filter.matches(object));
  // A list at resourceVersion "0" is served from memory, without paging.
  const paged =
    options.limit > 0 && options.resourceVersion !== "0" && matching.length > options.limit;
  const shown = paged ? matching.slice(0, options.limit) : matching;
  const last = shown.at(-1);
  const metadata: JsonObject = { resourceVersion: String(page.revision) };
  if (paged && last !== undefined) {
    const start = `${namespace === "" ? "" : "/"}${last[0].slice(prefix.length)}\0`;
    metadata["continue"] = formatContinueToken({ revision: page.revision, start });
    if (filter.all) {
      metadata["remainingItemCount"] = matching.length - shown.length;
    }
  }
  const { descriptor, rules } = resource;
  if (filter.shard !== undefined && !rules.custom) {
    metadata["shardInfo"] = { selector: filter.shard };
  }
  return {
    kind: descriptor.listKind ?? `${descriptor.kind}List`,
    apiVersion: descriptor.apiVersion,
    metadata: rules.custom ? { continue: "", ...metadata } : metadata,
    items: shown.map(([, object]) =>
      // Items of typed lists have no kind and apiVersion; custom resources keep them.
      rules.custom
        ? asVersion(object, resource)
        : omitKeys(asVersion(object, resource), "kind", "apiVersion"),
    ),
  };
}

interface State {
  readonly revision: bigint;
  readonly entries: readonly Entry[];
}

async function chooseState(
  server: ServerContext,
  resource: ServedResource,
  prefix: string,
  options: ListOptions,
  signal: AbortSignal,
): Promise<State> {
  const { store } = server;
  const collection = store.collection(resource.storage);
  if (options.continueToken !== "") {
    if (options.resourceVersion !== "" && options.resourceVersion !== "0") {
      throw badRequest("specifying resource version is not allowed when using continue");
    }
    return continued(server, resource, prefix, parseContinueToken(options.continueToken));
  }
  const requested = readResourceVersion(options.resourceVersion, "list");
  await waitForRevision(server, requested, signal);
  const exact =
    options.resourceVersionMatch === "Exact" ||
    (requested > 0n && options.limit > 0 && options.resourceVersionMatch === "");
  if (!exact) {
    return { revision: store.revision, entries: collection.entries(prefix) };
  }
  if (requested < oldestOf(server, resource)) {
    throw expired("The resourceVersion for the provided list is too old.");
  }
  return { revision: requested, entries: collection.entriesAt(requested, prefix) };
}

/** Returns the oldest resourceVersion that can still be read. Watches depend only on the number of events kept. */
function oldestOf({ store, history }: ServerContext, { storage }: ServedResource): bigint {
  const [byNumber, byAge] = [store.floor(storage), history.floor()];
  if (byNumber < byAge) {
    return byAge;
  }
  return byNumber;
}

function continued(
  server: ServerContext,
  resource: ServedResource,
  prefix: string,
  { revision = server.store.revision, start }: ContinueToken,
): State {
  if (revision < oldestOf(server, resource)) {
    throw expired(
      "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.",
      formatContinueToken({ revision: undefined, start }),
    );
  }
  const entries = server.store
    .collection(resource.storage)
    .entriesAt(revision, prefix, `${prefix}${start}`);
  return { revision, entries };
}
