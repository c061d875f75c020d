import type { OperatorContext } from "@typekube/apiserver/testing";
import { type Client, mergePatch } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { animal } from "./animal.js";
import { inDefault, onEachChange } from "./plain-operator.js";
import { podFor, podsOf } from "./pods.js";

const report = (message: string) => (client: Client) =>
  podsOf(client).status.patch("tea", mergePatch({ status: { message } }));

const common = {
  steps: {
    "create a pod": (client: Client) => podsOf(client).create(podFor("tea", "tea")),
    "its image is pulled": report("pulled"),
    "it starts": report("starts"),
  },
};

const patienceMs = 30 * 60_000;

/** Marks pods as stuck that report nothing for half an hour, by a clock. */
async function markStuck(context: OperatorContext, now: () => number): Promise<void> {
  const { client } = context;
  const pods = client.informer(Pod, inDefault);
  const heard = new Map<string, { readonly message: string; readonly atMs: number }>();
  const label = (name: string, state: string) =>
    podsOf(client).patch(name, mergePatch({ metadata: { labels: { state } } }));
  await onEachChange(context, [pods], async () => {
    for (const { metadata, status } of pods.list()) {
      const { name, labels } = metadata;
      const message = status?.message ?? "";
      const last = heard.get(name);
      if (last?.message !== message) {
        heard.set(name, { message, atMs: now() });
      }
      if (last !== undefined && now() - last.atMs > patienceMs) {
        await label(name, "stuck");
      } else if (labels?.["state"] === undefined) {
        await label(name, "watched");
      }
    }
  });
}

/** Measures a duration with the wall clock. */
export const clockJump = animal({
  bug: "a wall clock that jumps looks like a long time without a sign of life",
  source: "https://github.com/kubernetes/kubernetes/issues/5819",
  kinds: ["another state"],
  by: ["jump"],
  buggy: { ...common, operator: (context) => markStuck(context, () => context.clock.now()) },
  fixed: {
    ...common,
    operator: (context) => markStuck(context, () => context.clock.monotonic?.() ?? 0),
  },
});
