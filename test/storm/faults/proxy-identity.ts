import { writeFileSync } from "node:fs";
import { createSecureContext, type SecureContext } from "node:tls";
import { makeCertificate } from "../../../packages/apiserver/src/connections/certificate.js";

/** Who a proxy says it is, and the file of authorities by which its client knows it. */
export class ProxyIdentity {
  readonly #caFile: string;
  #made: { readonly context: SecureContext; readonly ca: string };
  #mistrusted = 0;

  /** @param caFile - is written now, and anew after each swap. */
  constructor(caFile: string) {
    this.#caFile = caFile;
    this.#made = makeIdentity();
    this.#publish();
  }

  /** Handshakes that are still to fail. */
  get mistrusted(): number {
    return this.#mistrusted;
  }

  /** A certificate of another authority, of which the client's file knows when so many handshakes have begun. */
  swap(handshakes: number): void {
    this.#made = makeIdentity();
    this.#mistrusted += handshakes;
  }

  /** What the next handshake is made with. */
  next(): SecureContext {
    if (this.#mistrusted > 0 && --this.#mistrusted === 0) {
      this.#publish();
    }
    return this.#made.context;
  }

  /** The client's file knows it from now on. */
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
