import { Agent, request } from "undici/index.js";
import { runCell } from "../cell.js";
import { concurrently, warmUpCalls } from "../concurrently.js";
import { makePods } from "../pod-data.js";

await runCell(
  async ({ url, count, variant }) => {
    const [verb = "", concurrency = "1"] = variant.split(" ");
    const dispatcher = new Agent({ connections: Number(concurrency) });
    const [pod] = makePods(1);
    const pods = `${url}/api/v1/namespaces/team-00/pods`;
    const send = async (method: "PATCH" | "POST", path: string, type: string, object: unknown) => {
      const { body } = await request(path, {
        method,
        dispatcher,
        headers: { "content-type": type },
        body: JSON.stringify(object),
      });
      return JSON.parse(await body.text()) as unknown;
    };
    const call =
      verb === "create"
        ? () => send("POST", pods, "application/json", pod)
        : () =>
            send("PATCH", `${pods}/pod`, "application/merge-patch+json", {
              metadata: { labels: { tier: "gold" } },
            });
    await concurrently(warmUpCalls(count), Number(concurrency), call);
    return () => concurrently(count, Number(concurrency), call);
  },
  (done) => done,
);
