import { connect } from "@typekube/client";
import { startRealServer } from "../real-server/real-server.js";
import type { Subject } from "./subject.js";
import { installWidgets } from "./support/widgets.js";

/** A real kube-apiserver with the same custom resource as the embedded one, or `undefined` where there is none. */
export async function realSubject(): Promise<Subject | undefined> {
  const server = await startRealServer();
  if (server === undefined) {
    return undefined;
  }
  // An answer with Retry-After is what some cases want to see.
  const transportOptions = { maxRetries: 0 };
  const client = await connect({ ...server.connectOptions(), transportOptions });
  await installWidgets(client);
  const { gitVersion } = await client.version();
  return {
    server: "real",
    label: `real (kube-apiserver ${gitVersion})`,
    provides: new Set(["crd", "users"]),
    client,
    compact: () => server.compact(),
    whileTimePasses: (work) => work,
    clientOf: (user) =>
      connect({
        ...server.connectOptions("viewer"),
        ...(user === "stranger" ? { token: "nobody-knows-me" } : {}),
        transportOptions,
      }),
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await server.close();
    },
  };
}
