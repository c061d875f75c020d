import type { ClientCore } from "@typekube/client";
import { KubeError } from "@typekube/core";
import { assertOptions, type Clock, type Random } from "@typekube/core/internal";
import type { Log } from "../log/log.js";
import type { CertificateSource } from "./certificates/certificate-source.js";
import { openMountedCertificate } from "./certificates/mounted-certificate.js";
import { openSelfMadeCertificate } from "./certificates/self-made-certificate.js";
import { createDispatcher, sortHandlers } from "./endpoint/create-webhook.js";
import type { WebhookDispatcher } from "./endpoint/webhook.js";
import type { WebhookObserver } from "./endpoint/webhook-observer.js";
import { assertHarmless } from "./registration/assert-harmless.js";
import { type RegisteredHandlers, Registration } from "./registration/registration.js";
import { RunningWebhooks } from "./running-webhooks.js";
import { confirmHandshake } from "./server/confirm-handshake.js";
import { WebhookServer } from "./server/webhook-server.js";
import { ownUser, type WebhookFacts, webhookFacts, withPort } from "./webhook-facts.js";
import { secretName } from "./webhook-names.js";
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
  const facts = await webhookFacts(options, handlers);
  for (const handler of handlers.admissions) {
    assertHarmless(handler, "service" in facts.place ? facts.place.service.namespace : undefined);
  }
  /** Closes what has started, last first, when the rest fails. */
  const undo: (() => Promise<void>)[] = [];
  try {
    return await start({ options, parts, handlers, observers, dispatcher, facts, onError }, undo);
  } catch (error) {
    for (const close of undo.reverse()) {
      await close();
    }
    throw error;
  }
}

/** Everything that a start needs, checked. */
interface Setup {
  readonly options: WebhooksOptions;
  readonly parts: WebhookParts;
  readonly handlers: RegisteredHandlers;
  readonly observers: readonly WebhookObserver[];
  readonly dispatcher: WebhookDispatcher;
  readonly facts: WebhookFacts;
  readonly onError: (message: string, error?: unknown) => void;
}

async function start(setup: Setup, undo: (() => Promise<void>)[]): Promise<RunningWebhooks> {
  const { options, parts, handlers, dispatcher, facts, onError } = setup;
  const { clock } = parts;
  const { injectCaFrom } = mountedOptions(options) ?? {};
  let registration: Registration | undefined;
  // Before the registration, nothing relies on a bundle.
  const source = await openCertificate(setup, (ca) => registration?.isPublished(ca) ?? true);
  undo.push(() => source.close());
  const served = source.current;
  const server = new WebhookServer(served, {
    dispatcher,
    host: options.host,
    port: options.port ?? defaultPort,
    clock,
    onError: (error) => onError("the webhook server failed", error),
  });
  await server.listen();
  undo.push(() => server.close({ lameDuckMs: 0, drainMs: 0 }));
  const { name, hosts } = facts;
  const place = withPort(facts.place, server.port);
  const own = new Registration(
    handlers,
    { name, place, injectCaFrom, ownUser: await ownUser(handlers, parts.client) },
    { ...parts, onError: (error) => onError("the webhooks could not be registered", error) },
  );
  registration = own;
  undo.push(() => own.close());
  const { ca } = served;
  if (ca !== undefined) {
    const host = options.host ?? "127.0.0.1";
    await confirmHandshake({ host, port: server.port, ca, name: hosts[0] ?? host });
  }
  await own.publish(injectCaFrom === undefined ? ca : undefined);
  own.follow();
  return new RunningWebhooks({
    source,
    served,
    server,
    registration: own,
    publishesCa: injectCaFrom === undefined,
    clock,
    onError,
    isEphemeral: options.ephemeral ?? false,
    times: {
      lameDuckMs: options.lameDuckMs ?? defaultLameDuckMs,
      drainMs: options.drainMs ?? defaultDrainMs,
    },
  });
}

function mountedOptions({ certificates }: WebhooksOptions) {
  return typeof certificates === "object" ? certificates : undefined;
}

function openCertificate(
  { options, parts: { client, clock, random, log }, facts, observers }: Setup,
  isPublished: (ca: string) => boolean,
): Promise<CertificateSource> {
  const { name, namespace, hosts } = facts;
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
        name: secretName(options, name),
        namespace,
        hosts,
        phaseMs: options.rotationPhaseMs ?? defaultPhaseMs,
        isPublished,
      });
}
