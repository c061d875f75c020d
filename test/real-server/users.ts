import { generateKeyPairSync, randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Who can call a real server: everything allowed, or authenticated and nothing more. */
export type UserName = "admin" | "viewer";

/** The tokens and keys of one server. */
export interface Users {
  readonly tokens: Readonly<Record<UserName, string>>;
  readonly tokenFile: string;
  /** Signs and verifies the tokens of service accounts. */
  readonly serviceAccountKeyFile: string;
}

/** Makes users for one server and writes what kube-apiserver reads of them. */
export async function makeUsers(folder: string): Promise<Users> {
  const tokens = { admin: randomUUID(), viewer: randomUUID() };
  const tokenFile = join(folder, "tokens.csv");
  const serviceAccountKeyFile = join(folder, "service-account.key");
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const lines = [
    `${tokens.admin},admin,admin,"system:masters"`,
    `${tokens.viewer},viewer,viewer,"typekube:viewers"`,
  ];
  await writeFile(tokenFile, `${lines.join("\n")}\n`, { mode: 0o600 });
  await writeFile(serviceAccountKeyFile, privateKey, { mode: 0o600 });
  return { tokens, tokenFile, serviceAccountKeyFile };
}
