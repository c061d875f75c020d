import { fork } from "node:child_process";
import { once } from "node:events";
import type { Launch } from "./launch.js";

/** A canned server that runs until it is disposed. */
export interface CannedServer extends AsyncDisposable {
  readonly url: string;
  /** URL of the same server over TLS; {@link certificates} has its CA. */
  readonly secureUrl: string;
}

/** Starts a canned server with the given number of pods. */
export async function startCannedServer(launch: Launch, pods: number): Promise<CannedServer> {
  const child = fork(launch.file("canned-server"), [String(pods)], {
    execPath: launch.node,
    execArgv: [...launch.nodeArguments, "--max-old-space-size=8192"],
  });
  const exited = once(child, "exit");
  const [message] = (await Promise.race([
    once(child, "message"),
    exited.then(() => Promise.reject(new Error("the canned server exited before it listened"))),
  ])) as [{ port: number; securePort: number }];
  return {
    url: `http://127.0.0.1:${message.port}`,
    secureUrl: `https://127.0.0.1:${message.securePort}`,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await exited;
    },
  };
}
