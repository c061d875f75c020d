// Read and follow logs: the last lines of a container, until a line appears, JSON lines, and many pods in the order of time.
import { startApiServer } from "@typekube/apiserver";
import { runPods } from "@typekube/apiserver/controllers";
import { conditions } from "typekube";
import { Pod } from "typekube/api/core/v1";

/** Lines of every container: one each second, as the runtime of a node writes them. */
const written = ["starting", '{"level":"info","ms":12}', '{"level":"warn","ms":950}', "ready"];

await using api = await startApiServer({
  stages: runPods({ readyAfterMs: 0 }),
  pods: {
    async *log({ name, follow, signal }) {
      for (const [at, text] of written.entries()) {
        yield { text, time: `2026-01-01T00:00:0${at}.${name === "web-0" ? "1" : "2"}Z` };
      }
      if (follow) {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      }
    },
  },
});
await using client = await api.client();
const pods = client.resource(Pod, "default");
for (const name of ["web-0", "web-1"]) {
  await pods.create({
    metadata: { name, labels: { app: "web" } },
    spec: { containers: [{ name: "web", image: "registry.example/web" }] },
  });
  await pods.waitFor(name, conditions.ready());
}
const pod = pods.named("web-0");

for await (const line of pod.logs({ tailLines: 1 })) {
  console.log(line);
}

// Follows until a line says what the program waits for; leaving the loop closes the connection.
for await (const { time, text } of client.logs(await pods.get("web-1"), { follow: true })) {
  if (text === "ready") {
    console.log("ready at", time);
    break;
  }
}

for await (const entry of pod.logs({ json: true, grep: (line) => line.startsWith("{") })) {
  const { level, ms } = entry as { level: string; ms: number };
  console.log(level, ms);
}

// All pods of the app, merged by the times of their lines.
const web = { namespace: "default", labelSelector: { app: "web" } };
for await (const { pod, text } of client.logs(web, { order: "time", tailLines: 2 })) {
  console.log(pod, text);
}

// Prints:
// ready
// ready at 2026-01-01T00:00:03.200000000Z
// info 12
// warn 950
// web-0 {"level":"warn","ms":950}
// web-1 {"level":"warn","ms":950}
// web-0 ready
// web-1 ready
