import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import { defineResource, install } from "typekube/crd";
import { expect, test } from "vitest";
import * as z from "zod";
import { type ApiServer, startApiServer, type VirtualClock } from "../src/index.js";

const define = (more: object = {}) =>
  defineResource({
    group: "example.com",
    version: "v1",
    kind: "Widget",
    spec: z.object({ size: z.int() }),
    ...more,
  });

test("ZD9: install keeps labels and annotations of others, and the certificate of a conversion", async () => {
  await using api = await startApiServer();
  await using client = await api.client();
  const definitions = client.resource(CustomResourceDefinition);
  const url = "https://hooks.example.com/convert";
  const conversion = {
    strategy: "Webhook",
    webhook: { clientConfig: { url }, conversionReviewVersions: ["v1"] },
  } as const;
  await install(client, [define({ conversion, labels: { app: "widgets" } })]);
  await definitions.modify("widgets.example.com", (definition) => {
    definition.metadata.annotations = { "cert-manager.io/inject-ca-from": "a/b" };
    const config = definition.spec.conversion?.webhook?.clientConfig;
    Object.assign(config ?? {}, { caBundle: "QQ==" });
  });
  const options = { conversion, labels: { app: "widgets" } };
  expect(await install(client, [define(options)])).toEqual([
    { name: "widgets.example.com", result: "unchanged" },
  ]);
  await install(client, [define({ ...options, shortNames: ["w"] })], { revision: 3 });
  const { metadata, spec } = await definitions.get("widgets.example.com");
  expect(metadata.labels).toEqual({ app: "widgets" });
  expect(metadata.annotations).toEqual({
    "cert-manager.io/inject-ca-from": "a/b",
    "typekube.dev/revision": "3",
  });
  expect(spec.names.shortNames).toEqual(["w"]);
  expect(spec.conversion?.webhook?.clientConfig).toEqual({ url, caBundle: "QQ==" });
});

test("ZD9: a name that another definition has is a Conflict at once", async () => {
  await using api = await startApiServer();
  await using client = await api.client();
  await install(client, [define()]);
  await expect(install(client, [define({ plural: "gizmos" })])).rejects.toMatchObject({
    code: "Conflict",
    rawMessage: expect.stringContaining("gizmos.example.com cannot be served: "),
  });
});

test("ZD9: install waits until a definition is established, up to its timeout, by the client's clock", async () => {
  await using api = await startApiServer({ clock: "virtual", establishDelayMs: 5_000 });
  await using client = await api.client();
  const slow = install(client, [define()], { timeoutMs: 3_000 }).catch((error: unknown) => error);
  await api.clock.advance(4_000);
  expect(await slow).toMatchObject({
    code: "DeadlineExceeded",
    rawMessage: expect.stringContaining("widgets.example.com is not served yet: "),
  });
  const patient = install(client, [define()]);
  await api.clock.advance(5_000);
  expect(await patient).toEqual([{ name: "widgets.example.com", result: "unchanged" }]);
});

/** Advances the clock of a server until a call settles. The call may load code first, so one step is not enough. */
async function advanceUntil<T>({ clock }: ApiServer<VirtualClock>, call: Promise<T>): Promise<T> {
  let isSettled = false;
  const end = () => {
    isSettled = true;
  };
  call.then(end, end);
  while (!isSettled) {
    await clock.advance(100);
    await new Promise(setImmediate);
  }
  return call;
}

test("ZD9: apply waits until a definition is established", async () => {
  await using api = await startApiServer({ clock: "virtual", establishDelayMs: 5_000 });
  await using client = await api.client();
  const { metadata } = await advanceUntil(api, client.apply(define().crd()));
  expect(metadata.name).toBe("widgets.example.com");
  const { status } = await client.resource(CustomResourceDefinition).get("widgets.example.com");
  expect(status?.conditions).toContainEqual(
    expect.objectContaining({ type: "Established", status: "True" }),
  );
  await client.resource(define(), "default").create({ metadata: { name: "a" }, spec: { size: 1 } });
});

test("ZD9: apply waits up to its timeout, unless told not to", async () => {
  await using api = await startApiServer({ clock: "virtual", establishDelayMs: 1e9 });
  await using client = await api.client();
  const manifest = define().crd();
  // Neither waits: the virtual clock stands still.
  await client.apply(manifest, { dryRun: "All" });
  await client.apply(manifest, { kindsTimeoutMs: 0 });
  const slow = client.apply(manifest, { kindsTimeoutMs: 3_000 });
  await expect(advanceUntil(api, slow)).rejects.toMatchObject({
    code: "DeadlineExceeded",
    rawMessage: expect.stringContaining("the kind Widget is not served after 3000 ms"),
    hint: expect.stringContaining("kindsTimeoutMs"),
  });
  await expect(client.apply(manifest, { kindsTimeoutMs: -1 })).rejects.toMatchObject({
    code: "InvalidArgument",
    rawMessage: expect.stringContaining("kindsTimeoutMs"),
  });
});

test("ZD9: install ends with the reason of its signal", async () => {
  await using api = await startApiServer({ clock: "virtual", establishDelayMs: 60_000 });
  await using client = await api.client();
  const abort = new AbortController();
  const reason = new Error("the program ends");
  const waiting = install(client, [define()], { signal: abort.signal }).catch((error) => error);
  await api.clock.advance(100);
  abort.abort(reason);
  expect(await waiting).toBe(reason);
  await expect(install(client, [define()], { signal: abort.signal })).rejects.toBe(reason);
});

test("ZD9: wrong options and two definitions of one kind are refused before anything is written", async () => {
  await using api = await startApiServer();
  await using client = await api.client();
  const both = [define(), define({ plural: "gizmos" })];
  await expect(install(client, both)).rejects.toThrow("two definitions of Widget of example.com");
  await expect(install(client, [define()], { revisions: 1 } as never)).rejects.toThrow(
    'no option "revisions"',
  );
  await expect(install(client, [define()], { revision: -1 })).rejects.toThrow(/revision/);
  expect((await client.resource(CustomResourceDefinition).list()).items).toEqual([]);
});
