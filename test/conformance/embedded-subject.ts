import { startApiServer } from "@typekube/apiserver";
import { connect } from "@typekube/client";
import type { Subject } from "./subject.js";
import { widgets } from "./support/widgets.js";

/** Virtual milliseconds that pass at a time while a case waits. */
const stepMs = 1_000;

/** The embedded API server, in process: no sockets, and time that only passes when a case waits for it. */
export async function embeddedSubject(): Promise<Subject> {
  const api = await startApiServer({
    version: "1.37",
    seed: 1,
    clock: "virtual",
    resources: [widgets],
    featureGates: { CBORServingAndStorage: true },
  });
  const client = await connect({ transport: api });
  return {
    server: "embedded",
    label: "embedded",
    provides: new Set(),
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
    clientOf: async () => {
      throw new Error("the embedded server has one user");
    },
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await api.close();
    },
  };
}
