import { execFile } from "node:child_process";
import type { ManifestObject } from "@typekube/core";
import { codecs, isJsonObject, type JsonObject } from "@typekube/core/internal";

/** Label that makes kubectl read a file without a server: its command must change something. */
const label = { name: "example.com/read", value: "by-kubectl" };
/** Maximum bytes of kubectl's output per run. */
const maxOutputBytes = 1024 * 1024 * 1024;

/** Objects that kubectl read, and its errors. */
export interface KubectlOutput {
  readonly objects: readonly unknown[];
  /** Empty when it read all files. */
  readonly error: string;
}

/** Reads files with `kubectl label --local`, which needs no server and no known kind. */
export async function kubectlReads(paths: readonly string[]): Promise<KubectlOutput> {
  const files = paths.flatMap((path) => ["-f", path.includes(",") ? `"${path}"` : path]);
  const change = [
    "--local",
    "--overwrite",
    "--show-managed-fields",
    `${label.name}=${label.value}`,
    "-o",
    "json",
  ];
  const { stdout, error } = await run(["label", ...files, ...change]);
  const objects: unknown[] = [];
  for (const text of stdout.split(/(?<=^\}\n)/m).filter((piece) => piece !== "")) {
    objects.push(await codecs.json.decode(Buffer.from(text)));
  }
  return { objects, error };
}

function run(args: readonly string[]): Promise<{ stdout: string; error: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, KUBECONFIG: "/dev/null" };
    execFile("kubectl", args, { env, maxBuffer: maxOutputBytes }, (failure, stdout, stderr) => {
      resolve({ stdout, error: failure === null ? "" : stderr || failure.message });
    });
  });
}

/**
 * Returns the known reason, other than reading, for a difference from kubectl.
 *
 * @param refusal - our error; empty when we read the file.
 */
export function explanation(
  { objects, error }: KubectlOutput,
  refusal: string,
): string | undefined {
  if (objects.length === 0 && error === "") {
    return "kubectl skips files that are called kustomization";
  }
  if (error.includes("ObjectMeta.metadata")) {
    return "kubectl checks the types in metadata; we leave that to the server";
  }
  if (error.includes("unknown escape character") && refusal === "") {
    return "we also read \\/, an escape of JSON and YAML 1.2 that go-yaml refuses";
  }
  const lackVersion = objects.some((object) => isJsonObject(object) && !object["apiVersion"]);
  return refusal.includes("is not an API object") && lackVersion
    ? "kubectl label --local needs no apiVersion; kubectl apply and we do"
    : undefined;
}

/**
 * Sets the label on an object as kubectl does. kubectl's command, not its reader, treats labels with non-string values
 * and an empty namespace as absent.
 */
export function withLabel(object: ManifestObject): unknown {
  const metadata: unknown = object.metadata;
  if (metadata === null) {
    return object;
  }
  const given: unknown = isJsonObject(metadata) ? metadata["labels"] : undefined;
  const areTexts =
    isJsonObject(given) && Object.values(given).every((value) => typeof value === "string");
  const { namespace, ...others }: JsonObject = isJsonObject(metadata) ? metadata : {};
  return {
    ...object,
    metadata: {
      ...others,
      ...(namespace === undefined || namespace === "" ? {} : { namespace }),
      labels: { ...(areTexts ? given : {}), [label.name]: label.value },
    },
  };
}
