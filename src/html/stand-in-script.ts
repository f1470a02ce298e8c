/**
 * Runs in a published page before its own scripts. Provides in memory the storage that the sandbox blocks, and removes itself
 * from the document. Behaves like the storage of browsers, including Web IDL's named properties, but fires no events. Does
 * nothing where storage works, as in a saved page that is opened from disk. It is ASCII, and so the same in every encoding.
 */
export const STAND_IN_SCRIPT = `<script>(() => {
document.currentScript.remove();
try { if (window.localStorage) return; } catch {}
const LIMIT = 5 * 1024 * 1024;
const areas = new WeakMap();
const areaOf = (storage) => {
  const area = areas.get(storage);
  if (area === undefined) throw new TypeError("Illegal invocation");
  return area;
};
const need = (count, given) => {
  if (given.length < count) throw new TypeError(count + " argument" + (count > 1 ? "s" : "") + " required, but only " + given.length + " present.");
};
const prototype = Storage.prototype;
const methods = {
  getItem(...given) { const { items } = areaOf(this); need(1, given); return items.get(\`\${given[0]}\`) ?? null; },
  setItem(...given) { const area = areaOf(this); need(2, given); put(area, \`\${given[0]}\`, \`\${given[1]}\`); },
  removeItem(...given) { const area = areaOf(this); need(1, given); drop(area, \`\${given[0]}\`); },
  clear() { const area = areaOf(this); area.items.clear(); area.used = 0; },
  key(...given) { const { items } = areaOf(this); need(1, given); return [...items.keys()][given[0] >>> 0] ?? null; },
};
const put = (area, key, value) => {
  const before = area.items.get(key);
  const used = area.used + (before === undefined ? key.length : -before.length) + value.length;
  if (used > LIMIT && used > area.used) throw new DOMException("Setting the value of '" + key + "' exceeded the quota.", "QuotaExceededError");
  area.items.set(key, value);
  area.used = used;
};
const drop = (area, key) => {
  const value = area.items.get(key);
  if (value === undefined) return;
  area.items.delete(key);
  area.used -= key.length + value.length;
};
for (const [name, value] of Object.entries(methods)) {
  Object.defineProperty(prototype, name, { value, writable: true, enumerable: true, configurable: true });
}
Object.defineProperty(prototype, "length", {
  get() { return areaOf(this).items.size; }, enumerable: true, configurable: true,
});
const create = () => {
  const area = { items: new Map(), used: 0 };
  const { items } = area;
  const shows = (target, key) => typeof key === "string" && items.has(key) && !(key in target);
  const storage = new Proxy(Object.create(prototype), {
    get: (target, key, receiver) => shows(target, key) ? items.get(key) : Reflect.get(target, key, receiver),
    has: (target, key) => shows(target, key) || Reflect.has(target, key),
    set(target, key, value) {
      if (typeof key === "symbol" || key in target) return Reflect.set(target, key, value);
      put(area, key, \`\${value}\`);
      return true;
    },
    deleteProperty(target, key) {
      if (!shows(target, key)) return Reflect.deleteProperty(target, key);
      drop(area, key);
      return true;
    },
    defineProperty(target, key, descriptor) {
      if (typeof key === "symbol" || key in target) return Reflect.defineProperty(target, key, descriptor);
      if (!("value" in descriptor)) return false;
      put(area, key, \`\${descriptor.value}\`);
      return true;
    },
    ownKeys: (target) => [...items.keys()].filter((key) => shows(target, key)).concat(Reflect.ownKeys(target)),
    getOwnPropertyDescriptor: (target, key) => shows(target, key)
      ? { value: items.get(key), writable: true, enumerable: true, configurable: true }
      : Reflect.getOwnPropertyDescriptor(target, key),
    preventExtensions: () => false,
  });
  areas.set(storage, area);
  return storage;
};
for (const name of ["localStorage", "sessionStorage"]) {
  const storage = create();
  Object.defineProperty(window, name, { get: () => storage, enumerable: true, configurable: true });
}
const NativeEvent = window.StorageEvent;
window.StorageEvent = class StorageEvent extends NativeEvent {
  constructor(type, init) {
    const area = init?.storageArea;
    if (!areas.has(area)) { super(type, init); return; }
    super(type, { ...init, storageArea: null });
    Object.defineProperty(this, "storageArea", { value: area, enumerable: true, configurable: true });
  }
};
const cookies = new Map();
const expiry = (attributes) => {
  for (const name of ["max-age", "expires"]) {
    const value = attributes.find(([key]) => key.trim().toLowerCase() === name)?.[1]?.trim();
    const time = name === "expires" ? Date.parse(value) : /^-?\\d+$/.test(value ?? "") ? Date.now() + value * 1000 : NaN;
    if (!Number.isNaN(time)) return time;
  }
  return Infinity;
};
Object.defineProperty(document, "cookie", {
  get() {
    const now = Date.now();
    for (const [name, { until }] of cookies) if (until <= now) cookies.delete(name);
    return [...cookies].map(([name, { value }]) => name === "" ? value : name + "=" + value).join("; ");
  },
  set(text) {
    const [pair, ...attributes] = \`\${text}\`.split(";").map((part) => part.split(/=(.*)/s));
    const [name, value] = pair.length > 1 ? [pair[0].trim(), pair[1].trim()] : ["", pair[0].trim()];
    if (name + value !== "") cookies.set(name, { value, until: expiry(attributes) });
  },
  enumerable: true,
  configurable: true,
});
})()</script>`;
