import { KubeError } from "@typekube/core";
import { createTransport } from "@typekube/transport";
import { resolveConfig } from "../../src/index.js";

// One call that times out before its plugin ends, and no close of the transport: the process must still exit.
const [, , kubeconfig] = process.argv;
const transport = createTransport(await resolveConfig({ kubeconfig, env: {} }));
const request = { method: "GET", path: "/", headers: {}, mode: "call", timeoutMs: 1_000 } as const;
await transport.send(request).catch((error: unknown) => console.log(KubeError.from(error).code));
