// Run a Job, print the logs of its pods while they run, and find out how it ended.
import { startApiServer } from "@typekube/apiserver";
import { runPods } from "@typekube/apiserver/controllers";
import { Job } from "typekube/api/batch/v1";

await using api = await startApiServer({
  controllers: true,
  stages: runPods({ readyAfterMs: 0, completeAfterMs: 100 }),
  pods: { log: () => ["adding 2 and 3", "5"] },
});
await using client = await api.client();
const jobs = client.resource(Job, "default");

const job = await jobs.create({
  metadata: { name: "sums" },
  spec: {
    template: {
      spec: {
        restartPolicy: "Never",
        containers: [{ name: "sum", image: "registry.example/sum" }],
      },
    },
  },
});

// Pods come when the Job controller creates them; the loop ends when the Job has finished.
for await (const { container, text } of client.logs(job, { follow: true })) {
  console.log(`${container}: ${text}`);
}

const { conditions = [], succeeded } = (await jobs.get("sums")).status ?? {};
console.log(succeeded, "succeeded,", conditions.map(({ type }) => type).join(" and "));

// Prints:
// sum: adding 2 and 3
// sum: 5
// 1 succeeded, SuccessCriteriaMet and Complete
