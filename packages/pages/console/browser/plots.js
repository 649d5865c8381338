import uPlot from "uplot";

// Plots of requests over time.

/** @typedef {import("./requests.js").LoggedRequest} LoggedRequest */
/**
 * @typedef {{ id: string, title: string, lines: { label: string, color: string, of(bucket: LoggedRequest[], seconds:
 * number): number | null }[], unit: string, text(values: (number | null)[][]): string }} Plot
 */

/**
 * Widths of the slices of time, in seconds: the first of which sixty cover everything. None is shorter than a minute,
 * or the rate per minute would be a multiple of what was counted.
 */
const WIDTHS = [60, 300, 900, 3600, 6 * 3600, 24 * 3600];
const SLICES = 60;
/** Fewer would be a single point. */
const SLICES_MIN = 15;

/** @param {(number | null)[]} values */
const most = (values) => values.reduce((/** @type {number} */ max, value) => Math.max(max, value ?? 0), 0);
/** @param {number} value */
const short = (value) => (value < 10 ? Math.round(value * 10) / 10 : Math.round(value)).toLocaleString();
/** @param {(number | null)[]} values */
const present = (values) => values.filter((value) => value !== null);
/** @param {LoggedRequest} one */
const failed = ({ status, errorCode }) => status >= 400 || errorCode !== null;

/** @param {LoggedRequest[]} bucket @param {number} seconds */
const perMinute = (bucket, seconds) => (bucket.length * 60) / seconds;

/** @type {Plot[]} */
export const PLOTS = [
  {
    id: "plot-rate",
    title: "Requests per minute",
    unit: "",
    lines: [{ label: "requests", color: "--accent", of: (bucket, seconds) => perMinute(bucket, seconds) }],
    text: ([rate = []]) => `At most ${short(most(rate))} per minute.`,
  },
  {
    id: "plot-latency",
    title: "Time until the answer",
    unit: " ms",
    lines: [
      { label: "half of them", color: "--accent", of: (bucket) => quantile(bucket, 0.5) },
      { label: "all but one in 20", color: "--warn", of: (bucket) => quantile(bucket, 0.95) },
    ],
    text: ([half = [], most20 = []]) =>
      `Half within ${short(most(half))} ms, 95 of 100 within ${short(most(most20))} ms, at the slowest moment.`,
  },
  {
    id: "plot-errors",
    title: "Errors per minute",
    unit: "",
    lines: [
      {
        label: "refused (4xx)",
        color: "--warn",
        of: (bucket, seconds) =>
          perMinute(
            bucket.filter((one) => failed(one) && one.status < 500),
            seconds,
          ),
      },
      {
        label: "failed (5xx)",
        color: "--bad",
        of: (bucket, seconds) =>
          perMinute(
            bucket.filter(({ status }) => status >= 500),
            seconds,
          ),
      },
    ],
    text: ([refused = [], broken = []]) =>
      `At most ${short(most(refused))} refused and ${short(most(broken))} failed per minute.`,
  },
  {
    id: "plot-headroom",
    title: "Requests left of the limit",
    unit: "",
    lines: [{ label: "left", color: "--good", of: leastLeft }],
    text: ([left = []]) =>
      present(left).length === 0
        ? "This server has no limits, or no request has met them yet."
        : `At least ${short(Math.min(.../** @type {number[]} */ (present(left))))} left.`,
  },
];

/** @param {LoggedRequest[]} bucket @param {number} share */
function quantile(bucket, share) {
  if (bucket.length === 0) return null;
  const sorted = bucket.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null;
}

/** @param {LoggedRequest[]} bucket */
function leastLeft(bucket) {
  const left = bucket.flatMap(({ rateLimitRemaining }) => rateLimitRemaining ?? []);
  return left.length === 0 ? null : Math.min(...left);
}

/** @type {Map<string, { at: Element, plot: uPlot }>} */
const drawn = new Map();

/** Draws all plots into their places, which are in the page. @param {LoggedRequest[]} requests */
export function drawPlots(requests) {
  const slices = sliced(requests);
  for (const { id, lines, unit, text } of PLOTS) {
    const at = document.getElementById(id);
    const words = document.getElementById(`${id}-text`);
    if (!at || !words) continue;
    const values = lines.map(({ of }) => slices.buckets.map((bucket) => of(bucket, slices.seconds)));
    words.textContent = requests.length === 0 ? "No requests yet." : text(values);
    const data = /** @type {uPlot.AlignedData} */ (/** @type {unknown} */ ([slices.times, ...values]));
    const before = drawn.get(id);
    if (before?.at === at) before.plot.setData(data);
    else drawn.set(id, { at, plot: made(at, lines, unit, data) });
  }
}

addEventListener("resize", () => {
  for (const { at, plot } of drawn.values()) if (at.isConnected) plot.setSize(sizeOf(at));
});

/** @param {Element} at */
function sizeOf(at) {
  return { width: Math.max(200, at.clientWidth), height: 180 };
}

/** @param {HTMLElement} at @param {Plot["lines"]} lines @param {string} unit @param {uPlot.AlignedData} data */
function made(at, lines, unit, data) {
  at.replaceChildren();
  // The canvas knows no custom properties, and light-dark() is worked out only where it is used.
  const color = (/** @type {string} */ name) => {
    at.style.color = `var(${name})`;
    return getComputedStyle(at).color;
  };
  const [text, line] = [color("--soft"), color("--line")];
  const clock = (/** @type {number} */ at) => new Date(at * 1000).toLocaleTimeString(undefined, { timeStyle: "short" });
  const axis = {
    stroke: text,
    grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1 },
    // uPlot joins this with others, and a list of families would end its own.
    font: `12px ${getComputedStyle(document.body).fontFamily || "sans-serif"}`,
  };
  const series = lines.map(({ label, color: name }) => ({
    label,
    stroke: color(name),
    width: 2,
    points: { size: 5 },
    value: (/** @type {uPlot} */ _, /** @type {number | null} */ value) =>
      value === null ? "–" : `${short(value)}${unit}`,
  }));
  const options = {
    ...sizeOf(at),
    cursor: { y: false },
    scales: {
      y: {
        range: (/** @type {uPlot} */ _, /** @type {number} */ __, /** @type {number} */ max) =>
          /** @type {[number, number]} */ ([0, Math.max(1, max * 1.1)]),
      },
    },
    axes: [
      // No finer than the slices, so that no time comes twice.
      {
        ...axis,
        space: 70,
        incrs: WIDTHS,
        values: (/** @type {uPlot} */ _, /** @type {number[]} */ ticks) => ticks.map(clock),
      },
      {
        ...axis,
        size: 56,
        values: (/** @type {uPlot} */ _, /** @type {number[]} */ ticks) => ticks.map((tick) => `${short(tick)}${unit}`),
      },
    ],
    series: [
      {
        label: "at",
        value: (/** @type {uPlot} */ _, /** @type {number | null} */ at) => (at === null ? "–" : clock(at)),
      },
      ...series,
    ],
  };
  return new uPlot(options, data, at);
}

/**
 * The requests by slices of time, the oldest first.
 * @param {LoggedRequest[]} requests
 */
function sliced(requests) {
  const times = requests.map(({ createdAt }) => Date.parse(createdAt) / 1000);
  const [first, last] = times.length === 0 ? [0, 0] : [Math.min(...times), Math.max(...times)];
  const seconds = WIDTHS.find((width) => (last - first) / width <= SLICES) ?? 24 * 3600;
  const end = Math.floor(last / seconds);
  const start = Math.min(Math.floor(first / seconds), end - SLICES_MIN);
  const count = Math.min(SLICES + 1, end - start + 1);
  const buckets = Array.from({ length: count }, () => /** @type {LoggedRequest[]} */ ([]));
  for (const [i, one] of requests.entries()) buckets[Math.floor((times[i] ?? 0) / seconds) - start]?.push(one);
  return { seconds, buckets, times: buckets.map((_, i) => (start + i) * seconds) };
}
