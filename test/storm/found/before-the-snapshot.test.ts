import { startApiServer } from "@typekube/apiserver";
import { codecs, type HttpSend } from "@typekube/core/internal";
import { connect, type InformerOptions } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { expect, it } from "vitest";
import { resumes } from "../faults/status-response.js";
import { namespace, Writer } from "../writer.js";

const name = "o5";

/**
 * Runs an informer whose first watch starts with an event older than its list, about an object that the list does not
 * contain.
 */
async function reportsOf(
  prepare: (writer: Writer) => Promise<void>,
  options: Pick<InformerOptions<ConfigMap>, "transform">,
): Promise<string[]> {
  await using api = await startApiServer({ clock: "virtual" });
  const writer = new Writer(await api.client());
  await writer.prepare(3);
  await writer.put(5);
  const configMaps = (await api.client()).resource(ConfigMap, namespace);
  const object = await configMaps.get(name);
  await prepare(writer);
  const stale = await codecs.json.encodeWatchEvent({ type: "ADDED", object });
  const send: HttpSend = async (request) => {
    const response = await api.send(request);
    return resumes(request.path) ? { ...response, body: after(stale, response.body) } : response;
  };
  await using client = await connect({
    transport: { send, server: api.server },
    clock: api.clock,
  });
  await using informer = client.informer(ConfigMap, {
    namespace,
    streamingList: false,
    encoding: "json",
    ...options,
  });
  const received: string[] = [];
  informer.onChange({
    add: ({ metadata }) => received.push(`add ${metadata.name}`),
    delete: ({ metadata }) => received.push(`delete ${metadata.name}`),
  });
  await api.clock.advance(1_000);
  expect(informer.get(`${namespace}/${name}`)).toBeUndefined();
  expect(informer.health.staleEvents).toBe(1);
  return received.filter((change) => change.endsWith(name));
}

async function* after(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield first;
  yield* rest;
}

// A list defines which objects exist at its resourceVersion; no older event may bring one back.
it("a repeated event does not bring back an object that was created and deleted before the list", async () => {
  expect(await reportsOf((writer) => writer.remove(5), {})).toEqual([]);
});

it("an older state does not bring in an object that the transform dropped from the list", async () => {
  const transform: InformerOptions<ConfigMap>["transform"] = (object) =>
    object.metadata.name === name && object.data?.["write"] !== "4" ? undefined : object;
  expect(await reportsOf((writer) => writer.put(5), { transform })).toEqual([]);
});
