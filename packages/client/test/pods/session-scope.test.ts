import { withCallScope } from "@typekube/core/internal";
import { expect, it } from "vitest";
import { twoContainerPod } from "../helpers/two-container-pod.js";

it("XT18: the end of the scope of a call is the reason of its session", async () => {
  const { pod } = await twoContainerPod({
    pods: {
      async exec({ signal }) {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return 0;
      },
    },
  });
  const abort = new AbortController();
  const session = await withCallScope({ signal: abort.signal }, () =>
    pod.exec(["sleep"], { session: true }),
  );
  const reason = new Error("the run is over");
  abort.abort(reason);
  await expect(session.result).rejects.toBe(reason);
  await expect(session.stdout.text()).rejects.toBe(reason);
});
