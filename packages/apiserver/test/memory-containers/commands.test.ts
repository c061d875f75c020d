import { memoryContainers, startApiServer } from "@typekube/apiserver";
import { mergePatch } from "@typekube/client";
import { failure } from "@typekube/test-support/failure";
import { describe, expect, it } from "vitest";
import { startedPod } from "./started-pod.js";

describe("commands in a container in memory", () => {
  it("print what they print in other containers", async () => {
    const { pod } = await startedPod({
      env: [{ name: "COLOUR", value: "red" }],
      workingDir: "/srv/app",
    });
    const output = async (...command: string[]) => (await pod.exec(command)).stdout;
    await pod.exec(["mkdir", "-p", "a/b"]);
    await pod.writeFile("a/.hidden", "h");
    await pod.writeFile("lines", "c\nb\na\n", { mode: 0o640 });
    expect(await output("ls", "/")).toBe("README\nbin\netc\nroot\nsrv\ntmp\nusr\n");
    expect(await output("/bin/ls", "/srv/app", "a")).toBe("/srv/app:\na\nlines\n\na:\nb\n");
    expect(await output("ls", "-a", "a")).toBe(".\n..\n.hidden\nb\n");
    expect(await output("ls", "-l", "lines")).toMatch(/^-rw-r----- root root +6 .* lines\n$/);
    expect(await output("ls", "-ld", "/usr/bin")).toMatch(/^lrwx.* \/usr\/bin -> \.\.\/bin\n$/);
    expect(await output("echo", "-n", "a  b", "c")).toBe("a  b c");
    expect(await output("head", "-n", "1", "lines")).toBe("c\n");
    expect(await output("head", "-c3", "lines")).toBe("c\nb");
    expect(await output("wc", "lines")).toBe("3 3 6 lines\n");
    expect(await output("sort", "-r", "lines")).toBe("c\nb\na\n");
    expect((await output("env")).split("\n")).toEqual(
      expect.arrayContaining(["HOSTNAME=web", "COLOUR=red"]),
    );
    expect(await output("cat", "/etc/hostname")).toBe("web\n");
    expect(await output("cat", "/README")).toContain("the image nginx does not run");
  });

  it("read their input, until its end or as much as they need", async () => {
    const { pod } = await startedPod();
    expect(await pod.exec(["cat"], { stdin: "ä\n" })).toMatchObject({ exitCode: 0, stdout: "ä\n" });
    expect((await pod.exec(["sort"], { stdin: "b\na\n" })).stdout).toBe("a\nb\n");
    await using session = await pod.exec(["head", "-c", "4"], { stdin: true });
    session.stdin?.write("first");
    expect(await session.stdout.text()).toBe("firs");
    expect(await session.result).toEqual({ exitCode: 0 });
  });

  it.each([
    [["cat", "/no"], 1, "cat: /no: No such file or directory\n"],
    [["cat", "/etc"], 1, "cat: /etc: Is a directory\n"],
    [["ls", "/README/x"], 1, "ls: /README/x: Not a directory\n"],
    [["ls", "--colour"], 1, "ls: unrecognized option: -\n"],
    [["rm", "/etc"], 1, "rm: /etc: Is a directory\n"],
    [["rm", "-f", "/no"], 0, ""],
    [["mkdir", "/etc"], 1, "mkdir: /etc: File exists\n"],
    [["mv", "/no", "/to"], 1, "mv: /no: No such file or directory\n"],
    [["mv", "/etc", "/etc/below"], 1, "mv: /etc: Invalid argument\n"],
    [["head", "-n", "x"], 1, "head: invalid number 'x'\n"],
    [["tar", "-x"], 1, ""],
    [["tar", "-cf", "file", "x"], 1, "tar: the archive must be -, the input or output\n"],
    [["test", "-d", "/etc"], 0, ""],
    [["test", "-f", "/etc"], 1, ""],
    [["test", "!", "-e", "/no"], 0, ""],
    [["[", "a", "=", "b", "]"], 1, ""],
    [["[", "a"], 2, "[: missing ]\n"],
    [["test", "-Q", "a"], 2, "test: -Q: unknown operand\n"],
  ])("%j ends with the exit code %i", async (command, exitCode, stderr) => {
    const { pod } = await startedPod();
    const ended = await pod.exec(command, { stdin: "" });
    expect(ended.exitCode).toBe(exitCode === 1 && command[1] === "-x" ? 2 : exitCode);
    expect(ended.stderr).toContain(stderr);
  });

  it.each([
    [["sh", "-c", "ls"], 'exec: "sh": executable file not found in $PATH'],
    [["/bin/sh"], 'exec: "/bin/sh": stat /bin/sh: no such file or directory'],
    [["/README"], 'exec: "/README": permission denied'],
  ])("a program that is missing fails as in a runtime: %j", async (command, message) => {
    const { pod } = await startedPod();
    const error = await failure(pod.exec(command));
    expect(error.code).toBe("InternalError");
    expect(error.rawMessage).toContain(message);
  });

  it("a program that was removed is missing", async () => {
    const { pod } = await startedPod();
    await pod.exec(["rm", "/bin/ls"]);
    expect((await failure(pod.exec(["ls"]))).rawMessage).toContain("executable file not found");
  });

  it("a terminal begins each line on the left", async () => {
    const { pod } = await startedPod();
    await using session = await pod.exec(["echo", "a"], { tty: true });
    expect(await session.stdout.text()).toBe("a\r\n");
  });

  it("each container of each pod has files of its own", async () => {
    const { pod, pods } = await startedPod();
    await pods.create({
      metadata: { name: "two" },
      spec: {
        containers: [
          { name: "a", image: "i" },
          { name: "b", image: "i" },
        ],
      },
    });
    const two = pods.named("two");
    await two.writeFile("/tmp/x", "1", { container: "a" });
    for (const [calls, container] of [
      [two, "b"],
      [pod, "main"],
    ] as const) {
      expect((await calls.exec(["ls", "/tmp"], { container })).stdout).toBe("");
    }
    await pods.delete("two", { gracePeriodSeconds: 0 });
    await pods.create({
      metadata: { name: "two" },
      spec: { containers: [{ name: "a", image: "i" }] },
    });
    expect((await two.exec(["ls", "/tmp"])).stdout).toBe("");
  });

  it("a command ends with its container, and none starts after that", async () => {
    const { pod, pods } = await startedPod();
    await using session = await pod.exec(["cat"], { stdin: true });
    const state = { terminated: { exitCode: 0 } };
    const main = { name: "main", image: "i", imageID: "", ready: false, restartCount: 0, state };
    const status = { phase: "Succeeded", containerStatuses: [main] };
    await pods.status.patch("web", mergePatch({ status }) as never);
    expect(await session.result).toEqual({ exitCode: 137 });
    const error = await failure(pod.exec(["ls"]));
    expect(error.rawMessage).toContain('container not found ("main")');
  });
});

describe("limits", () => {
  it("too many or too large files have no room", async () => {
    const pods = memoryContainers({ maxFiles: 40, maxBytes: 2_000 });
    const { pod } = await startedPod({}, { pods });
    const large = await failure(pod.writeFile("/tmp/large", "x".repeat(2_000)));
    expect(large.rawMessage).toContain("No space left on device");
    expect((await pod.exec(["ls", "-A", "/tmp"])).stdout).toBe("");
    const names = Array.from({ length: 40 }, (_, at) => `/tmp/${at}`);
    const { exitCode, stderr } = await pod.exec(["mkdir", ...names]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("No space left on device")]);
  });

  it("the container that was unused for the longest time is emptied", async () => {
    const pods = memoryContainers({ maxContainers: 1 });
    const { pod, pods: all } = await startedPod({}, { pods });
    await pod.writeFile("/tmp/x", "1");
    await all.create({
      metadata: { name: "other" },
      spec: { containers: [{ name: "c", image: "i" }] },
    });
    await all.named("other").exec(["ls"]);
    expect((await pod.exec(["ls", "/tmp"])).stdout).toBe("");
  });

  it("an unknown or invalid option is refused", async () => {
    expect(() => memoryContainers({ maxFiles: 0 })).toThrow("maxFiles");
    expect(() => memoryContainers({ maxfiles: 1 } as never)).toThrow("maxfiles");
    await using _api = await startApiServer({ pods: memoryContainers() });
  });
});
