import { writeFileSync } from "node:fs";
import { createSecureContext, type SecureContext } from "node:tls";
import { makeCertificate } from "@typekube/transport/internal";

/** The certificate of a proxy, and the CA file that its client trusts. */
export class ProxyIdentity {
  readonly #caFile: string;
  #made: { readonly context: SecureContext; readonly ca: string };
  #mistrusted = 0;

  /** @param caFile - written now, and again after each swap. */
  constructor(caFile: string) {
    this.#caFile = caFile;
    this.#made = makeIdentity();
    this.#publish();
  }

  /** Number of handshakes that will still fail. */
  get mistrusted(): number {
    return this.#mistrusted;
  }

  /** Changes to a certificate of another CA, which is written to the client's file after this number of handshakes. */
  swap(handshakes: number): void {
    this.#made = makeIdentity();
    this.#mistrusted += handshakes;
  }

  /** Returns the context of the next handshake. */
  next(): SecureContext {
    if (this.#mistrusted > 0 && --this.#mistrusted === 0) {
      this.#publish();
    }
    return this.#made.context;
  }

  /** Writes the CA to the client's file now. */
  trust(): void {
    if (this.#mistrusted > 0) {
      this.#mistrusted = 0;
      this.#publish();
    }
  }

  #publish(): void {
    writeFileSync(this.#caFile, this.#made.ca);
  }
}

function makeIdentity(): { readonly context: SecureContext; readonly ca: string } {
  const subject = { commonName: "storm-authority" };
  const authority = makeCertificate({ subject, use: "authority" });
  const { cert, key } = makeCertificate({
    subject: { commonName: "storm-proxy" },
    use: "server",
    hosts: ["127.0.0.1"],
    issuer: { subject, key: authority.privateKey },
  });
  return { context: createSecureContext({ cert, key }), ca: authority.cert };
}
