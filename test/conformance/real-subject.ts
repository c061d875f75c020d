import { startRealServer } from "@typekube/test-support/real-server/real-server";
import { type Client, connect } from "typekube";
import type { Subject } from "./subject.js";
import { installWidgets, widgetsIn } from "./support/widgets.js";

/**
 * Starts a real kube-apiserver with the same custom resource as the embedded one; returns `undefined` when none is
 * available.
 */
export async function realSubject(): Promise<Subject | undefined> {
  const server = await startRealServer();
  if (server === undefined) {
    return undefined;
  }
  // Some cases must see the response with Retry-After.
  const transportOptions = { maxRetries: 0 };
  const client = await connect({ ...server.connectOptions(), transportOptions });
  const patient = await connect(server.connectOptions());
  await installWidgets(client);
  const { gitVersion } = await client.version();
  return {
    server: "real",
    label: `real (kube-apiserver ${gitVersion})`,
    provides: new Set(["aggregation", "crd", "flow-control", "policies", "users", "webhooks"]),
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
 * Waits until the server can watch custom resources. A server that has just started reports ready earlier and returns
 * 429 "storage is (re)initializing" for a moment. This client retries such responses, so its first event shows that the
 * watch works.
 */
async function customResourcesServed(patient: Client): Promise<void> {
  const present = { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" } as const;
  for await (const _ of widgetsIn(patient, "default").watch(present)) {
    return;
  }
}
