import { type ApiServer, startApiServer } from "@typekube/apiserver";
import { connect } from "typekube";
import type { Subject } from "./subject.js";
import { widgets } from "./support/widgets.js";

/** Virtual milliseconds per step while a case waits. */
const stepMs = 1_000;

/** Starts the embedded API server in process, without sockets, on a virtual clock that advances only while a case waits. */
export async function embeddedSubject(): Promise<Subject> {
  const api = await startApiServer({
    version: "1.37",
    seed: 1,
    clock: "virtual",
    resources: [widgets],
    featureGates: { CBORServingAndStorage: true, ShardedListAndWatch: true },
    authorization: "RBAC",
    users: [{ name: "viewer", groups: ["typekube:viewers"] }],
  });
  const client = await connect({ transport: api });
  return {
    server: "embedded",
    label: "embedded",
    provides: new Set(["crd", "policies", "users", "webhooks"]),
    client,
    compact: async () => api.compact(),
    whileTimePasses: async (work) => {
      let isSettled = false;
      const settled = () => {
        isSettled = true;
      };
      work.then(settled, settled);
      while (!isSettled) {
        await api.clock.advance(stepMs);
      }
      return work;
    },
    clientOf: (user) =>
      user === "viewer" ? api.client({ as: "viewer" }) : connect({ transport: strange(api) }),
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await api.close();
    },
  };
}

/** Returns a transport with credentials that the server does not know. */
function strange({ send, server }: ApiServer): Pick<ApiServer, "send" | "server"> {
  const authorization = "Bearer nobody-knows-me";
  return {
    server,
    send: (request) => send({ ...request, headers: { ...request.headers, authorization } }),
  };
}
