import { type ApiServer, startApiServer } from "@typekube/apiserver";
import { contextOf } from "@typekube/client/internal";
import type { HttpRequest } from "@typekube/core/internal";
import { connect } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let api: ApiServer;
beforeEach(async () => {
  api = await startApiServer();
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

/** Creates a client of the embedded server that records the impersonated user of each request. */
async function recorded() {
  const users: string[] = [];
  const inner = await api.client();
  const client = await connect({
    transport: {
      server: "http://embedded",
      send: (request: HttpRequest) => {
        users.push(request.headers["impersonate-user"] ?? "-");
        return contextOf(inner).send(request);
      },
    },
  });
  return { client, users };
}

describe("S4: impersonated informers", () => {
  it("share a watch for the same user, and nothing between two users", async () => {
    const { client, users } = await recorded();
    const jane = client.with({ impersonate: { user: "jane" } });
    const clients = [
      client,
      client.with({ dryRun: "All" }),
      jane,
      jane.with({ timeoutMs: 300_000 }),
    ];
    const informers = clients.slice(0, 3).map((each) => each.informer(Pod));
    await Promise.all(informers.map((informer) => informer.synced()));
    expect(users.toSorted()).toEqual(["-", "jane"]);
    const joe = jane.with({ impersonate: { user: "joe" } }).informer(Pod);
    const again = jane.informer(Pod);
    await Promise.all([joe.synced(), again.synced()]);
    expect(users.toSorted()).toEqual(["-", "jane", "joe"]);
    await Promise.all([...informers, joe, again].map((informer) => informer.close()));
  });
});
