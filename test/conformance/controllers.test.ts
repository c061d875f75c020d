import assert from "node:assert/strict";
import { Namespace, ServiceAccount } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import { startControllerManager } from "@typekube/test-support/real-server/controller-manager";
import { startRealServer } from "@typekube/test-support/real-server/real-server";
import { type Client, connect } from "typekube";
import { afterAll, describe, test } from "vitest";
import { controllerCases } from "./cases/controllers.js";
import { runsOnEmbedded } from "./runs-on-embedded.js";

/** Milliseconds that one case may take. */
const caseTimeoutMs = 200_000;

/** A server with controllers. */
interface ControlledSubject extends AsyncDisposable {
  readonly server: "embedded" | "real";
  readonly label: string;
  readonly client: Client;
}

/** Starts the embedded server with its controllers, on the real clock. */
async function embedded(): Promise<ControlledSubject> {
  const api = await startApiServer({ controllers: true });
  const client = await api.client();
  return {
    server: "embedded",
    label: "embedded with controllers",
    client,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await api.close();
    },
  };
}

/** Starts a kube-apiserver and a kube-controller-manager; returns `undefined` when one of them is missing. */
async function real(): Promise<ControlledSubject | undefined> {
  const server = await startRealServer();
  if (server === undefined) {
    return undefined;
  }
  const client = await connect(server.connectOptions());
  const manager = await startControllerManager(server, {
    isReady: async () => {
      const { items } = await client.resource(ServiceAccount, "default").list();
      return items.length > 0;
    },
  });
  const end = async () => {
    await manager?.[Symbol.asyncDispose]();
    await client.close();
    await server.close();
  };
  if (manager === undefined) {
    await end();
    return undefined;
  }
  return {
    server: "real",
    label: "real with kube-controller-manager",
    client,
    [Symbol.asyncDispose]: end,
  };
}

const subjects = [runsOnEmbedded && (await embedded()), await real()];

for (const subject of subjects) {
  if (subject) {
    describe(subject.label, () => runOn(subject));
  }
}

test("every case has a unique ID", () => {
  const ids = controllerCases.map(({ id }) => id);
  assert.deepEqual([...new Set(ids)], ids);
});

function runOn({ server, client, label, ...subject }: ControlledSubject): void {
  let passed = 0;
  for (const [index, { id, name, run }] of controllerCases.entries()) {
    test(`${id}: ${name}`, { timeout: caseTimeoutMs + 5_000 }, async () => {
      const namespace = `controllers-${index}`;
      await client.resource(Namespace).create({ metadata: { name: namespace } });
      await run({ server, client, namespace, signal: AbortSignal.timeout(caseTimeoutMs) });
      passed += 1;
    });
  }
  afterAll(async () => {
    console.log(`controllers ${label}: ${controllerCases.length} cases, ${passed} passed`);
    await subject[Symbol.asyncDispose]();
  });
}
