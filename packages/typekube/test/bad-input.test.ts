import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, connect, KubeError } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { chunk, chunkedHead, rawServer, response } from "./raw-server.js";

// The value of every secret in a configuration; must not appear in any output.
const canary = "s3cr3t-canary";

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => unhandled.push(reason);
let folder = "";

beforeAll(async () => {
  process.on("unhandledRejection", onUnhandled);
  folder = await mkdtemp(join(tmpdir(), "typekube-"));
});
afterAll(async () => {
  process.off("unhandledRejection", onUnhandled);
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  unhandled.length = 0;
});
afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled).toEqual([]);
});

async function failureOf(promise: Promise<unknown>): Promise<KubeError> {
  const error = await promise.then(
    () => expect.fail("it succeeded"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(KubeError);
  const { code, message } = error as KubeError;
  expect(message.startsWith(`[${code}] `)).toBe(true);
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    expect(String(cause)).not.toContain(canary);
  }
  return error as KubeError;
}

async function kubeconfig(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const usable = (server: string) => `
apiVersion: v1
kind: Config
clusters: [{ name: c, cluster: { server: "${server}" } }]
users: [{ name: u, user: { token: ${canary} } }]
contexts: [{ name: here, context: { cluster: c, user: u, namespace: shop } }]
current-context: here
`;

describe("an unusable kubeconfig", () => {
  it("K1: a missing kubeconfig file is a Config error with its path", async () => {
    const path = join(folder, "absent");
    const error = await failureOf(connect({ kubeconfig: path }));
    expect(error.code).toBe("Config");
    expect(error.message).toContain(path);
  });

  it("K2: a kubeconfig that is not YAML is a Config error with its path", async () => {
    const path = await kubeconfig(
      "broken",
      `users:\n  - name: u\n    user: { token: ${canary}\n  x: [`,
    );
    const error = await failureOf(connect({ kubeconfig: path }));
    expect(error.code).toBe("Config");
    expect(error.message).toContain(path);
  });

  it("K19: names an unknown context; the error lists the existing contexts", async () => {
    const path = await kubeconfig("good", usable("http://127.0.0.1:1"));
    const error = await failureOf(connect({ kubeconfig: path, context: "elsewhere" }));
    expect(error.code).toBe("Config");
    expect(error.message).toContain("elsewhere");
    expect(error.message).toContain("here");
  });
});

describe("a misbehaving server", () => {
  const get = (client: Client) => client.resource(Pod, "shop").get("web-0");

  it("H18: a refused connection is ConnectionRefused, with the server's address", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    await using client = await connect({ server: `http://127.0.0.1:${port}`, token: canary });
    const error = await failureOf(get(client));
    expect(error.code).toBe("ConnectionRefused");
    expect(error.message).toContain(`127.0.0.1:${port}`);
  });

  it("is not Kubernetes: a web page", async () => {
    await using server = await rawServer((socket) => {
      socket.write(response("text/html", "<html><title>Log in to the portal</title></html>"));
    });
    await using client = await connect({ server: server.url, token: canary });
    const error = await failureOf(get(client));
    expect(error.code).toBe("NotKubernetes");
    expect(error.message).toContain("Log in to the portal");
  });

  it("is not Kubernetes: no HTTP at all", async () => {
    await using server = await rawServer((socket) => {
      socket.end("220 mail.example ESMTP\r\n");
    });
    await using client = await connect({ server: server.url });
    const error = await failureOf(get(client));
    expect(["ConnectionReset", "NetworkError", "NotKubernetes"]).toContain(error.code);
  });

  it("is not Kubernetes: unrelated JSON instead of a list", async () => {
    await using server = await rawServer((socket) => {
      socket.write(response("application/json", `{"ok":true}`));
    });
    await using client = await connect({ server: server.url });
    const error = await failureOf(client.resource(Pod, "shop").list());
    expect(error.code).toBe("Decode");
    expect(error.message).toContain("/api/v1/namespaces/shop/pods");
  });

  it("closes the connection in the middle of a body", async () => {
    await using server = await rawServer((socket) => {
      socket.end(response("application/json", `{"kind":"Pod","metadata":{"na`, 500));
    });
    await using client = await connect({ server: server.url });
    const error = await failureOf(get(client));
    expect(["ConnectionClosed", "ConnectionReset"]).toContain(error.code);
  });

  it("sends half an object with a matching content-length", async () => {
    await using server = await rawServer((socket) => {
      socket.write(response("application/json", `{"kind":"Pod","metadata":{"na`));
    });
    await using client = await connect({ server: server.url });
    const error = await failureOf(get(client));
    expect(error.code).toBe("Decode");
    expect(error.message).toContain("/api/v1/namespaces/shop/pods/web-0");
  });

  it("sends a watch frame over the limit: the error names the limit, and the connection is closed", async () => {
    let closed: Promise<unknown> | undefined;
    await using server = await rawServer((socket) => {
      closed = new Promise((resolve) => socket.on("close", resolve));
      socket.write(chunkedHead("application/json"));
      socket.write(chunk(`{"type":"ADDED","object":{"kind":"Pod","x":"${"y".repeat(4096)}`));
    });
    await using client = await connect({
      server: server.url,
      defaults: { limits: { maxObjectBytes: 1024 } },
    });
    const watching = (async () => {
      for await (const event of client.resource(Pod, "shop").watch()) {
        expect.fail(`an event came out: ${event.type}`);
      }
    })();
    const error = await failureOf(watching);
    expect(error.code).toBe("TooLarge");
    expect(error.message).toContain("maxObjectBytes");
    await closed;
  });

  it("announces a protobuf frame over the limit", async () => {
    await using server = await rawServer((socket) => {
      socket.write(chunkedHead("application/vnd.kubernetes.protobuf;stream=watch"));
      socket.write(chunk(Buffer.from([0x7f, 0xff, 0xff, 0xff, 0x0a])));
    });
    await using client = await connect({ server: server.url });
    const error = await failureOf(
      client.resource(Pod, "shop").watch()[Symbol.asyncIterator]().next(),
    );
    expect(error.code).toBe("TooLarge");
  });

  it("an informer reports the same errors and keeps running", async () => {
    await using server = await rawServer((socket) => {
      socket.write(response("text/html", "<html>Log in</html>"));
    });
    await using client = await connect({ server: server.url, token: canary });
    let listener = (_: KubeError) => {};
    const first = new Promise<KubeError>((resolve) => {
      listener = resolve;
    });
    await using informer = client.informer(Pod, { onError: (error) => listener(error) });
    const received = await first;
    const error = await failureOf(informer.synced({ timeoutMs: 1 }));
    expect(error).toBe(received);
    expect(error.code).toBe("NotKubernetes");
    expect(informer.health.state).not.toBe("stopped");
  });
});
