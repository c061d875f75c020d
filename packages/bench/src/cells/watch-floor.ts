import { request } from "undici/index.js";
import { runCell } from "../cell.js";
import { firstCall } from "./first-call.js";

const newline = 0x0a;

await runCell(
  async ({ url, count }) => {
    await firstCall(url);
    return async () => {
      const { body } = await request(`${url}/api/v1/pods?watch=true&labelSelector=events-${count}`);
      let seen = 0;
      let rest: Buffer = Buffer.alloc(0);
      for await (const chunk of body as AsyncIterable<Buffer>) {
        const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
        let start = 0;
        for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
          JSON.parse(bytes.toString("utf8", start, end));
          seen++;
          start = end + 1;
        }
        rest = bytes.subarray(start);
        if (seen === count) {
          break;
        }
      }
      return seen;
    };
  },
  (seen) => seen,
);
