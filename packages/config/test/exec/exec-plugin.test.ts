import { inspect } from "node:util";
import type { KubeError } from "@typekube/core";
import { failure, folder } from "@typekube/test-support/kubeconfig-files";
import { manualClock } from "@typekube/test-support/manual-clock";
import { describe, expect, test } from "vitest";
import type { ConnectionOptions } from "../../src/index.js";
import { direct, resolved, stanza, tokenOf } from "../helpers/exec.js";
import { fakePlugin } from "../helpers/fake-plugin.js";

describe("input of a plugin", () => {
  test.each(["v1", "v1beta1"])(
    "X2: %s: passes arguments, environment and the request with its cluster",
    async (version) => {
      await using dir = await folder();
      const plugin = await fakePlugin(dir);
      const apiVersion = `client.authentication.k8s.io/${version}`;
      const extension = { audience: "kube", nested: [1] };
      const config = await resolved(dir, {
        user: stanza(plugin.path, {
          apiVersion,
          args: ["get-token", "--for=$HOME;ls"],
          env: [{ name: "EXTRA", value: "given" }],
          provideClusterInfo: true,
        }),
        cluster: {
          server: "https://kube:6443",
          "tls-server-name": "inner",
          "certificate-authority-data": Buffer.from("PEM").toString("base64"),
          "disable-compression": true,
          extensions: [{ name: "client.authentication.k8s.io/exec", extension }],
        },
      });
      expect(await tokenOf(config.auth)).toBe("Bearer token-1");
      const [run] = await plugin.runs();
      expect(run).toMatchObject({ args: ["get-token", "--for=$HOME;ls"], extra: "given" });
      expect(run?.info).toEqual({
        kind: "ExecCredential",
        apiVersion,
        spec: {
          cluster: {
            server: "https://kube:6443",
            "tls-server-name": "inner",
            "certificate-authority-data": Buffer.from("PEM").toString("base64"),
            "disable-compression": true,
            config: extension,
          },
          interactive: false,
        },
      });
    },
  );

  test("X2: passes no cluster information without provideClusterInfo", async () => {
    await using dir = await folder();
    const plugin = await fakePlugin(dir);
    await tokenOf(direct(plugin));
    expect((await plugin.runs())[0]?.info.spec).toEqual({ interactive: false });
  });

  test("K7, X10: looks up a name in PATH, and a path with a separator relative to its kubeconfig", async () => {
    await using dir = await folder();
    const plugin = await fakePlugin(dir);
    const named = await resolved(dir, { user: stanza("plugin") }, { env: { PATH: plugin.folder } });
    expect(await tokenOf(named.auth)).toBe("Bearer token-1");
    const beside = await resolved(dir, { user: stanza("./bin/plugin") });
    expect(await tokenOf(beside.auth)).toBe("Bearer token-1");
    expect(await plugin.runs()).toHaveLength(2);
    // A relative folder in PATH would depend on the current folder.
    const relative = await resolved(dir, { user: stanza("plugin") }, { env: { PATH: "bin:." } });
    expect((await failure(relative.auth?.headers() as Promise<unknown>)).message).toContain(
      "not in PATH",
    );
  });
});

describe("errors", () => {
  test("X5: a missing program is named with its install hint, ten times an hour", async () => {
    await using dir = await folder();
    const plugin = { ...(await fakePlugin(dir)), path: "no-such-plugin" };
    const clock = manualClock();
    const hint = "install it with \u001b[1mbrew";
    const credentials = direct(plugin, { installHint: hint }, { clock });
    const messages: string[] = [];
    for (let i = 0; i < 11; i += 1) {
      messages.push((await failure(credentials.headers())).message);
    }
    expect(messages[0]).toContain("no-such-plugin is not in PATH");
    expect(
      messages.filter((message) => message.includes("install it with \\x1b[1mbrew")),
    ).toHaveLength(10);
    clock.advance(3_600_000);
    expect((await failure(credentials.headers())).message).toContain("install it with");
  });

  test("X5, H40: a failure shows the exit code and standard error without secrets", async () => {
    await using dir = await folder();
    const plugin = await fakePlugin(dir);
    await plugin.plan({
      exitCode: 3,
      output: JSON.stringify({ status: { token: "canary-printed" } }),
      stderr: "session is over, run `cloud login`; canary-printed token=canary2 canary-env\n",
    });
    const credentials = direct(plugin, {
      args: ["--secret=canary-arg"],
      env: { EXTRA: "canary-env" },
    });
    const error = await failure(credentials.headers());
    expect(error.message).toContain("failed with exit code 3: session is over, run `cloud login`");
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("canary");
    // The next call runs the plugin again.
    await plugin.plan({ status: { token: "back" } });
    expect(await tokenOf(credentials)).toBe("Bearer back");
  });

  test("X5: the error for a file that cannot be run omits its arguments", async () => {
    await using dir = await folder();
    const plugin = await fakePlugin(dir);
    await dir.write("bin/plugin", "#!/no/such/interpreter\n");
    const error = await failure(direct(plugin, { args: ["canary"] }).headers());
    expect(error.message).toContain("cannot be run (ENOENT)");
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("canary");
  });

  test.each([
    ["a NUL in an argument", { args: ["canary\0"] }, "a NUL character"],
    ["a NUL in the environment", { env: { EXTRA: "canary\0" } }, "a NUL character"],
    ["arguments above the system limit", { args: ["canary".repeat(500_000)] }, "are too large"],
  ])(
    "H40: the error for a plugin that the system refuses to start, because of %s, shows no secret",
    async (_name, over, expected) => {
      await using dir = await folder();
      const error = await failure(direct(await fakePlugin(dir), over).headers());
      expect(error.code).toBe("Config");
      expect(error.message).toContain(expected);
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("canary");
    },
  );

  test.each([
    ["no command", { command: "" }, "without a command"],
    ["no apiVersion", { apiVersion: "" }, "without an apiVersion"],
    ["a version that is gone", { apiVersion: "client.authentication.k8s.io/v1alpha1" }, "v1alpha1"],
    ["no interactiveMode in v1", { interactiveMode: "" }, "without interactiveMode"],
    ["an unknown interactiveMode", { interactiveMode: "Sometimes" }, 'interactiveMode "Sometimes"'],
    ["a variable without a name", { env: [{ name: "", value: "canary" }] }, "without a name"],
  ])("K21: rejects an exec stanza with %s", async (_name, over, expected) => {
    await using dir = await folder();
    const error = await failure(resolved(dir, { user: stanza("plugin", over) }));
    expect(error.message).toContain(expected);
    expect(inspect(error, { depth: 9 })).not.toContain("canary");
  });

  test("K21: v1beta1 needs no mode; rejects exec together with auth-provider", async () => {
    await using dir = await folder();
    const beta = { apiVersion: "client.authentication.k8s.io/v1beta1", interactiveMode: null };
    expect((await resolved(dir, { user: stanza("plugin", beta) })).auth).toBeDefined();
    const both = { ...stanza("plugin"), "auth-provider": { name: "oidc" } };
    expect((await failure(resolved(dir, { user: both }))).message).toContain(
      "both exec and auth-provider",
    );
  });
});

describe("X10: restricting plugins with execPlugins", () => {
  test("allows all by default, none, names as found in PATH, paths, or those a function accepts", async () => {
    await using dir = await folder();
    await using other = await folder();
    const plugin = await fakePlugin(dir);
    const impostor = await fakePlugin(other);
    const env = { PATH: plugin.folder };
    const may = async (command: string, execPlugins: ConnectionOptions["execPlugins"]) => {
      const { auth } = await resolved(dir, { user: stanza(command) }, { env, execPlugins });
      return auth?.headers().then(
        () => true,
        (error: KubeError) => {
          expect(error.message).toContain("execPlugins does not allow");
          return false;
        },
      );
    };
    expect(await may("plugin", undefined)).toBe(true);
    expect(await may("plugin", "none")).toBe(false);
    expect(await may("plugin", ["other", "plugin"])).toBe(true);
    expect(await may("plugin", ["other"])).toBe(false);
    expect(await may("plugin", [plugin.path])).toBe(true);
    expect(await may(plugin.path, ["plugin"])).toBe(true);
    expect(await may(plugin.path, [plugin.path])).toBe(true);
    expect(await may(impostor.path, ["plugin"])).toBe(false);
    expect(await may(impostor.path, [plugin.path])).toBe(false);
    expect(await may("plugin", ({ path }) => path === plugin.path)).toBe(true);
    expect(await may("plugin", () => false)).toBe(false);
    expect(await impostor.runs()).toHaveLength(0);
  });

  test("allows a listed plugin no kubeconfig variables unless its entry does", async () => {
    await using dir = await folder();
    const plugin = await fakePlugin(dir);
    const env = [
      { name: "NODE_OPTIONS", value: "--require=/srv/canary.js" },
      { name: "PROFILE", value: "canary" },
    ];
    const run = async (
      over: object,
      execPlugins: NonNullable<ConnectionOptions["execPlugins"]>,
    ): Promise<string> => {
      const { auth } = await resolved(dir, { user: stanza(plugin.path, over) }, { execPlugins });
      return auth?.headers().then(
        () => "ran",
        (error: KubeError) => error.message,
      ) as Promise<string>;
    };
    const profile = env.slice(1);
    const command = plugin.path;
    const refusal = await run({ env }, [command]);
    expect(refusal).toContain('with the environment variables "NODE_OPTIONS", "PROFILE"');
    expect(refusal).not.toContain("canary");
    expect(await run({ env }, [{ command, env: ["PROFILE"] }])).toContain('"NODE_OPTIONS"');
    expect(await run({ env: profile }, [{ command, env: ["PROFILE"] }])).toBe("ran");
    expect(await run({ env: profile }, [command, { command, env: "all" }])).toBe("ran");
    expect(await run({ args: ["get"] }, [{ command, args: ["get"] }])).toBe("ran");
    expect(await run({ args: ["get", "x"] }, [{ command, args: ["get"] }])).toContain(
      "with these arguments",
    );
    expect(await run({ args: ["get", "x"] }, [command])).toBe("ran");
    const seen: unknown[] = [];
    await run({ env: profile, args: ["get"] }, (requested) => seen.push(requested) > 0);
    expect(seen).toEqual([{ command, path: command, args: ["get"], env: { PROFILE: "canary" } }]);
  });

  test.each([
    ["an empty list", []],
    ["an empty name", [""]],
    ["a relative path", ["./plugin"]],
    ["a path that is not normalized", ["/usr/bin/../bin/plugin"]],
  ])("rejects %s when the configuration is resolved", async (_name, execPlugins) => {
    await using dir = await folder();
    const error = await failure(resolved(dir, { user: stanza("plugin") }, { execPlugins }));
    expect(error.message).toContain("execPlugins");
  });
});

describe("H40: secrets", () => {
  test("a configuration and its credentials show no plugin secrets", async () => {
    await using dir = await folder();
    const plugin = await fakePlugin(dir);
    await plugin.plan({ status: { token: "canary" } });
    const config = await resolved(dir, {
      user: stanza(plugin.path, { args: ["canary"], env: [{ name: "EXTRA", value: "canary" }] }),
    });
    expect(await tokenOf(config.auth)).toBe("Bearer canary");
    for (const shown of [
      inspect(config, { depth: 9, showHidden: true }),
      JSON.stringify(config),
      `${config.auth}`,
    ]) {
      expect(shown).not.toContain("canary");
      expect(shown).toContain("[redacted exec plugin]");
    }
  });
});
