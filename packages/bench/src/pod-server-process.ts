import { fork } from "node:child_process";
import { once } from "node:events";
import type { Launch } from "./launch.js";
import type { ProcessInput } from "./process-input.js";

/** A server with one pod, which runs until it is disposed. */
export interface PodServer extends AsyncDisposable, Pick<ProcessInput, "url"> {
  /** Folder with the files that programs copy; programs put their copies there, too. */
  readonly folder: string;
}

/** Starts a server for calls into a pod. */
export async function startPodServer(launch: Launch): Promise<PodServer> {
  const child = fork(launch.file("pod-server/pod-server"), [], {
    execPath: launch.node,
    execArgv: [...launch.nodeArguments],
  });
  const exited = once(child, "exit");
  const [message] = (await Promise.race([
    once(child, "message"),
    exited.then(() => Promise.reject(new Error("the pod server exited before it listened"))),
  ])) as [{ port: number; folder: string }];
  return {
    url: `http://127.0.0.1:${message.port}`,
    folder: message.folder,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await exited;
    },
  };
}
