import { startApiServer } from "@typekube/apiserver";
import type { HttpSend } from "@typekube/core/internal";
import { startRealServer } from "@typekube/test-support/real-server/real-server";
import { type Client, connect } from "typekube";
import { widgets } from "../support/widgets.js";

/** A server and a client that reports the Content-Type of its last response. */
export interface EveryKindSubject extends AsyncDisposable {
  readonly label: string;
  readonly client: Client;
  lastContentType(): string;
}

/** Starts the embedded server and, if available, a real one. */
export async function everyKindSubjects(): Promise<EveryKindSubject[]> {
  const subjects = [await embedded(), await real()];
  return subjects.filter((subject) => subject !== undefined);
}

/** Records the Content-Type of every response. */
class Listener {
  contentType = "";

  readonly wrap = (send: HttpSend): HttpSend => {
    return async (request) => {
      const response = await send(request);
      this.contentType = response.headers["content-type"] ?? "";
      return response;
    };
  };
}

async function embedded(): Promise<EveryKindSubject> {
  const api = await startApiServer({
    version: "1.37",
    seed: 1,
    resources: [widgets],
    featureGates: { CBORServingAndStorage: true },
  });
  const listener = new Listener();
  const send = listener.wrap((request) => api.send(request));
  const client = await connect({ transport: { ...api, send } });
  return {
    label: "embedded",
    client,
    lastContentType: () => listener.contentType,
    [Symbol.asyncDispose]: () => api.close(),
  };
}

async function real(): Promise<EveryKindSubject | undefined> {
  const server = await startRealServer();
  if (server === undefined) {
    return undefined;
  }
  const listener = new Listener();
  const transportOptions = { interceptors: [listener.wrap] };
  const client = await connect({ ...server.connectOptions(), transportOptions });
  const { gitVersion } = await client.version();
  return {
    label: `real (kube-apiserver ${gitVersion})`,
    client,
    lastContentType: () => listener.contentType,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await server.close();
    },
  };
}
