import { KubeError } from "@typekube/core";

/** Rejections that nobody handled, from one moment to another. */
export interface Rejections {
  /** Returns and forgets the rejections since the last call. */
  take(): unknown[];
  end(): void;
}

let current: unknown[] | undefined;

/** Collects rejections that nobody handles, in place of the listeners of the process, which would end a test. */
export function catchRejections(): Rejections {
  if (current !== undefined) {
    throw new KubeError("InvalidState", "another explore() is running in this process", {
      hint: "wait for it: rejections that are not handled belong to one of them",
    });
  }
  const others = process.rawListeners("unhandledRejection") as NodeJS.UnhandledRejectionListener[];
  const own: unknown[] = [];
  const listener = (reason: unknown) => void own.push(reason);
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", listener);
  current = own;
  return {
    take: () => own.splice(0),
    end() {
      current = undefined;
      process.removeListener("unhandledRejection", listener);
      for (const other of others) {
        process.on("unhandledRejection", other);
      }
    },
  };
}

/** Returns and forgets the rejections since the last call; none while nobody collects them. */
export function takeRejections(): unknown[] {
  return current?.splice(0) ?? [];
}
