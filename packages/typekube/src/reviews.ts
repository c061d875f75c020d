/**
 * Types of access reviews, tokens and certificates.
 *
 * @module typekube/reviews
 */

// Access reviews: client.can() and others

export type {
  AccessReviewResult,
  AccessRules,
  PathAccess,
  ResourceAccess,
} from "@typekube/client";

// Tokens and identities

export type { Identity, ReviewTokenOptions, TokenReviewResult } from "@typekube/client";

// Certificates

export type { CertificateDecision } from "@typekube/client";
