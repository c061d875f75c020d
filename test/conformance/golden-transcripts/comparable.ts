import { codecs } from "@typekube/core/internal";
import { normalize } from "../write-sequences/normalize.js";
import type { RecordedExchange, RecordedResponse } from "./recorded-exchanges.js";

/** Returns the comparable parts of a response: status, type and body, without values that are specific to one server. */
export async function comparable(
  { path }: Pick<RecordedExchange, "path">,
  { status, type, body }: RecordedResponse,
): Promise<unknown> {
  return { status, type, body: normalize(bare(await decoded(path, { status, type, body }))) };
}

async function decoded(path: string, { status, type, body }: RecordedResponse): Promise<unknown> {
  const codec = codecs.forContentType(type);
  if (codec === undefined || type.includes("proto-openapi")) {
    return isJson(body) ? JSON.parse(Buffer.from(body).toString("utf8")) : `<${type}>`;
  }
  if (status !== 200 || !path.includes("watch=1")) {
    return codec.decode(body);
  }
  const events: unknown[] = [];
  for await (const part of codec.decodeWatch(once(body))) {
    events.push(...part);
  }
  return events;
}

/** Returns true for a JSON body; the document of OpenAPI versions is JSON whatever its type. */
function isJson(body: Uint8Array): boolean {
  return body[0] === "{".charCodeAt(0);
}

async function* once(body: Uint8Array): AsyncIterable<Uint8Array> {
  yield body;
}

/** Sorts keys, and removes descriptions and values that differ in each response. */
function bare(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => bare(item));
  }
  if (typeof value === "string") {
    return key === "continue" && value !== ""
      ? "<token>"
      : value
          .replace(/(current: |resource version: )\d+( \(\d+\))?/g, "$1<version>")
          .replace(/^(g-)[a-z0-9]{5}$/, "$1<random>")
          .replace(/hash=[0-9A-F]+/, "hash=<hash>");
  }
  if (typeof value === "bigint") {
    return String(value);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, field]) => name !== "description" || typeof field !== "string")
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, bare(field, name)]),
  );
}

type Json = { readonly [key: string]: unknown };

/** Lists in responses that enumerate what a server has, and the functions that return their items' names. */
const catalogs: Readonly<Record<string, (item: Json) => unknown>> = {
  // Events of a watch.
  body: ({ object }) => ((object as Json)["metadata"] as Json)["name"],
  groups: ({ name }) => name,
  items: ({ metadata }) => (metadata as Json | undefined)?.["name"],
  parameters: ({ name, $ref }) => name ?? $ref,
  resources: ({ name, resource }) => name ?? resource,
  subresources: ({ subresource }) => subresource,
};
const catalogMaps = new Set(["definitions", "paths", "schemas"]);

/**
 * Returns a response of a server that serves more than the recorded one, reduced to what the recorded response has too,
 * and in its order.
 */
export function onlyWhatIsIn(recorded: unknown, response: unknown, key = ""): unknown {
  if (Array.isArray(recorded) && Array.isArray(response)) {
    const nameOf = catalogs[key];
    const found =
      nameOf === undefined
        ? response
        : (recorded as Json[]).flatMap(
            (item) => (response as Json[]).find((one) => nameOf(one) === nameOf(item)) ?? [],
          );
    return found.map((item, index) => onlyWhatIsIn(recorded[index], item));
  }
  if (!isObject(recorded) || !isObject(response)) {
    return response;
  }
  return Object.fromEntries(
    Object.entries(response)
      .filter(([name]) => !catalogMaps.has(key) || Object.hasOwn(recorded, name))
      .map(([name, field]) => [name, onlyWhatIsIn(recorded[name], field, name)]),
  );
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
