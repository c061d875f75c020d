import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { harmless, KubeError } from "@typekube/core";
import { describe, expect, test } from "vitest";
import { isInteractive } from "../../src/exec/is-interactive.js";
import { parseExecOutput } from "../../src/exec/parse-exec-output.js";
import { readExecCredential } from "../../src/exec/read-exec-credential.js";
import { secretVariables, withoutSecrets } from "../../src/exec/redact-output.js";

const fixture = (name: string) =>
  readFileSync(new URL(`../../../test-support/fixtures/${name}`, import.meta.url), "utf8");
const v1 = "client.authentication.k8s.io/v1";
const pair = {
  clientCertificateData: fixture("client.pem"),
  clientKeyData: fixture("client.key.pem"),
};

function read(status: unknown, over: object = {}) {
  const credential = { apiVersion: v1, kind: "ExecCredential", status, ...over };
  return readExecCredential(credential, v1, "/bin/plugin");
}

function fault(act: () => unknown): KubeError {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(KubeError);
    expect((error as KubeError).code).toBe("Config");
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("canary");
    return error as KubeError;
  }
  throw new Error("it did not fail");
}

describe("X4: validation of plugin output", () => {
  test("accepts a token, a certificate with its key, or both", () => {
    expect(read({ token: "t" }).token?.reveal()).toBe("t");
    const certificate = read(pair).certificate;
    expect(certificate?.cert).toBe(pair.clientCertificateData);
    const both = read({ token: "t", ...pair });
    expect([both.token?.reveal(), both.certificate?.cert]).toEqual([
      "t",
      pair.clientCertificateData,
    ]);
  });

  test("expires at expirationTimestamp, or with the certificate when that is earlier", () => {
    const at = "2030-01-02T03:04:05Z";
    expect(read({ token: "t" }).expiresAtMs).toBeUndefined();
    expect(read({ token: "t", expirationTimestamp: at }).expiresAtMs).toBe(Date.parse(at));
    const there = "2030-01-02T05:04:05.000+02:00";
    expect(read({ token: "t", expirationTimestamp: there }).expiresAtMs).toBe(Date.parse(at));
    expect(read(pair).expiresAtMs).toBe(Date.parse("2120-01-01T00:00:00Z"));
    expect(read({ ...pair, expirationTimestamp: at }).expiresAtMs).toBe(Date.parse(at));
  });

  test.each([
    ["no status", undefined, "no status"],
    ["a status that is not an object", "canary", "no status"],
    ["an empty status object", {}, "neither a token nor a certificate"],
    ["a certificate without a key", { clientCertificateData: "canary" }, "without its key"],
    ["a key without a certificate", { clientKeyData: "canary" }, "without its certificate"],
    ["bad PEM", { clientCertificateData: "canary", clientKeyData: "canary" }, "is not PEM"],
    [
      "the key of another certificate",
      { ...pair, clientKeyData: fixture("server.key.pem") },
      "does not belong to its certificate",
    ],
    ["a token with a line feed", { token: "canary\nx" }, "not a valid header value"],
    ["a token that is not a string", { token: { canary: 1 } }, "token that is not a string"],
    [
      "an expirationTimestamp that is not a time",
      { token: "t", expirationTimestamp: "canary" },
      "is not an RFC 3339 time",
    ],
    [
      "a numeric expirationTimestamp",
      { token: "t", expirationTimestamp: "12345" },
      "is not an RFC 3339 time",
    ],
    [
      "an expirationTimestamp without a time zone",
      { token: "t", expirationTimestamp: "2030-01-02T03:04:05" },
      "is not an RFC 3339 time",
    ],
  ])("rejects %s, naming the problem without the value", (_name, status, expected) => {
    expect(fault(() => read(status)).message).toContain(expected);
  });

  test.each([
    ["no JSON", "canary", "neither a JSON object"],
    ["no YAML", "a: [canary", "neither a JSON object"],
    ["a list", '["canary"]', "neither a JSON object"],
    ["another kind", '{"kind":"canary"}', "an object of another kind than ExecCredential"],
    ["no version", '{"kind":"ExecCredential"}', "another apiVersion"],
    [
      "another version",
      '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1","status":{"token":"canary"}}',
      `another apiVersion than ${v1}`,
    ],
  ])("rejects plugin output of the wrong form: %s", async (_name, output, expected) => {
    const parsed = await parseExecOutput(output);
    expect(fault(() => readExecCredential(parsed, v1, "/bin/plugin")).message).toContain(expected);
  });
});

describe("parses plugin output as client-go does", () => {
  const credential = { apiVersion: v1, kind: "ExecCredential", status: { token: "t" } };
  const yaml = `apiVersion: ${v1}\nkind: ExecCredential\nstatus:\n  token: t\n`;
  test.each([
    ["YAML", yaml],
    ["YAML after ---, followed by another document", `---\n${yaml}---\nkind: Other\n`],
    ["YAML with a byte order mark", `\ufeff${yaml}`],
    ["YAML with a duplicate key", `${yaml}kind: ExecCredential\n`],
    ["JSON with a byte order mark", `\ufeff${JSON.stringify(credential)}\n`],
    ["JSON", JSON.stringify(credential, null, 2)],
  ])("reads a credential from %s", async (_name, output) => {
    expect(await parseExecOutput(output)).toEqual(credential);
  });

  test("accepts a YAML timestamp as expirationTimestamp", async () => {
    const at = "2030-01-02T03:04:05Z";
    const parsed = await parseExecOutput(`${yaml}  expirationTimestamp: ${at}\n`);
    expect(readExecCredential(parsed, v1, "/bin/plugin").expiresAtMs).toBe(Date.parse(at));
  });
});

describe("X3: access to the terminal", () => {
  test.each([
    ["Never", true, undefined, false],
    ["Never", false, undefined, false],
    ["Never", true, "used", false],
    ["IfAvailable", true, undefined, true],
    ["IfAvailable", false, undefined, false],
    ["IfAvailable", true, "used", false],
    ["IfAvailable", false, "used", false],
    ["Always", true, undefined, true],
    ["Always", false, undefined, "standard input is not a terminal"],
    ["Always", true, "used by apply", "standard input is unavailable (used by apply)"],
    ["Always", false, "used by apply", "standard input is unavailable (used by apply)"],
  ] as const)("mode %s, terminal %s, unavailable %s", (mode, isTerminal, unavailable, expected) => {
    const act = () => isInteractive(mode, { isTerminal, unavailable });
    if (typeof expected === "boolean") {
      expect(act()).toBe(expected);
    } else {
      expect(fault(act).message).toContain(expected);
    }
  });
});

describe("untrusted text", () => {
  test("escapes bidirectional controls, which change the order in which text is shown", () => {
    expect(harmless("pay\u202eed\u2066x\u200f")).toBe("pay\\u202eed\\u2066x\\u200f");
    expect(new KubeError("Forbidden", "no\u001b[2J\u202e", { hint: "a\u0007" }).message).toBe(
      "[Forbidden] no\\x1b[2J\\u202e: a\\x07",
    );
  });

  test.each([
    [
      "a short password of the environment",
      "rejected: hunter2",
      ["hunter2"],
      "rejected: [redacted]",
    ],
    [
      "a PIN of three digits, as a word alone",
      "pin 123 of 1234",
      ["123"],
      "pin [redacted] of 1234",
    ],
    [
      "key=value of any length",
      "AWS_SECRET_ACCESS_KEY=ab otp: 1 auth=x",
      [],
      "AWS_SECRET_ACCESS_KEY=[redacted] otp: [redacted] auth=[redacted]",
    ],
    [
      "everyday words with other meanings",
      "session is over, auth login",
      [],
      "session is over, auth login",
    ],
  ] as const)(
    "H40: redacts secrets in untrusted text, and nothing else: %s",
    (_what, text, known, shown) => {
      expect(withoutSecrets(text, known)).toBe(shown);
    },
  );

  test("H40: redacts variables with secret names, but not everyday ones", () => {
    const env = {
      GITHUB_TOKEN: "t1",
      DB_PASSWORD: "p1",
      HOME: "/root",
      KEYBOARD: "us",
      X_API_KEY: "k",
    };
    expect(secretVariables(env)).toEqual(["t1", "p1", "k"]);
  });

  test("K26: escapes terminal control sequences, but keeps line feeds and tabs", () => {
    expect(harmless("a\u001b[31mred\u001b[0m\n\tb\r\n\u0007\u009b1m")).toBe(
      "a\\x1b[31mred\\x1b[0m\n\tb\n\\x07\\x9b1m",
    );
  });

  test("H40: redacts possible secrets and keeps the helpful words", () => {
    const text =
      "login failed for jane: token: canary1 password=canary2 Authorization: Bearer canary3\n" +
      "eyJhbGciOiJIUzI1NiJ9canary4 given=canary5 run `cloud auth login`";
    const shown = withoutSecrets(text, ["canary5"]);
    expect(shown).not.toContain("canary");
    expect(shown).toContain("login failed for jane");
    expect(shown).toContain("run `cloud auth login`");
  });
});
