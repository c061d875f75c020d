import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from "@typekube/api/admissionregistration/v1";
import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import type { AnyAdmissionHandler } from "../admission/run-admission.js";
import type { ConversionHandler } from "../conversion/conversion.js";
import {
  type ConfigurationContext,
  conversionStrategy,
  injectionAnnotations,
  mutatingConfiguration,
  validatingConfiguration,
} from "./configurations.js";
import { RegisteredObject, type RegisteredSettings } from "./registered-object.js";

/** The handlers to register, by type. */
export interface RegisteredHandlers {
  readonly admissions: readonly AnyAdmissionHandler[];
  readonly conversions: readonly ConversionHandler[];
}

interface Part {
  readonly object: RegisteredObject;
  readonly isConfiguration: boolean;
  readonly wanted: (context: ConfigurationContext) => KubeObject;
}

/** Registers webhooks: their configurations, and the conversion of their definitions. */
export class Registration {
  readonly #context: Omit<ConfigurationContext, "ca">;
  readonly #parts: readonly Part[];
  #ca: string | undefined;

  constructor(
    { admissions, conversions }: RegisteredHandlers,
    context: Omit<ConfigurationContext, "ca">,
    settings: RegisteredSettings,
  ) {
    this.#context = context;
    const part = (
      kind: ResourceDescriptor,
      name: string,
      wanted: Part["wanted"],
      isConfiguration = true,
    ): Part => {
      const object = new RegisteredObject(kind, name, !isConfiguration, settings);
      return { object, isConfiguration, wanted };
    };
    const { name } = context;
    const configurations = [
      ...(admissions.some(({ mutators }) => mutators.length > 0)
        ? [
            part(MutatingWebhookConfiguration, name, (now) =>
              mutatingConfiguration(admissions, now),
            ),
          ]
        : []),
      ...(admissions.some(({ validators }) => validators.length > 0)
        ? [
            part(ValidatingWebhookConfiguration, name, (now) =>
              validatingConfiguration(admissions, now),
            ),
          ]
        : []),
    ];
    const definitions = conversions.map(({ kind }) => {
      const definition = `${kind.plural}.${kind.group}`;
      const wanted = (now: ConfigurationContext) =>
        ({
          metadata: { name: definition, ...injectionAnnotations(now) },
          spec: { conversion: conversionStrategy(now) },
        }) as KubeObject;
      return part(CustomResourceDefinition, definition, wanted, false);
    });
    // Conversion comes first: a definition without it cannot be read.
    this.#parts = [...definitions, ...configurations];
  }

  /** Returns `true` when the server has the given certificates everywhere. */
  isPublished(ca: string | undefined): boolean {
    return this.#ca === ca && this.#parts.every(({ object }) => object.isApplied);
  }

  /** Sets all fields that we own, with these certificates to trust. */
  async publish(ca: string | undefined): Promise<void> {
    this.#ca = ca;
    for (const { object, wanted } of this.#parts) {
      await object.apply(wanted({ ...this.#context, ca }));
    }
  }

  /** Restores the fields from now on. */
  follow(): void {
    for (const { object } of this.#parts) {
      object.follow();
    }
  }

  /** Deletes the configurations. Definitions keep their conversion: their objects could not be read without it. */
  async unregister(): Promise<void> {
    const configurations = this.#parts.filter(({ isConfiguration }) => isConfiguration);
    await Promise.all(configurations.map(({ object }) => object.delete()));
  }

  async close(): Promise<void> {
    await Promise.all(this.#parts.map(({ object }) => object.close()));
  }
}
