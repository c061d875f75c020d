import { checkEach } from "@typekube/apiserver/check";
import { runCell } from "../cell.js";
import { manifestOf } from "../manifests.js";

/** Checks one file with many manifests, after one manifest of the kind has been checked. */
await runCell(
  async ({ count, variant }) => {
    await checked(manifestOf(variant, 0));
    const text = Array.from({ length: count }, (_, index) => manifestOf(variant, index)).join(
      "---\n",
    );
    return () => checked(text);
  },
  (valid) => valid,
);

/** Returns the number of valid manifests. */
async function checked(text: string): Promise<number> {
  const stream = checkEach([{ name: "manifests.yaml", text }]);
  let valid = 0;
  for await (const { status } of stream) {
    valid += status === "valid" ? 1 : 0;
  }
  return valid;
}
