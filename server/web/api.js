// api.js - the service as the page sees it: requests, problems, tokens, event streams.

/** What went wrong: a problem document (RFC 9457), or no answer at all (status 0). */
export class Problem extends Error {
  constructor(status, document) {
    super(document.detail ?? document.title ?? `status ${status}`);
    Object.assign(this, { status, title: document.title, detail: document.detail, errors: document.errors ?? [], type: document.type });
  }
  /** The service wants another try later: it is away, starting, or full. */
  get passes() {
    return this.status === 0 || this.status === 429 || this.status === 503;
  }
}

// ---- connection ------------------------------------------------------------------------------

const listeners = new Set();
let reachable = true;

/** Calls back with true or false whenever the service is found or lost. */
export function onReachable(run) {
  listeners.add(run);
}

function setReachable(now) {
  if (now === reachable) return;
  reachable = now;
  for (const run of listeners) run(now);
}

// ---- tokens ----------------------------------------------------------------------------------

const KEY = "cyclosolve-token";
let token = sessionStorage.getItem(KEY) ?? "";
let asking = null;
let ask = async () => "";

/** Who asks the person for a token: a function of a reason that promises the token, "" to give up. */
export function setTokenPrompt(prompt) {
  ask = prompt;
}

export const hasToken = () => token !== "";

export function setToken(value) {
  token = value;
  if (value) sessionStorage.setItem(KEY, value);
  else sessionStorage.removeItem(KEY);
}

/** Many requests may be refused at once; the person is asked once. */
async function renewToken(reason) {
  asking ??= ask(reason).finally(() => { asking = null; });
  const value = await asking;
  if (value) setToken(value);
  return value !== "";
}

const authorization = () => (token ? { Authorization: `Bearer ${token}` } : {});

// ---- requests --------------------------------------------------------------------------------

async function send(method, path, body, { headers, signal } = {}) {
  try {
    const reply = await fetch(path, {
      method, signal, cache: "no-store", credentials: "omit",
      headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...authorization(), ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    setReachable(true);
    return reply;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    setReachable(false);
    throw new Problem(0, { title: "The service does not answer", detail: "It may be restarting; the page keeps trying." });
  }
}

async function problemOf(reply) {
  let document = {};
  try {
    document = await reply.json();
  } catch { /* not one of ours: a proxy's, say */ }
  return new Problem(reply.status, { title: `The service answered ${reply.status}`, ...document });
}

/** The reply, which is good. Asks for a token when one is wanted. */
export async function request(method, path, body, options = {}) {
  for (;;) {
    const used = token;
    const reply = await send(method, path, body, options);
    if (reply.ok) return reply;
    if (reply.status === 401 && (token !== used || await renewToken(used ? "The token was not accepted." : "")))
      continue;
    throw await problemOf(reply);
  }
}

export async function call(method, path, body, options) {
  const reply = await request(method, path, body, options);
  return reply.status === 204 ? null : reply.json();
}

export const get = (path, options) => call("GET", path, undefined, options);
export const post = (path, body, options) => call("POST", path, body, options);

// ---- event streams ---------------------------------------------------------------------------

export const EVENT_KINDS = ["snapshot", "state", "plan", "table", "depth", "progress", "solution", "incumbent", "draining", "done"];
const RETRY_MS = 1500;

/** Reads text/event-stream from a fetch, for when a token must be sent: EventSource sends none. */
async function readStream(path, lastId, signal, onEvent) {
  const reply = await request("GET", path, undefined, {
    signal, headers: { Accept: "text/event-stream", ...(lastId === "" ? {} : { "Last-Event-ID": lastId }) },
  });
  if (reply.status === 204) return;
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "", event = {};
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split(/\r\n|\r|\n/);
    rest = lines.pop();
    for (const line of lines) {
      if (line === "") {
        if (event.data !== undefined) onEvent(event.event ?? "message", event.data, event.id);
        event = {};
      } else if (!line.startsWith(":")) {
        const [, name, text] = /^([^:]*)(?:: ?(.*))?$/s.exec(line);
        event[name] = name === "data" && event.data !== undefined ? `${event.data}\n${text}` : text ?? "";
      }
    }
  }
}

/**
 * Follows the events of a job from the first on, through lost connections and restarts, until
 * `done` or close(). Calls onEvent(kind, data) and onLink("open" | "lost").
 */
export class JobStream {
  constructor(id, onEvent, onLink) {
    Object.assign(this, { id, onEvent, onLink, lastId: "0", closed: false, timer: 0 });
    this.connect();
  }

  connect() {
    if (this.closed) return;
    if (hasToken()) this.connectWithToken();
    else this.connectPlainly();
  }

  take(kind, text, id) {
    if (id) this.lastId = id;
    if (this.closed) return;
    if (kind === "done") this.close();
    this.onEvent(kind, JSON.parse(text));
  }

  connectPlainly() {
    const source = new EventSource(`/v1/jobs/${encodeURIComponent(this.id)}/events?after=${this.lastId}`);
    this.source = source;
    source.onopen = () => { setReachable(true); this.onLink("open"); };
    for (const kind of EVENT_KINDS)
      source.addEventListener(kind, (event) => this.take(kind, event.data, event.lastEventId));
    source.onerror = () => {
      this.onLink("lost");
      if (source.readyState === EventSource.CLOSED) this.retry(); // else the browser tries again
    };
  }

  async connectWithToken() {
    this.abort = new AbortController();
    try {
      this.onLink("open");
      await readStream(`/v1/jobs/${encodeURIComponent(this.id)}/events`, this.lastId, this.abort.signal,
        (kind, data, id) => this.take(kind, data, id));
    } catch (error) {
      if (error.name !== "AbortError") this.onLink("lost");
    }
    this.retry();
  }

  /** The stream is over, or was refused: the job tells whether there is more to come. */
  retry() {
    clearTimeout(this.timer);
    if (this.closed) return;
    this.timer = setTimeout(async () => {
      try {
        const job = await get(`/v1/jobs/${encodeURIComponent(this.id)}`);
        if (this.closed) return;
        if (job.ended) this.take("done", JSON.stringify(job));
        else this.connect();
      } catch (error) {
        if (error.status === 404) this.take("done", "null");
        else this.retry();
      }
    }, RETRY_MS);
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.source?.close();
    this.abort?.abort();
  }
}
