import { generateKeyPairSync, randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Users of a real server: one with all permissions, and one that is authenticated without permissions. */
export type UserName = "admin" | "viewer";

/** Tokens and keys of one server. */
export interface Users {
  readonly tokens: Readonly<Record<UserName, string>>;
  readonly tokenFile: string;
  /** Path of the key that signs and verifies service account tokens. */
  readonly serviceAccountKeyFile: string;
}

/** Creates the users of one server and writes the files that kube-apiserver reads. */
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
