import { writeFile } from "node:fs/promises";

/** Content of a kubeconfig with one server and one user. */
export interface KubeconfigContent {
  readonly server: string;
  readonly ca: string;
  readonly user: string;
  readonly token: string;
}

/** Writes a kubeconfig that only its owner can read. */
export async function writeKubeconfig(path: string, content: KubeconfigContent): Promise<void> {
  const { server, ca, user, token } = content;
  const name = "typekube-real-server";
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    clusters: [
      {
        name,
        cluster: { server, "certificate-authority-data": Buffer.from(ca).toString("base64") },
      },
    ],
    users: [{ name: user, user: { token } }],
    contexts: [{ name, context: { cluster: name, user, namespace: "default" } }],
  };
  await writeFile(path, `${JSON.stringify(config, undefined, 2)}\n`, { mode: 0o600 }); // JSON is YAML
}
