// Runs `typekube check` in a process in which every use of the network throws, and prints the outcome as JSON.
import dgram from "node:dgram";
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

const uses: string[] = [];

function refuse(what: string): () => never {
  return () => {
    uses.push(what);
    throw new Error(`the network was used: ${what}`);
  };
}

net.Socket.prototype.connect = refuse("net connect");
dgram.Socket.prototype.send = refuse("dgram send");
for (const name of ["lookup", "resolve", "resolve4", "resolve6"] as const) {
  Object.assign(dns, { [name]: refuse(`dns ${name}`) });
  Object.assign(dns.promises, { [name]: refuse(`dns ${name}`) });
}
globalThis.fetch = refuse("fetch");
syncBuiltinESMExports();

const { checkCommand } = await import("@typekube/apiserver/check/command");
const [folder = "", ...args] = process.argv.slice(2);
if (args.includes("--connect")) {
  // Proves that the traps work.
  for (const use of [() => net.connect(1, "127.0.0.1"), () => fetch("http://127.0.0.1:1")]) {
    try {
      use();
    } catch (error) {
      console.error((error as Error).message);
    }
  }
} else {
  await checkCommand(args, {
    folder,
    write: (text) => process.stderr.write(text),
    writeError: (text) => process.stderr.write(text),
  });
}
console.log(JSON.stringify(uses));
