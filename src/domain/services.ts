import * as capabilities from "./capabilities.ts";

type Capabilities = typeof capabilities;

/** The rules of every capability. */
export type Services = { readonly [Name in keyof Capabilities]: ReturnType<Capabilities[Name]["createService"]> };

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** What the capabilities ask of the outside, and not of each other. */
export type Dependencies = Omit<
  Intersection<Parameters<Capabilities[keyof Capabilities]["createService"]>[0]>,
  keyof Capabilities
>;

/** Fails to compile where a capability asks for what nobody has. */
const list: Readonly<
  Record<keyof Capabilities, { readonly createService: (known: Dependencies & Services) => object }>
> = capabilities;

/** Returns the services. Each finds the others among its dependencies, and is created when it is first asked for. */
export function createServices(dependencies: Dependencies): Services {
  const services = {};
  // The getters below make it one.
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
