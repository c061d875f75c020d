import { PendingCall } from "./pending-call.js";

/**
 * Returns a function that returns a module, which is loaded once for all servers of a process: most servers never need it.
 * Until then a call ends the calling step, which is repeated once the module is loaded.
 *
 * @param load - imports the module.
 * @returns a function that throws `PendingCall` the first time in a process.
 */
export function lazyCode<Code>(load: () => Promise<Code>): () => Code {
  let code: Code | undefined;
  return () => {
    if (code === undefined) {
      throw new PendingCall(async () => {
        code = await load();
      });
    }
    return code;
  };
}
