import { type Client, connect } from "typekube";
import { startRealServer } from "../real-server/real-server.js";
import type { Subject } from "./subject.js";
import { installWidgets, widgetsIn } from "./support/widgets.js";

/** A real kube-apiserver with the same custom resource as the embedded one, or `undefined` where there is none. */
export async function realSubject(): Promise<Subject | undefined> {
  const server = await startRealServer();
  if (server === undefined) {
    return undefined;
  }
  // An answer with Retry-After is what some cases want to see.
  const transportOptions = { maxRetries: 0 };
  const client = await connect({ ...server.connectOptions(), transportOptions });
  const patient = await connect(server.connectOptions());
  await installWidgets(client);
  const { gitVersion } = await client.version();
  return {
    server: "real",
    label: `real (kube-apiserver ${gitVersion})`,
    provides: new Set(["aggregation", "crd", "flow-control", "users", "webhooks"]),
    client,
    compact: async () => {
      await server.compact();
      await customResourcesServed(patient);
    },
    whileTimePasses: (work) => work,
    clientOf: (user) =>
      connect({
        ...server.connectOptions("viewer"),
        ...(user === "stranger" ? { token: "nobody-knows-me" } : {}),
        transportOptions,
      }),
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await patient.close();
      await server.close();
    },
  };
}

/**
 * A server that has just started is ready before it can watch custom resources: for a moment it answers 429 "storage is
 * (re)initializing". This client repeats what the server asks to repeat, so the first event means that it can.
 */
async function customResourcesServed(patient: Client): Promise<void> {
  const present = { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" } as const;
  for await (const _ of widgetsIn(patient, "default").watch(present)) {
    return;
  }
}
