import type { ClientCore } from "@typekube/client";
import { KubeError } from "@typekube/core";
import { assertOptions, type Clock, type Random } from "@typekube/core/internal";
import { serviceAccountNamespace } from "../election/service-account-namespace.js";
import type { Log } from "../log/log.js";
import type { CertificateSource } from "./certificates/certificate-source.js";
import { openMountedCertificate } from "./certificates/mounted-certificate.js";
import { openSelfMadeCertificate } from "./certificates/self-made-certificate.js";
import { createDispatcher, sortHandlers } from "./endpoint/create-webhook.js";
import type { WebhookObserver } from "./endpoint/webhook-observer.js";
import { assertHarmless, isBuiltIn } from "./registration/assert-harmless.js";
import type { WebhookPlace } from "./registration/configurations.js";
import { type RegisteredHandlers, Registration } from "./registration/registration.js";
import { RunningWebhooks } from "./running-webhooks.js";
import { confirmHandshake } from "./server/confirm-handshake.js";
import { WebhookServer } from "./server/webhook-server.js";
import { type WebhooksOptions, webhooksOptions } from "./webhooks-options.js";

/** Port of webhooks. (controller-runtime `pkg/webhook`: 9443) */
const defaultPort = 9443;
/** Milliseconds in which reviews are still accepted after a stop. */
const defaultLameDuckMs = 5_000;
/** Milliseconds in which reviews must end. (controller-runtime `pkg/webhook`: 1 min) */
const defaultDrainMs = 60_000;
/** Milliseconds of each phase of a CA's replacement: long enough for every API server and replica. */
const defaultPhaseMs = 3_600_000;

/** Parts that webhooks get from their manager. */
export interface WebhookParts {
  readonly client: ClientCore;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly observers: readonly WebhookObserver[];
}

/**
 * Starts the webhooks of a manager: certificate, server, and then, when a handshake with it succeeds, their
 * configurations.
 *
 * @throws {KubeError} `InvalidArgument` for an invalid option; otherwise why they could not start. Nothing is left then.
 */
export async function startWebhooks(
  options: WebhooksOptions,
  parts: WebhookParts,
): Promise<RunningWebhooks> {
  assertOptions("webhooks", options, webhooksOptions, "webhooks.");
  if ((options.service === undefined) === (options.url === undefined)) {
    throw new KubeError("InvalidArgument", "webhooks: needs either service or url");
  }
  const handlers = sortHandlers(options.handlers ?? []);
  const observers = [...parts.observers, ...(options.observer ? [options.observer] : [])];
  const onError = (message: string, error?: unknown) => parts.log.error(message, error);
  const dispatcher = createDispatcher(options.handlers, parts.clock, observers, onError);
  const facts = await factsOf(options, handlers);
  for (const handler of handlers.admissions) {
    assertHarmless(handler, "service" in facts.place ? facts.place.service.namespace : undefined);
  }
  const registrations: Registration[] = [];
  const source = await openCertificate(options, parts, facts, observers, (ca) =>
    registrations.every((one) => one.isPublished(ca)),
  );
  const served = source.current;
  const server = new WebhookServer(served, {
    dispatcher,
    host: options.host,
    port: options.port ?? defaultPort,
    clock: parts.clock,
    onError: (error) => onError("the webhook server failed", error),
  });
  try {
    await server.listen();
    const place = withPort(facts.place, server.port);
    const { injectCaFrom } = mountedOptions(options) ?? {};
    const registration = new Registration(
      handlers,
      { name: facts.name, place, injectCaFrom, ownUser: await ownUser(handlers, parts) },
      { ...parts, onError: (error) => onError("the webhooks could not be registered", error) },
    );
    registrations.push(registration);
    const { ca } = served;
    if (ca !== undefined) {
      const host = options.host ?? "127.0.0.1";
      await confirmHandshake({ host, port: server.port, ca, name: facts.hosts[0] ?? host });
    }
    await registration.publish(injectCaFrom === undefined ? ca : undefined);
    registration.follow();
    return new RunningWebhooks({
      source,
      served,
      server,
      registration,
      publishesCa: injectCaFrom === undefined,
      clock: parts.clock,
      onError,
      isEphemeral: options.ephemeral ?? false,
      times: {
        lameDuckMs: options.lameDuckMs ?? defaultLameDuckMs,
        drainMs: options.drainMs ?? defaultDrainMs,
      },
    });
  } catch (error) {
    await Promise.all(registrations.map((one) => one.close()));
    await server.close({ lameDuckMs: 0, drainMs: 0 });
    await source.close();
    throw error;
  }
}

interface Facts {
  readonly name: string;
  readonly namespace: string;
  readonly place: WebhookPlace;
  /** Names and addresses in the certificate, the one that API servers use first. */
  readonly hosts: readonly string[];
}

async function factsOf(options: WebhooksOptions, handlers: RegisteredHandlers): Promise<Facts> {
  const first = (handlers.conversions[0] ?? handlers.admissions[0])?.kind;
  const ofKind = first === undefined ? "webhooks" : `${first.plural}.${first.group || "core"}`;
  if (options.url !== undefined) {
    const namespace = options.namespace ?? (await podNamespace()) ?? "default";
    const { hostname } = new URL(options.url);
    const host = hostname.replace(/^\[|\]$/g, "");
    return { name: options.name ?? ofKind, namespace, place: { url: options.url }, hosts: [host] };
  }
  const given = typeof options.service === "string" ? { name: options.service } : options.service;
  const { name: service = "", port = 443 } = given ?? {};
  const namespace = given?.namespace ?? options.namespace ?? (await podNamespace());
  if (namespace === undefined) {
    throw new KubeError("InvalidArgument", "webhooks.namespace: must be set outside of a pod", {
      hint: "the namespace of the Service",
    });
  }
  return {
    name: options.name ?? service,
    namespace,
    place: { service: { name: service, namespace, port } },
    hosts: [
      `${service}.${namespace}.svc`,
      `${service}.${namespace}.svc.cluster.local`,
      `${service}.${namespace}`,
      service,
    ],
  };
}

function podNamespace(): Promise<string | undefined> {
  return serviceAccountNamespace().catch(() => undefined);
}

function mountedOptions({ certificates }: WebhooksOptions) {
  return typeof certificates === "object" ? certificates : undefined;
}

function openCertificate(
  options: WebhooksOptions,
  { client, clock, random, log }: WebhookParts,
  { name, namespace, hosts }: Facts,
  observers: readonly WebhookObserver[],
  isPublished: (ca: string) => boolean,
): Promise<CertificateSource> {
  const reports = {
    onRead: (ok: boolean) => {
      for (const { onCertificate } of observers) {
        onCertificate?.({ ok });
      }
    },
    onError: (error: Error) => log.error("the webhook's certificate has a problem", error),
  };
  const mounted = mountedOptions(options);
  return mounted !== undefined
    ? openMountedCertificate({ ...reports, directory: mounted.directory, clock })
    : openSelfMadeCertificate({
        ...reports,
        client,
        clock,
        random,
        name: options.secret ?? `${name}-certificates`,
        namespace,
        hosts,
        phaseMs: options.rotationPhaseMs ?? defaultPhaseMs,
        isPublished,
      });
}

/** Returns the place with the real port where the URL has port 0. */
function withPort(place: WebhookPlace, port: number): WebhookPlace {
  return "url" in place
    ? { url: place.url.replace(/^(https:\/\/[^/]+):0(?=\/|$)/, `$1:${port}`) }
    : place;
}

/** Returns our user name where it matters: for webhooks of built-in kinds. */
async function ownUser(
  { admissions }: RegisteredHandlers,
  { client }: WebhookParts,
): Promise<string | undefined> {
  if (!admissions.some(({ kind }) => isBuiltIn(kind.group))) {
    return undefined;
  }
  const { username = "" } = await client.whoAmI();
  return username.startsWith("system:serviceaccount:") ? username : undefined;
}
