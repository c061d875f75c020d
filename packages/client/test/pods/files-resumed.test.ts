import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { failure } from "@typekube/test-support/failure";
import { tarBytes } from "@typekube/test-support/tar-bytes";
import { describe, expect, it } from "vitest";
import { type FilePodOptions, filePod, treeOf } from "./file-pod.js";

/** A content in which no part is like another. */
const content = Array.from({ length: 300_000 }, (_, at) => `${at}\n`).join("");

/** Cuts one connection with the command tar after another, each after this number of bytes from the server. */
function cutAfter(...bytes: readonly number[]): Pick<FilePodOptions, "onConnection"> {
  const cuts = [...bytes];
  return {
    onConnection({ head, client, server }) {
      if (!head.includes("command=tar")) {
        return;
      }
      let left = cuts.shift() ?? Number.POSITIVE_INFINITY;
      server.on("data", (chunk: Buffer) => {
        left -= chunk.byteLength;
        if (left < 0) {
          client.destroy();
        }
      });
    },
  };
}

describe("a copy whose connection is lost", () => {
  it.each([false, true])("XC8: is resumed where it ended (compressed: %s)", async (compress) => {
    await using one = await filePod(cutAfter(200_000, 100_000, 1));
    await writeFile(join(one.container.folder, "it's big"), content);
    const { bytes } = await one.pod.copyFrom("it's big", join(one.local, "copy"), { compress });
    expect(bytes).toBe(content.length);
    expect(await readFile(join(one.local, "copy"), "utf8")).toBe(content);
    const resumed = one.container.commands.filter(([program]) => program === "sh");
    expect(resumed.length).toBeGreaterThan(0);
    expect(resumed.every(([, , , , at]) => Number(at) > 1)).toBe(true);
  });

  it("XC8: without a shell in the container the bytes that came are passed over", async () => {
    await using one = await filePod({ ...cutAfter(500_000, 200_000), lacks: ["sh"] });
    await writeFile(join(one.container.folder, "big"), content);
    await one.pod.copyFrom("big", join(one.local, "copy"));
    expect(await readFile(join(one.local, "copy"), "utf8")).toBe(content);
  });

  it("XC8: fails after the retries, and nothing of the file is left", async () => {
    await using one = await filePod(cutAfter(100_000, 100_000));
    await writeFile(join(one.container.folder, "big"), content);
    const error = await failure(one.pod.copyFrom("big", join(one.local, "copy"), { retries: 1 }));
    expect(error).toMatchObject({ code: "ConnectionClosed" });
    expect(await treeOf(one.local)).toEqual({});
  });

  it("XC8: an exit code of tar is found behind the pipe of a resumed copy", async () => {
    let runs = 0;
    await using one = await filePod({
      ...cutAfter(200_000),
      instead: async (session) => {
        if (session.command.includes("tar") && ++runs === 2) {
          const command = session.command.map((word) => (word === "./big" ? "./gone" : word));
          Object.assign(session, { command });
        }
        return undefined;
      },
    });
    await writeFile(join(one.container.folder, "big"), content);
    const error = await failure(one.pod.copyFrom("big", join(one.local, "copy")));
    expect(error).toMatchObject({ code: "CommandFailed" });
    expect(error.message).toMatch(/exited with [12]: .*gone/);
  });
});

describe("a copy whose end is lost while the server reports success", () => {
  /** Sends the beginning of the archive and succeeds, so many times. */
  function short(times: number): FilePodOptions {
    let runs = 0;
    return {
      instead: async ({ command, stdout }) => {
        if (!command.includes("tar") || ++runs > times) {
          return undefined;
        }
        await stdout(tarBytes([{ name: "./big", content }]).subarray(0, 100_000));
        return 0;
      },
    };
  }

  it("XC8: is noticed by the end of the archive, and resumed", async () => {
    await using one = await filePod(short(1));
    await writeFile(join(one.container.folder, "big"), content);
    await one.pod.copyFrom("big", join(one.local, "copy"));
    expect(await readFile(join(one.local, "copy"), "utf8")).toBe(content);
  });

  it("XC8: is an error when it happens again and again", async () => {
    await using one = await filePod(short(9));
    const error = await failure(one.pod.copyFrom("big", join(one.local, "copy"), { retries: 1 }));
    expect(error).toMatchObject({ code: "Decode" });
    expect(error.message).toContain("cut off");
  });

  it("XC2, XC8: by cat it is noticed by the size", async () => {
    await using one = await filePod({
      lacks: ["tar"],
      instead: async ({ command, stdout }) => {
        if (command[0] !== "cat") {
          return undefined;
        }
        await stdout("half");
        return 0;
      },
    });
    await writeFile(join(one.container.folder, "file"), "half, and the rest");
    const error = await failure(one.pod.copyFrom("file", join(one.local, "copy")));
    expect(error).toMatchObject({ code: "Decode" });
    expect(error.message).toContain("4 of 18 bytes came");
    expect(await treeOf(one.local)).toEqual({});
  });
});

describe("a copy to a pod", () => {
  it("XC8, XE24: is not retried when its connection is lost", async () => {
    await using one = await filePod({
      onConnection({ head, client }) {
        if (head.includes("command=tar")) {
          setImmediate(() => client.destroy());
        }
      },
    });
    await writeFile(join(one.local, "big"), content);
    const error = await failure(one.pod.copyTo(join(one.local, "big"), "copy"));
    expect(error.code).toMatch(/^Connection/);
    expect(one.container.commands.filter(([program]) => program === "tar").length).toBeLessThan(2);
  });

  it("XC12: an abort ends it with the reason of the signal", async () => {
    await using one = await filePod();
    await writeFile(join(one.local, "big"), "x".repeat(20_000_000));
    const abort = new AbortController();
    const reason = new Error("enough");
    const copy = one.pod.copyTo(join(one.local, "big"), "copy", {
      signal: abort.signal,
      onProgress: () => abort.abort(reason),
    });
    await expect(copy).rejects.toBe(reason);
  });
});
