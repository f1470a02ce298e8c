/** Attacks by pages of other people; each is the source of a function that runs in the page. */

/** Reads everything that a browser stores; each attempt returns a value or the name of an error. */
export const PROBE_STORAGE = `async () => {
  const attempts = {
    origin: () => origin,
    referrer: () => document.referrer,
    cookie: () => document.cookie,
    setCookie: () => { document.cookie = "vitrine_session=x; path=/" },
    tossCookie: () => { document.cookie = "vitrine_session=x; path=/; domain=vitrine.test" },
    cookieStore: async () => void await cookieStore.set("vitrine_session", "x"),
    localStorage: () => localStorage.length,
    sessionStorage: () => sessionStorage.length,
    indexedDB: () => void indexedDB.open("x"),
    caches: async () => void await caches.keys(),
    serviceWorker: async () => void await navigator.serviceWorker.register("worker.js"),
    locks: async () => void await navigator.locks.query(),
    files: async () => void await navigator.storage.getDirectory(),
    domain: () => { document.domain = "vitrine.test" },
    ...(self !== top && { parent: () => parent.document.title, top: () => top.location.href }),
  };
  const outcomes = {};
  for (const [name, attempt] of Object.entries(attempts)) {
    outcomes[name] = await Promise.try(attempt).then(String, (error) => error.name);
  }
  return outcomes;
}`;

/** A request that changes something of another person's. */
export interface Call {
  url: string;
  /** As JSON text. */
  body: string;
}

/** Sends every call in every way a script can; resolves to the ways that returned something readable. */
export const SEND_CALLS = `async (calls) => {
  const readable = [];
  const credentials = "include";
  const xhr = (url, body, type) => new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    request.withCredentials = true;
    request.setRequestHeader("Content-Type", type);
    request.onload = () => resolve(request);
    request.onerror = () => reject(new TypeError("refused"));
    request.send(body);
  });
  const ways = {
    "fetch of JSON": (url, body) => fetch(url, { method: "POST", credentials, headers: { "Content-Type": "application/json" }, body }),
    "fetch of text": (url, body) => fetch(url, { method: "POST", credentials, body }),
    "fetch with a token": (url, body) => fetch(url, { method: "POST", credentials, headers: { Authorization: "Bearer x" }, body }),
    "blind fetch of text": (url, body) => fetch(url, { method: "POST", mode: "no-cors", credentials, keepalive: true, body }),
    "blind fetch of a form": (url, body) => fetch(url, { method: "POST", mode: "no-cors", credentials, body: new URLSearchParams(JSON.parse(body)) }),
    "blind fetch of bytes": (url, body) => fetch(url, { method: "POST", mode: "no-cors", credentials, body: new TextEncoder().encode(body) }),
    "fetch by GET": (url) => fetch(url, { credentials }),
    "blind fetch by GET": (url) => fetch(url, { mode: "no-cors", credentials }),
    "XHR of JSON": (url, body) => xhr(url, body, "application/json"),
    "XHR of text": (url, body) => xhr(url, body, "text/plain"),
    "beacon of text": (url, body) => void navigator.sendBeacon(url, body),
    "beacon of JSON": (url, body) => void navigator.sendBeacon(url, new Blob([body], { type: "application/json" })),
  };
  for (const { url, body } of calls) {
    for (const [name, way] of Object.entries(ways)) {
      const answer = await Promise.try(() => way(url, body)).catch(() => undefined);
      if (answer !== undefined && answer.type !== "opaque") readable.push([name, url, answer.status]);
    }
  }
  return readable;
}`;

/** Sends every call by two forms, one into a frame of this page and one into a tab. The text is the call's JSON. */
export const SEND_FORMS = `(calls) => {
  for (const { url, body } of calls) {
    for (const target of ["inside", "_blank"]) {
      const form = Object.assign(document.createElement("form"), { method: "post", action: url, enctype: "text/plain", target });
      // The characters that browsers insert between name and value become part of an ignored value.
      const name = body.slice(0, -1) + (body === "{}" ? "" : ",") + '"x":"';
      form.append(Object.assign(document.createElement("input"), { name, value: '"}' }));
      document.body.append(form);
      form.submit();
    }
  }
}`;

/** Opens sockets; resolves to the addresses of those that opened. */
export const OPEN_SOCKETS = `async (urls) => {
  const open = (url) => new Promise((resolve) => {
    const socket = new WebSocket(url);
    socket.onopen = () => resolve(true);
    socket.onerror = () => resolve(false);
  });
  const opened = await Promise.all(urls.map(open));
  return urls.filter((_, place) => opened[place]);
}`;

/** Opens addresses in tabs, which remain reachable as `tabs` if browsers allow it. */
export const OPEN_TABS = "(urls) => { globalThis.tabs = urls.map((url) => open(url)) }";

/** Returns what can be learned about each tab; null if it can't be reached. */
export const PROBE_TABS = `() => tabs.map((tab) => {
  if (tab === null || tab.closed) return null;
  const attempts = {
    address: () => tab.location.href,
    document: () => tab.document.body.innerHTML,
    storage: () => tab.localStorage.length,
    variables: () => tab.anything,
    frame: () => tab.length > 0 && tab[0].location.href,
  };
  const seen = {};
  for (const [name, attempt] of Object.entries(attempts)) {
    try { seen[name] = attempt(); } catch (error) { seen[name] = error.name; }
  }
  return seen;
})`;

/** Puts each address into every kind of element that shows a page. */
export const FRAME_ALL = `(urls) => {
  for (const url of urls) {
    for (const [kind, attribute] of Object.entries({ iframe: "src", embed: "src", object: "data" })) {
      const element = document.createElement(kind);
      element.setAttribute(attribute, url);
      document.body.append(element);
    }
  }
}`;

/** Tries to read addresses from a script; resolves to statuses, or to the names of errors. */
export const FETCH_STATUSES = `({ urls, cache }) => Promise.all(
  urls.map((url) => fetch(url, { cache }).then(({ status }) => status, ({ name }) => name))
)`;

/** Tries to navigate the whole tab. */
export const LEAVE = `(url) => {
  const click = (attributes) => {
    const link = Object.assign(document.createElement("a"), attributes);
    document.body.append(link);
    link.click();
  };
  const attempts = [
    () => { top.location = url },
    () => top.location.replace(url),
    () => { parent.location.href = url },
    () => open(url, "_top"),
    () => click({ href: url, target: "_top" }),
    () => click({ href: url, target: "_parent" }),
    () => click({ href: "javascript:document.title='Owned'", target: "_top" }),
    () => top.close(),
  ];
  for (const attempt of attempts) {
    try { attempt() } catch {}
  }
}`;

/** Sends the surrounding page messages that its own server or code might send. */
export const TALK = `(url) => {
  const words = [
    { type: "gone" }, '{"type":"gone"}', { type: "version", src: url, code: "x", title: "Owned" },
    { type: "hello", src: url }, { title: "Owned" }, { href: url }, { location: url }, "sign-out", url,
  ];
  for (const each of words) {
    parent.postMessage(each, "*");
    top.postMessage(each, "*", [new MessageChannel().port1]);
  }
}`;

/** Reads everything around a framed report that could tell the address of the page that frames it. */
export const PROBE_SURROUNDINGS = `async () => {
  const heard = [];
  addEventListener("message", ({ data }) => heard.push(JSON.stringify(data)));
  for (const target of [parent, top]) for (const data of ["", "location", { type: "hello" }, { vitrine: "bridge" }]) target.postMessage(data, "*");
  const attempts = {
    location: () => location.href,
    base: () => document.baseURI,
    referrer: () => document.referrer,
    name: () => window.name,
    ancestors: () => [...(location.ancestorOrigins ?? [])].join(),
    entries: () => performance.getEntries().map(({ name }) => name).join(),
    parent: () => parent.location.href,
    top: () => top.location.href,
    frame: () => String(frameElement),
    opener: () => String(opener),
    siblings: () => Array.from({ length: parent.length }, (_, n) => { try { return parent[n].location.href } catch { return "" } }).join(),
    fetched: () => fetch("a.svg").then((response) => response.url),
    failed: () => new Promise((resolve) => { onerror = (...all) => resolve(all.join()); setTimeout(() => { throw new Error("x") }) }),
  };
  const outcomes = {};
  for (const [name, attempt] of Object.entries(attempts)) {
    outcomes[name] = await Promise.try(attempt).then(String, (error) => error.name);
  }
  return { ...outcomes, heard: heard.join() };
}`;

/** Reads what a page can of the frame in it and of the frame in that. */
export const PROBE_FRAMES = `async () => {
  const frame = document.querySelector("iframe");
  const heard = [];
  addEventListener("message", ({ data }) => heard.push(JSON.stringify(data)));
  for (const data of ["", { type: "hello" }]) { frame.contentWindow.postMessage(data, "*"); frames[0][0].postMessage(data, "*"); }
  const attempts = {
    contentDocument: () => frame.contentDocument,
    title: () => frames[0].document.title,
    location: () => frames[0].location.href,
    inner: () => frames[0][0].location.href,
  };
  const outcomes = {};
  for (const [name, attempt] of Object.entries(attempts)) {
    outcomes[name] = await Promise.try(attempt).then(String, (error) => error.name);
  }
  return { ...outcomes, heard: heard.join() };
}`;

/** Tries everything that could open a guest link from another origin; resolves to what came of each way. */
export const OPEN_GUEST_LINK = `async ({ url, guesses }) => {
  const JSON_TYPE = { "Content-Type": "application/json" };
  const told = (response) => response.text().then((text) => response.status + " " + text.slice(0, 100));
  const send = (body, headers) => fetch(url + "~open", { method: "POST", credentials: "include", headers, body }).then(told);
  const ways = {
    "page": () => fetch(url).then(told),
    "current version": () => fetch(url + "~current").then(told),
    "card": () => fetch(url + "~card.png").then(told),
    "form": () => send("{}", { "Content-Type": "text/plain" }),
    "socket": () => new Promise((resolve, reject) => {
      const socket = new WebSocket(url.replace(/^http/, "ws") + "~socket");
      socket.onmessage = ({ data }) => resolve(data);
      socket.onclose = () => reject(new TypeError("closed"));
    }),
    ...Object.fromEntries(guesses.map((password) => [password, () => send(JSON.stringify({ password }), JSON_TYPE)])),
  };
  const outcomes = {};
  for (const [name, attempt] of Object.entries(ways)) {
    outcomes[name] = await Promise.try(attempt).then(String, (error) => error.name);
  }
  return outcomes;
}`;
