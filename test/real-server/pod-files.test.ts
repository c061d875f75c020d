import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PodCalls } from "@typekube/client";
import { failure } from "@typekube/test-support/failure";
import { startNode, type TestNode } from "@typekube/test-support/real-server/node";
import { type RealServer, startRealServer } from "@typekube/test-support/real-server/real-server";
import { type Client, connect } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let server: RealServer | undefined;
let client: Client;
let node: TestNode | undefined;
let pod: PodCalls;
let local: string;

beforeAll(async () => {
  local = await mkdtemp(join(tmpdir(), "typekube-local-"));
  server = await startRealServer();
  if (server === undefined) {
    return;
  }
  client = await connect(server.connectOptions());
  node = await startNode(client);
  if (node !== undefined) {
    await node.createPod("web-0", ["main"]);
    pod = client.resource(Pod, "default").named("web-0");
  }
}, 600_000);
afterAll(async () => {
  await client?.close();
  await node?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
  await rm(local, { recursive: true, force: true });
});

/** A test that needs the stand-in for a node. */
function onNode(title: string, test: () => Promise<void>): void {
  it(title, async (context) => {
    if (node === undefined) {
      context.skip("no real API server, or no Go to build the stand-in for a node");
      return;
    }
    await test();
  });
}

describe("files through a real API server, on a stand-in for a node", () => {
  onNode("XC1, XC10, XC11: a directory goes there and back, with its modes", async () => {
    await mkdir(join(local, "dir/sub"), { recursive: true });
    await writeFile(join(local, "dir/run.sh"), "echo");
    await chmod(join(local, "dir/run.sh"), 0o750);
    await writeFile(join(local, "dir/sub/ä b"), "x".repeat(3_000_000));
    await symlink("run.sh", join(local, "dir/link"));
    expect(await pod.copyTo(join(local, "dir"), "there")).toEqual({
      files: 3,
      bytes: 3_000_004,
      skipped: [],
    });
    expect(await pod.copyFrom("there", join(local, "back"))).toEqual({
      files: 2,
      bytes: 3_000_004,
      skipped: [{ file: "link", reason: "symlink", target: "run.sh" }],
    });
    expect(await readFile(join(local, "back/sub/ä b"), "utf8")).toBe("x".repeat(3_000_000));
    expect((await stat(join(local, "back/run.sh"))).mode & 0o777).toBe(0o750);
    await pod.copyTo(join(local, "dir/run.sh"), "there/sub");
    expect(await pod.readFile("there/sub/run.sh", { output: "text" })).toBe("echo");
  });

  onNode("XC10: 64 MiB in each direction arrive whole", async () => {
    const size = 64 * 1024 * 1024;
    await writeFile(join(local, "big"), Buffer.alloc(size, "0123456789"));
    await pod.copyTo(join(local, "big"), "big");
    await pod.copyFrom("big", join(local, "big-back"), { compress: true });
    const [sent, received] = await Promise.all(
      ["big", "big-back"].map((name) => readFile(join(local, name))),
    );
    expect(received?.byteLength).toBe(size);
    expect(sent?.equals(received ?? Buffer.alloc(0))).toBe(true);
  });

  onNode("XC14: files are written atomically, with a mode, and read", async () => {
    await pod.writeFile("token", "secret", { mode: 0o600 });
    await pod.writeFile("token", "newer", { mode: 0o640 });
    expect(await pod.readFile("token")).toEqual(Buffer.from("newer"));
    const { stdout } = await pod.exec(["sh", "-c", "ls -A; ls -l token"]);
    expect(stdout).not.toContain(".part");
    expect(stdout).toContain("-rw-r-----");
  });

  onNode("XC9: errors of the programs there are errors here", async () => {
    const missing = await failure(pod.copyFrom("nothing", join(local, "nothing")));
    expect(missing).toMatchObject({ code: "CommandFailed" });
    expect(missing.message).toContain("No such file or directory");
    const refused = await failure(pod.copyTo(join(local, "dir"), "no/such/place"));
    expect(refused.rawMessage).toBe('the container has no directory "no/such"');
  });
});
