import { Agent, request } from "undici/index.js";
import { runCell } from "../cell.js";
import { concurrently, warmUpCalls } from "../concurrently.js";

await runCell(
  async ({ url, count, variant, ca }) => {
    const dispatcher = new Agent({
      connections: Number(variant),
      ...(ca ? { connect: { ca } } : {}),
    });
    const get = async () => {
      const { body } = await request(`${url}/api/v1/namespaces/team-00/pods/pod`, { dispatcher });
      return JSON.parse(await body.text()) as unknown;
    };
    await concurrently(warmUpCalls(count), Number(variant), get);
    return () => concurrently(count, Number(variant), get);
  },
  (done) => done,
);
