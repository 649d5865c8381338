import { createParser } from "eventsource-parser";
import { html } from "lit-html";
import { recordLink } from "./address.js";
import { send } from "./api.js";
import { choice, json, table, time } from "./parts.js";
import { attempt, changed, state } from "./state.js";
import vocabulary from "./vocabulary.js";

// Events as they happen. The stream of browsers (EventSource) cannot send a key, so it is read here.
// docs/guides/event-feed.md#the-stream

const SHOWN_MAX = 200;
/** Wait before a stream that ended is opened again, in milliseconds. */
const AGAIN_MS = 2000;

const HOUR_MS = 3_600_000;
/** Choices of `sinceMs`. The feed keeps events for 30 days. @type {[value: string, text: string][]} */
const SINCE = [
  ["0", "now"],
  [String(HOUR_MS), "an hour ago"],
  [String(24 * HOUR_MS), "a day ago"],
  [String(30 * 24 * HOUR_MS), "30 days ago"],
];

/** @type {any[]} */
let seen = [];
/** @type {"closed" | "connecting" | "open"} */
let connection = "closed";
let type = "";
/** Time before now from which on events are shown, in milliseconds. */
let sinceMs = 24 * HOUR_MS;
/** @type {string | undefined} */
let lastId;
/** @type {AbortController | null} */
let running = null;

const WORDS = { closed: "Paused.", connecting: "Connecting…", open: "Waiting for events." };

/**
 * Reads events until the signal stops it, and goes on where it was when the connection breaks. @param {AbortSignal}
 * signal
 */
async function listen(signal) {
  while (!signal.aborted) {
    connection = "connecting";
    changed();
    try {
      await readStream(signal);
    } catch (error) {
      if (signal.aborted) return;
      // A refusal would come again: too many streams, or a key that is no longer valid.
      if (/** @type {any} */ (error).status) {
        pause();
        throw error;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/** @param {AbortSignal} signal */
async function readStream(signal) {
  const query = new URLSearchParams({
    ...(type !== "" && { types: type }),
    ...(lastId === undefined && sinceMs > 0 && { since: new Date(Date.now() - sinceMs).toISOString() }),
  });
  const answer = await send(`/v1/events?${query}`, {
    accept: "text/event-stream",
    headers: lastId === undefined ? {} : { "Last-Event-ID": lastId },
    signal,
  });
  connection = "open";
  changed();
  const parser = createParser({ onEvent: ({ id, data }) => take(id, data) });
  const texts = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (answer.body).pipeThrough(
    new TextDecoderStream(),
  );
  for await (const text of /** @type {AsyncIterable<string>} */ (/** @type {unknown} */ (texts))) parser.feed(text);
}

/** @param {string | undefined} id @param {string} data */
function take(id, data) {
  lastId = id ?? lastId;
  seen = [JSON.parse(data), ...seen].slice(0, SHOWN_MAX);
  changed();
}

function start() {
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  void attempt(() => listen(signal));
}

function pause() {
  running?.abort();
  running = null;
  connection = "closed";
  changed();
}

export const events = {
  title: "Events",
  async open() {
    start();
  },
  close: pause,
  view() {
    return html`<p>Changes in the workspace that ${state.user?.fullName} can see, newest first.</p>
      <div class="buttons">
        ${choice("Type", [["", "all"], ...vocabulary.eventTypes], type, (value) => {
          type = value;
          start();
        })}
        ${choice("Since", SINCE, String(sinceMs), (value) => {
          sinceMs = Number(value);
          lastId = undefined;
          seen = [];
          start();
        })}
        ${connection === "closed" ? html`<button @click=${start}>Resume</button>` : html`<button @click=${pause}>Pause</button>`}
        <span role="status"><span class="dot ${connection}" aria-hidden="true"></span>${WORDS[connection]}</span>
      </div>
      ${table("Events", ["When", "Type", "Record", "Payload"], seen.map(row), "No events yet.")}`;
  },
};

/** Events of records that have a page. */
const OF_RECORD = /^(person|company|object)\.(?!deleted)/;

/** @param {any} event */
function row(event) {
  const { createdAt, type: name, data, id } = event;
  const record = html`<code>${data?.id}</code>`;
  const isLink = OF_RECORD.test(name) && data?.url;
  return [
    time(createdAt),
    name,
    isLink ? html`<a class="id" href=${recordLink(new URL(data.url).pathname)}>${record}</a>` : record,
    json("Payload", event, id),
  ];
}
