// A shell in a container: on your cluster with a terminal, here with a written conversation.
import { startApiServer } from "@typekube/apiserver";
import { Pod } from "typekube/api/core/v1";

await using api = await startApiServer({
  seed: 1,
  pods: {
    /** A container whose shell knows one command. */
    async exec({ container, stdin, stdout, resizes, tty }) {
      for await (const { width, height } of resizes) {
        await stdout(`${tty ? "terminal" : "no terminal"} of ${width} x ${height}\n`);
        break;
      }
      for await (const line of stdin) {
        await stdout(String(Buffer.from(line)) === "hostname\n" ? `${container}\n` : "bye\n");
      }
      return 0;
    },
  },
});
await using client = await api.client();
const pods = client.resource(Pod, "default");
await pods.create({
  metadata: { name: "web-0" },
  spec: { containers: [{ name: "web", image: "registry.example/web:1.1" }] },
});
const pod = pods.named("web-0");

if (process.stdin.isTTY && process.argv.includes("--terminal")) {
  await pod.terminal(["sh"]); // until the shell ends
} else {
  await using shell = await pod.exec(["sh"], {
    tty: true,
    stdin: true,
    size: { width: 80, height: 24 },
  });
  shell.stdin?.write("hostname\n");
  shell.stdin?.end("exit\n");
  console.log((await shell.stdout.text()).trimEnd());
  console.log(await shell.result);
}

// Prints:
// terminal of 80 x 24
// web
// bye
// { exitCode: 0 }
