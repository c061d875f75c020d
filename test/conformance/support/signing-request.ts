import type { CertificateSigningRequest } from "@typekube/api/certificates/v1";

const certificateRequest = `-----BEGIN CERTIFICATE REQUEST-----
MIHPMHgCAQAwFjEUMBIGA1UEAwwLY29uZm9ybWFuY2UwWTATBgcqhkjOPQIBBggq
hkjOPQMBBwNCAASATIAn9obeAhPFC3aiOXbEqzW8233o/cwHodCaXRKP3G3ea2dY
r5qf6MWk397hMz9MaK3a5sv1d5c5x7jPpSZMoAAwCgYIKoZIzj0EAwIDRwAwRAIg
A58rb+fIUAXfujS9G6T9GEyPRWKqw6Ue8KQ/w7PcZo4CICCDrf9/JTaWhHLEoKEk
S3y6kP/0xdq++y5diQRBljBO
-----END CERTIFICATE REQUEST-----
`;

/** Returns a CertificateSigningRequest. */
export const signingRequest = (name: string): CertificateSigningRequest => ({
  metadata: { name },
  spec: {
    request: Buffer.from(certificateRequest).toString("base64"),
    signerName: "kubernetes.io/kube-apiserver-client",
    usages: ["client auth", "digital signature"],
  },
});
