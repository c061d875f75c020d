import { startEnvironment } from "@typekube/apiserver/envtest";
import { expect, test } from "vitest";

test.each([
  [
    "an empty folder",
    { assets: import.meta.dirname },
    /kube-apiserver is not an executable program/,
  ],
  ["no folder", { assets: "" }, /KUBEBUILDER_ASSETS is not set/],
])(
  "CT10: an environment without its programs says how to get them: %s",
  async (_, options, message) => {
    const error = await startEnvironment(options).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "Config", message: expect.stringMatching(message) });
    expect(error).toMatchObject({ hint: expect.stringContaining("setup-envtest") });
  },
);

test("CT10: an unknown option of an environment is refused", async () => {
  await expect(startEnvironment({ asets: "x" } as never)).rejects.toThrow(/asets/);
});
