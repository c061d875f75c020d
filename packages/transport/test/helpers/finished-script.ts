import { KubeError } from "@typekube/core";
import { createTransport } from "../../src/index.js";

// One call, and no close of the transport: the process must exit long before the connect timeout.
const [, , server = "", mode, version, proxy] = process.argv;
const transport = createTransport({
  server,
  connectTimeoutMs: 600_000,
  http2: version === "http2",
  proxy,
});
try {
  const response = await transport.send({
    method: "GET",
    path: "/",
    headers: {},
    mode: mode === "stream" ? "stream" : "call",
    timeoutMs: mode === "idle" ? 0 : 50,
  });
  for await (const _chunk of response.body) {
    // Reads the body to its end.
  }
  console.log(response.status);
} catch (error) {
  console.log(KubeError.from(error).code);
}
