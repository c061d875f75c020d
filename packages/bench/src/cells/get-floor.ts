import { Agent, request } from "undici/index.js";
import { runCell } from "../cell.js";
import { concurrently, warmUpCalls } from "../concurrently.js";

await runCell(
  async ({ url, count, variant, ca }) => {
    const [concurrency = "", encoding] = variant.split(" ");
    const connections = Number(concurrency);
    const path = `${url}/api/v1/namespaces/team-00/pods/pod`;
    const dispatcher = new Agent({
      connections,
      ...(ca ? { connect: { ca } } : {}),
    });
    const get = async () => {
      const { body } = await request(path, { dispatcher });
      return JSON.parse(await body.text()) as unknown;
    };
    // Bytes only: nothing else reads protobuf without a schema.
    const getBytes = async () => {
      const headers = { accept: "application/vnd.kubernetes.protobuf" };
      const { body } = await request(path, { dispatcher, headers });
      return body.bytes();
    };
    const call = encoding === "protobuf" ? getBytes : get;
    await concurrently(warmUpCalls(count), connections, call);
    return () => concurrently(count, connections, call);
  },
  (done) => done,
);
