import { html, nothing } from "lit-html";
import { all, nextPath, request } from "./api.js";
import { choice, json, table, time } from "./parts.js";
import { attempt, changed } from "./state.js";

// Webhooks, and what was sent to them. docs/guides/webhooks.md#deliveries

/** @type {any[] | null} */
let known = null;
/** @type {any} */
let chosen = null;
let status = "";
/** @type {{ items: any[], next: string | null } | null} */
let deliveries = null;
/** Delivery → the event that it sends, or why it is not shown. @type {Map<string, unknown>} */
const payloads = new Map();
/** Time by which a delivery can be younger than its event, in milliseconds. */
const YOUNGER_MS_MAX = 60_000;
/** Most pages of the feed that are read for an event. */
const FEED_PAGES_MAX = 10;
/** Result of the last action, in words. */
let notice = "";

const STATUSES = [["", "all"], "pending", "succeeded", "failed", "cancelled"];

/** @param {any} webhook */
async function choose(webhook) {
  chosen = webhook;
  deliveries = null;
  changed();
  await refresh();
}

async function refresh() {
  await read(`/v1/webhooks/${chosen.id}/deliveries${status === "" ? "" : `?status=${status}`}`);
}

/** @param {string} path */
async function read(path) {
  const data = await request(path);
  deliveries = { items: data.items, next: nextPath(data) };
}

/** Looks for the event of a delivery in the feed, which has no address for one event. @param {any} delivery */
async function readPayload({ id, eventId, eventType, createdAt }) {
  if (payloads.has(id)) return;
  payloads.set(id, await eventOf(eventId, eventType, createdAt));
}

/** @param {string} eventId @param {string} type @param {string} createdAt of the delivery */
async function eventOf(eventId, type, createdAt) {
  if (type === "webhook.test") return "A test has no event in the feed.";
  const since = new Date(Date.parse(createdAt) - YOUNGER_MS_MAX).toISOString();
  let next = /** @type {string | null} */ (`/v1/events?limit=100&types=${type}&since=${since}`);
  for (let read = 0; next !== null && read < FEED_PAGES_MAX; read += 1) {
    const data = await request(next);
    const found = data.items.find((/** @type {{ id: string }} */ event) => event.id === eventId);
    // A delivery differs from the feed in its source alone. docs/guides/webhooks.md#what-arrives
    if (found) return { ...found, source: found.source.replace(/\/events$/, `/webhooks/${chosen.id}`) };
    next = nextPath(data);
  }
  return "The feed no longer has this event.";
}

/** @param {any} delivery */
async function replay({ id }) {
  await request(`/v1/webhooks/${chosen.id}/deliveries/${id}/replay`, { method: "POST", body: {} });
  notice = "It is sent again. Refresh in a moment to see the result.";
  await refresh();
}

async function sendTest() {
  await request(`/v1/webhooks/${chosen.id}/test`, { method: "POST", body: {} });
  notice = "A test is sent. Refresh in a moment to see the result.";
  await refresh();
}

export const webhooks = {
  title: "Webhooks",
  async open() {
    known = await all("/v1/webhooks");
    notice = "";
    const [first] = known;
    if (first) await choose(known.find(({ id }) => id === chosen?.id) ?? first);
  },
  view() {
    if (!known) return html`<p class="soft">Loading…</p>`;
    if (known.length === 0)
      return html`<p>You have no webhook. <a href="/docs/guides/webhooks">How to create a webhook</a></p>`;
    return html`<ul class="cards">${known.map(card)}</ul>${chosen ? shown(chosen) : nothing}`;
  },
};

/** @param {any} webhook */
function card(webhook) {
  const { id, name, status: state } = webhook;
  return html`<li><button aria-pressed=${id === chosen?.id ? "true" : "false"} @click=${() => attempt(() => choose(webhook))}>
    ${name} <span class="soft">${state}</span></button></li>`;
}

/** @param {any} webhook */
function shown(webhook) {
  return html`<h2>${webhook.name}</h2>
    <p><code>${webhook.targetUrl}</code></p>
    ${json("Settings", webhook, webhook.id)}
    <h3>Deliveries</h3>
    <div class="buttons">
      ${choice("Status", /** @type {any} */ (STATUSES), status, (value) => {
        status = value;
        void attempt(refresh);
      })}
      <button @click=${() => attempt(refresh)}>Refresh</button>
      <button @click=${() => attempt(sendTest)}>Send a test</button>
    </div>
    <p role="status">${notice}</p>
    ${deliveries ? list(deliveries) : html`<p class="soft">Loading…</p>`}`;
}

/** @param {{ items: any[], next: string | null }} found */
function list({ items, next }) {
  const rows = items.map((delivery) => {
    const last = delivery.attempts.at(-1);
    return [
      time(delivery.createdAt),
      delivery.eventType,
      html`<span class="status ${delivery.status}">${delivery.status}</span>`,
      html`${delivery.attempts.length}${last ? html`: ${last.responseStatus ?? last.error}` : nothing}`,
      html`${json("Attempts", delivery, delivery.id)}
        ${json("Payload", payloads.get(delivery.id) ?? "Searching the feed…", `payload of ${delivery.id}`, () => void attempt(() => readPayload(delivery)))}`,
      html`<button @click=${() => attempt(() => replay(delivery))} aria-label="Send again: ${delivery.eventType}">Send again</button>`,
    ];
  });
  return html`${table("Deliveries", ["Created", "Event", "Status", "Attempts", "Details", "Replay"], rows, "No deliveries yet.")}
    ${next ? html`<button @click=${() => attempt(() => read(next))}>Next page</button>` : nothing}`;
}
