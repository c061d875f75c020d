import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { Agent, request } from "undici/index.js";
import { runCell } from "../cell.js";
import { certificates } from "../certificates.js";
import { warmUpCalls } from "../concurrently.js";

/** Bytes of a ConfigMap without data, about as long as the embedded server's response. */
const object = Buffer.from(JSON.stringify({ kind: "ConfigMap", padding: "x".repeat(250) }));

/** Sends the same number of requests through Node's own server and undici, in one process: isolates the cost of TLS. */
await runCell(
  async ({ count, variant }) => {
    const isSecure = variant === "tls";
    const respond: RequestListener = (incoming, response) => {
      incoming.resume().on("end", () => {
        response.writeHead(200, {
          "content-type": "application/json",
          "content-length": object.byteLength,
        });
        response.end(object);
      });
    };
    const [ca, cert, key] = (["ca", "cert", "key"] as const).map((name) =>
      readFileSync(certificates[name], "utf8"),
    );
    const server = isSecure ? createSecureServer({ cert, key }, respond) : createServer(respond);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const url = `${isSecure ? "https" : "http"}://127.0.0.1:${port}/api/v1/namespaces/default/configmaps`;
    const dispatcher = new Agent({ connections: 1, connect: { ca } });
    const call = async (method: "DELETE" | "GET" | "POST", path: string) => {
      const { body } = await request(path, {
        method,
        dispatcher,
        headers: { accept: "application/json", authorization: `Bearer ${"t".repeat(43)}` },
        ...(method === "POST" ? { body: object } : {}),
      });
      return JSON.parse(await body.text()) as unknown;
    };
    const rounds = async (many: number) => {
      for (let round = 0; round < many; round += 1) {
        await call("POST", url);
        await call("GET", `${url}/a`);
        await call("DELETE", `${url}/a`);
      }
      return many;
    };
    await rounds(Math.min(50, warmUpCalls(count)));
    return () => rounds(count);
  },
  (made) => made,
);
