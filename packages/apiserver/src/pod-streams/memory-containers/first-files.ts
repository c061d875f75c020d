import type { ContainerFacts } from "./container-facts.js";
import type { MemoryFiles } from "./files/memory-files.js";
import { programs } from "./programs/programs.js";
import { programFolder } from "./start-program.js";

/** Writes the files that a container in memory begins with. */
export function writeFirstFiles(files: MemoryFiles, facts: ContainerFacts): void {
  for (const directory of ["/etc", "/root", "/tmp", "/usr", programFolder]) {
    files.makeDirectory(directory, { parents: true, mode: directory === "/tmp" ? 0o777 : 0o755 });
  }
  const write = (path: string, text: string, mode = 0o644) =>
    files.write(path, Buffer.from(text), { mode });
  for (const name of programs.keys()) {
    write(`${programFolder}/${name}`, "", 0o755);
  }
  files.link("/usr/bin", "../bin");
  write("/etc/hostname", `${facts.hostName}\n`);
  write("/etc/hosts", `127.0.0.1\tlocalhost\n`);
  write("/etc/os-release", 'NAME="TypeKube"\nID=typekube\nPRETTY_NAME="TypeKube container"\n');
  write("/README", readme(facts));
}

function readme({ namespace, pod, name, image }: ContainerFacts): string {
  return `The container ${name} of the pod ${namespace}/${pod}.

It is simulated: the image ${image} does not run, and there is no shell. Its files are in memory and are lost with the
server. Its programs are ${[...programs.keys()].join(" ")}.
Each port serves an HTTP page.
`;
}
