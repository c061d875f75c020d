// A pod that runs one command and is deleted, as kubectl run --rm -i: its output and its exit code, or why it did not start.
import { memoryContainers, startApiServer } from "@typekube/apiserver";
import { runPods } from "@typekube/apiserver/controllers";
import { KubeError } from "typekube";
import { Pod } from "typekube/api/core/v1";

await using api = await startApiServer({
  seed: 1,
  pods: memoryContainers(), // no image runs; programs such as env are simulated
  stages: runPods({
    readyAfterMs: 0,
    completeAfterMs: 0,
    when: ({ spec }) => spec?.serviceAccountName !== "late", // these pods stay Pending
  }),
});
await using client = await api.client({ namespace: "default" });

const { exitCode, stdout, pod } = await client.runPod(
  { image: "busybox", env: { GREETING: "hello" } },
  { command: ["env"] },
);
console.log(exitCode, /GREETING=.*/.exec(stdout)?.[0]);
const isGone = (found?: Pod) => found === undefined;
await client.waitFor(Pod, pod, isGone, { namespace: "default", timeoutMs: 10_000 });
console.log("deleted");

try {
  await client.runPod({ image: "busybox", serviceAccountName: "late" }, { timeoutMs: 100 });
} catch (error) {
  console.log(error instanceof KubeError && error.code);
}

// Prints:
// 0 GREETING=hello
// deleted
// DeadlineExceeded
