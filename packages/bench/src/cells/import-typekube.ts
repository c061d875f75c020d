import module from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCell } from "../cell.js";

/** The compile cache of Node 22.8 and later. */
const { enableCompileCache, flushCompileCache } = module as {
  enableCompileCache?(folder: string): void;
  flushCompileCache?(): void;
};

await runCell(
  async ({ url, variant }) =>
    async () => {
      if (variant === "compile cache") {
        enableCompileCache?.(join(tmpdir(), "typekube-bench-compile-cache"));
      }
      const [{ connect }, { Pod }] = await Promise.all([
        import("typekube"),
        import("typekube/api/core/v1"),
      ]);
      const client = await connect({ server: url });
      return client.resource(Pod);
    },
  () => {
    // The first round fills the cache. A process that ends by `process.exit` may not write it.
    flushCompileCache?.();
    return 1;
  },
);
