import { fork } from "node:child_process";
import { once } from "node:events";
import type { Faults } from "./faulty-writes.js";
import type { Launch } from "./launch.js";

/** An API server whose connections are cut, until it is disposed. */
export interface FaultyServer extends AsyncDisposable {
  readonly url: string;
}

/** Starts a server for one program: the faults begin with the program's first connection. */
export async function startFaultyServer(launch: Launch, faults: Faults): Promise<FaultyServer> {
  const child = fork(launch.file("faulty-server"), [JSON.stringify(faults)], {
    execPath: launch.node,
    execArgv: [...launch.nodeArguments],
  });
  const exited = once(child, "exit");
  const [message] = (await Promise.race([
    once(child, "message"),
    exited.then(() => Promise.reject(new Error("the faulty server exited before it listened"))),
  ])) as [{ port: number }];
  return {
    url: `http://127.0.0.1:${message.port}`,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await exited;
    },
  };
}
