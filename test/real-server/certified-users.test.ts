import { X509Certificate } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isUnauthorized } from "@typekube/core";
import { findAssets } from "@typekube/test-support/real-server/assets";
import { type RealServer, startRealServer } from "@typekube/test-support/real-server/real-server";
import { type CertificateSubject, makeCertificate } from "@typekube/transport/internal";
import { connect } from "typekube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { userInfo } from "../../packages/apiserver/src/objects/user.js";
import { certifiedUser } from "../../packages/apiserver/src/tls/certified-user.js";

const hasReal = (await findAssets()) !== undefined;

describe.runIf(hasReal)(
  "§3.20: client certificates give the same users as on a real server",
  () => {
    const subject = { commonName: "test-authority" };
    const authority = makeCertificate({ subject, use: "authority" });
    let folder: string;
    let server: RealServer;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "typekube-certified-"));
      await writeFile(join(folder, "ca.pem"), authority.cert);
      const flags = [`--client-ca-file=${join(folder, "ca.pem")}`, "--anonymous-auth=true"];
      server = (await startRealServer({ flags })) as RealServer;
    });
    afterAll(async () => {
      await server?.close();
      await rm(folder, { recursive: true, force: true });
    });

    /** Returns both servers' users for one certificate. */
    async function seen(of: CertificateSubject) {
      const { cert, key } = makeCertificate({
        subject: of,
        use: "client",
        issuer: { subject, key: authority.privateKey },
      });
      const certificate = new X509Certificate(cert);
      const socket = { authorized: true, getPeerX509Certificate: () => certificate };
      const embedded = certifiedUser(socket, true);
      const { server: url, ca } = server.connectOptions();
      await using client = await connect({ server: url, ca, cert, key });
      const real = await client.whoAmI().catch((error: unknown) => error);
      return { embedded, real };
    }

    test.each<CertificateSubject>([
      { commonName: "jane", organizations: ["dev", "ops"], uids: ["42"] },
      { commonName: 'a,b\\c="d"\nO=system:masters', organizations: ["x,y", "ü"] },
      { commonName: "system:admin", organizations: ["system:authenticated"] },
    ])("both servers derive the same user from the certificate of $commonName", async (of) => {
      const { embedded, real } = await seen(of);
      expect(embedded).toBeTypeOf("object");
      expect(real).toEqual(userInfo(embedded as Exclude<typeof embedded, "faulty" | undefined>));
    });

    test.each([[[""]], [["1", "2"]]])("rejects a certificate with the uids %j", async (uids) => {
      const { embedded, real } = await seen({ commonName: "jane", uids });
      expect(embedded).toBe("faulty");
      expect(real).toSatisfy(isUnauthorized);
    });

    test("ignores a certificate without a common name: the request is anonymous", async () => {
      const { embedded, real } = await seen({ commonName: "", uids: ["1"] });
      expect(embedded).toBeUndefined();
      expect(String(real)).toContain('User "system:anonymous" cannot');
    });
  },
);
