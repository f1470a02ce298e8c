import * as capabilities from "./capabilities.ts";

type Capabilities = typeof capabilities;

/** The services of every capability, by its name. */
export type Services = { readonly [Name in keyof Capabilities]: ReturnType<Capabilities[Name]["createService"]> };

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The dependencies of all capabilities, except each other. */
export type Dependencies = Omit<
  Intersection<Parameters<Capabilities[keyof Capabilities]["createService"]>[0]>,
  keyof Capabilities
>;

/** Doesn't compile if a capability has a dependency that neither `Dependencies` nor `Services` provides. */
const list: Readonly<
  Record<keyof Capabilities, { readonly createService: (known: Dependencies & Services) => object }>
> = capabilities;

/** Returns the services. Each is created on first use and gets the others among its dependencies. */
export function createServices(dependencies: Dependencies): Services {
  const services = {};
  // The getters below complete it.
  const known = { ...dependencies } as Dependencies & Services;
  for (const [name, { createService }] of Object.entries(list)) {
    let service: object | undefined;
    const get = () => {
      service ??= createService(known);
      return service;
    };
    Object.defineProperty(known, name, { get });
    Object.defineProperty(services, name, { get, enumerable: true });
  }
  return services as Services;
}
