import { expect, test } from "vitest";
import { startApiServer } from "../src/index.js";

test.each(["", "v1.37", "37", "2.0", "1.x", "latest"])(
  "ES31: rejects %j as the release of a server",
  async (version) => {
    await expect(startApiServer({ version })).rejects.toMatchObject({ code: "InvalidArgument" });
  },
);
