import { createVirtualClock, type PodHandlers, startApiServer } from "@typekube/apiserver";
import { failure } from "@typekube/test-support/failure";
import { mergePatch, outputOf } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { describe, expect, it } from "vitest";
import { containerState, endContainer, noPodIsLeft, startedCluster } from "./started-cluster.js";

const image = { image: "busybox" };
/** A container whose output never ends by itself. */
const endless: PodHandlers = {
  async *log({ signal }) {
    yield "line";
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  },
};

describe("a one-off pod", () => {
  it("runs a command, returns its output and exit code, and is deleted", async () => {
    const { client, api, podNames } = await startedCluster();
    const ended = await client.runPod(image, { command: ["echo", "a\nb"] });
    expect(ended).toEqual({
      exitCode: 0,
      stdout: "a\nb\n",
      stderr: "",
      pod: expect.stringMatching(/^run-[a-z0-9]{5}$/),
      container: "run",
    });
    await noPodIsLeft(podNames);
    expect(api.requests.filter(({ verb }) => verb === "delete")).toHaveLength(1);
  });

  it("gets its input, whose end it sees", async () => {
    const { client, podNames } = await startedCluster();
    const { stdout } = await client.runPod(image, { command: ["sort"], stdin: "b\na\n" });
    expect(stdout).toBe("a\nb\n");
    await noPodIsLeft(podNames);
  });

  it("has the facts that it is given, and ends by itself should this process be killed", async () => {
    const { client, api } = await startedCluster();
    const seen: Pod[] = [];
    const informer = client.informer(Pod, { namespace: "default" });
    await informer.synced();
    informer.onChange({ add: (pod) => void seen.push(pod) });
    await client.runPod(
      {
        ...image,
        name: "job",
        env: { COLOUR: "red" },
        labels: { app: "job" },
        serviceAccountName: "default",
      },
      { command: ["env"], sessionTimeoutMs: 5_000 },
    );
    await informer.close();
    expect(seen).toMatchObject([
      {
        metadata: { name: "job", labels: { app: "job" } },
        spec: { restartPolicy: "Never", activeDeadlineSeconds: 15, serviceAccountName: "default" },
      },
    ]);
    expect(api.requests.some(({ path }) => path.includes("/attach"))).toBe(false);
  });

  it("is a Pod with several containers, of which one is read", async () => {
    const { client } = await startedCluster();
    const containers = [
      { name: "side", image: "i", command: ["echo", "side"] },
      { name: "main", image: "i", command: ["echo", "main"] },
    ];
    const metadata = { namespace: "default", generateName: "pair-" };
    const pod = { metadata, spec: { containers } };
    expect(await client.runPod(pod)).toMatchObject({ container: "side", stdout: "side\n" });
    const main = await client.runPod(pod, { container: "main", command: ["echo", "-n", "x"] });
    expect(main).toMatchObject({ container: "main", stdout: "x\n" });
    expect(main.pod).toMatch(/^pair-/);
  });

  it("that has ended before it can be attached to is read from its log", async () => {
    const pods = { log: () => ["from", "the log"] };
    const terminated = { exitCode: 3 };
    const { client, podNames } = await startedCluster({
      pods,
      stages: [containerState({ terminated }, "Failed")],
    });
    const command = ["x"];
    const ended = await client.runPod(image, { command, stdin: "unread", output: "bytes" });
    expect(ended).toMatchObject({ exitCode: 3, stdout: Buffer.from("from\nthe log\n") });
    const error = await failure(client.runPod(image, { command, check: true }));
    expect(error).toMatchObject({
      code: "CommandFailed",
      rawMessage: "the container exited with 3: from\nthe log",
    });
    expect(outputOf(error)).toMatchObject({ exitCode: 3, stdout: "from\nthe log\n" });
    await noPodIsLeft(podNames);
  });

  it("that ends while it is attached to is read from its log", async () => {
    const pods: PodHandlers = {
      log: () => ["whole"],
      async attach() {
        throw new Error("not reached");
      },
    };
    const { client, api, podNames } = await startedCluster({ pods });
    api.fault({ verb: "create", resource: "pods", subresource: "attach", status: 500, times: 9 });
    api.fault({ verb: "get", resource: "pods", subresource: "attach", status: 500, times: 9 });
    const run = client.runPod(image, { stdin: "x" });
    const attached = () => api.requests.some(({ path }) => path.includes("/attach"));
    await expect.poll(attached).toBe(true);
    const [name = ""] = await podNames();
    await endContainer(client, { name, namespace: "default", container: "run" }, 5);
    expect(await run).toMatchObject({ exitCode: 5, stdout: "whole\n" });
    await noPodIsLeft(podNames);
  });

  it("separates both outputs when it is attached to, after what was in the log", async () => {
    const pods: PodHandlers = {
      log: () => ["early"],
      async attach(session) {
        const { stdin, stdout, stderr } = session;
        for await (const _ of stdin) {
          // Reads to the end.
        }
        await stdout("out\n");
        await stderr("err\n");
        await endContainer(client, session, 4);
        return 0;
      },
    };
    const { client } = await startedCluster({ pods });
    const ended = await client.runPod(image, { stdin: "x" });
    expect(ended).toMatchObject({ exitCode: 4, stdout: "early\nout\n", stderr: "err\n" });
  });
});

describe("a session with a one-off pod", () => {
  it("has streams while the pod runs, and deletes it when the result is there", async () => {
    const { client, podNames } = await startedCluster();
    await using session = await client.runPod(image, { command: ["cat"], stdin: true });
    expect(await podNames()).toEqual([session.pod]);
    session.stdin?.write("one\n");
    const chunks = session.stdout[Symbol.asyncIterator]();
    expect(String((await chunks.next()).value)).toBe("one\n");
    session.stdin?.end();
    expect((await chunks.next()).done).toBe(true);
    expect(await session.result).toEqual({ exitCode: 0 });
    await noPodIsLeft(podNames);
  });

  it("deletes the pod when it is closed, and when its output is not read", async () => {
    const { client, podNames } = await startedCluster({
      pods: endless,
      isEndless: true,
    });
    const session = await client.runPod(image, { session: true });
    await session.close();
    await session.close();
    await noPodIsLeft(podNames);
    const other = await startedCluster();
    const large = await other.client.runPod(image, {
      command: ["echo", "x".repeat(2_000_000)],
      session: true,
    });
    expect(await large.result).toEqual({ exitCode: 0 });
    await noPodIsLeft(other.podNames);
  });

  it("without a terminal has no size", async () => {
    const { client } = await startedCluster();
    await using session = await client.runPod(image, { command: ["ls"], session: true });
    const error = await failure(session.resize({ width: 1, height: 1 }));
    expect(error.code).toBe("InvalidState");
    const size = { width: 1, height: 1 };
    expect((await failure(client.runPod(image, { size }))).rawMessage).toContain("needs tty");
  });
});

describe("nothing is left behind", () => {
  it("when the call is aborted, before and after the container has started", async () => {
    const { client, podNames } = await startedCluster({
      pods: endless,
      isEndless: true,
    });
    for (const isStarted of [false, true]) {
      const abort = new AbortController();
      const reason = new Error("enough");
      const run = client.runPod(image, { session: true, signal: abort.signal });
      if (isStarted) {
        const session = await run;
        abort.abort(reason);
        await expect(session.result).rejects.toBe(reason);
      } else {
        await expect.poll(podNames).toHaveLength(1);
        abort.abort(reason);
        await expect(run).rejects.toBe(reason);
      }
      await noPodIsLeft(podNames);
    }
    const before = client.runPod(image, { signal: AbortSignal.abort("no") });
    await expect(before).rejects.toBe("no");
    expect(await podNames()).toEqual([]);
  });

  it("when a session is aborted whose result is not awaited", async () => {
    const { client, podNames } = await startedCluster({
      pods: endless,
      isEndless: true,
    });
    const abort = new AbortController();
    await client.runPod(image, { session: true, signal: abort.signal });
    abort.abort();
    await noPodIsLeft(podNames);
  });

  it("when the run takes too long", async () => {
    const { client, podNames } = await startedCluster({
      pods: endless,
      isEndless: true,
    });
    const error = await failure(client.runPod(image, { sessionTimeoutMs: 500 }));
    expect(error.rawMessage).toBe("the session took more than 500 ms");
    await noPodIsLeft(podNames);
  });

  it("when the output is too large", async () => {
    const { client, podNames } = await startedCluster();
    const error = await failure(
      client.runPod(image, { command: ["echo", "12345"], maxOutputBytes: 3 }),
    );
    expect(error.code).toBe("TooLarge");
    expect(outputOf(error)?.stdout).toBe("123");
    await noPodIsLeft(podNames);
  });

  it("when the response to the create is lost", async () => {
    const { client, api, podNames } = await startedCluster();
    api.fault({ verb: "create", resource: "pods", reset: "after" });
    const error = await failure(client.runPod(image, { command: ["ls"] }));
    expect(error.code).toBe("ConnectionReset");
    await noPodIsLeft(podNames);
  });

  it("but a pod of the same name that is somebody else's is not touched", async () => {
    const { client, podNames } = await startedCluster();
    const spec = { containers: [{ name: "c", image: "i" }] };
    await client.resource(Pod, "default").create({ metadata: { name: "taken" }, spec });
    const error = await failure(client.runPod({ ...image, name: "taken" }));
    expect(error.code).toBe("AlreadyExists");
    expect(await podNames()).toEqual(["taken"]);
  });

  it("and a delete that fails is a warning: the output is there", async () => {
    const { client, api } = await startedCluster();
    api.fault({ verb: "delete", resource: "pods", status: 403, times: 1 });
    const warnings: string[] = [];
    const { stdout } = await client.runPod(image, {
      command: ["echo", "x"],
      onWarning: (text) => void warnings.push(text),
    });
    expect(stdout).toBe("x\n");
    expect(warnings).toEqual([expect.stringMatching(/^the pod default\/run-.* not be deleted/)]);
  });
});

describe("a pod that does not start", () => {
  it("because of its image is an error with the reason of the node", async () => {
    const waiting = { reason: "ErrImagePull", message: "no such image: busybox" };
    const { client, podNames } = await startedCluster({
      stages: [containerState({ waiting }, "Pending")],
    });
    const error = await failure(client.runPod(image));
    expect(error.code).toBe("NeverMet");
    expect(error.rawMessage).toMatch(
      /^the container run of the pod run-.* cannot start: ErrImagePull: no such image: busybox$/,
    );
    await noPodIsLeft(podNames);
  });

  it("because no node has room is an error after the timeout, with the reason", async () => {
    const clock = createVirtualClock();
    const { api, client, podNames } = await startedCluster({ clock, runsPods: false });
    const run = failure(client.runPod(image));
    await expect.poll(podNames).toHaveLength(1);
    const [name = ""] = await podNames();
    const unschedulable = {
      type: "PodScheduled",
      status: "False",
      reason: "Unschedulable",
      message: "0/1 nodes are available",
    };
    const patch = mergePatch({ status: { conditions: [unschedulable] } });
    await client.resource(Pod, "default").status.patch(name, patch as never);
    await api.settled();
    await clock.advance(60_000);
    const error = await run;
    expect(error.code).toBe("DeadlineExceeded");
    expect(error.rawMessage).toContain("Unschedulable: 0/1 nodes are available");
    await noPodIsLeft(podNames);
  });

  it("because somebody deletes it is an error at once", async () => {
    const { client, podNames } = await startedCluster({ runsPods: false });
    const run = client.runPod(image);
    await expect.poll(podNames).toHaveLength(1);
    const [name = ""] = await podNames();
    await client.resource(Pod, "default").delete(name, { gracePeriodSeconds: 0 });
    expect((await failure(run)).rawMessage).toContain("was deleted before its container had");
  });
});

describe("a refusal", () => {
  it("needs rights that the error names", async () => {
    await using api = await startApiServer({
      authorization: "RBAC",
      users: [{ name: "eve", token: "t" }],
    });
    await using eve = await api.client({ as: "eve", namespace: "default" });
    const error = await failure(eve.runPod(image));
    expect(error.code).toBe("Forbidden");
    expect(error.hint).toContain("create, get, list, watch and delete on pods");
  });

  it("comes at once for a client of dry runs, and options without a meaning", async () => {
    const { client, podNames } = await startedCluster();
    const dry = client.with({ dryRun: "All" });
    expect((await failure(dry.runPod(image))).rawMessage).toContain("dry run");
    for (const [options, name] of [
      [{ command: [] }, "command"],
      [{ comand: ["ls"] }, "comand"],
      [{ waitReady: true }, "waitReady"],
      [{ container: "other" }, 'no container "other"'],
    ] as const) {
      const error = await failure(client.runPod(image, options as never));
      expect(error.message).toContain(name);
    }
    const restartPolicy = "Always" as const;
    const spec = { restartPolicy, containers: [{ name: "c", image: "i" }] };
    expect((await failure(client.runPod({ spec }))).rawMessage).toContain("restartPolicy");
    expect((await failure(client.runPod({ image: "" }))).rawMessage).toContain("image");
    expect((await failure(client.runPod({ image: "i", nmae: "x" } as never))).message).toContain(
      "nmae",
    );
    expect(await podNames()).toEqual([]);
  });
});
