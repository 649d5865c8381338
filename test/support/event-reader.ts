import { type IncomingHttpHeaders, request as send } from "node:http";
import { until } from "../../lab/harness/until.ts";
import { checkAnswer, checkHead } from "./answers.ts";
import { checkEvent } from "./document.ts";
import type { Told } from "./events.ts";

/** Somebody who reads a stream of events. */
export interface EventReader {
  status: number;
  headers: IncomingHttpHeaders;
  /** All that has come, as it was sent. */
  text(): string;
  events(): { id: string; event: string; told: Told }[];
  /** Ids of what the events that have come are about. */
  about(): string[];
  isOver(): boolean;
  /** Whether it ended as an answer ends, and was not cut off. */
  isWhole(): boolean;
  pause(): void;
  resume(): void;
  close(): void;
}

/**
 * Opens a stream of a server, which passes the checks of answers.ts, event by event; resolves when the head of the
 * answer is there, of an error when all of it is.
 */
export async function readEvents(
  server: { base: string; publicUrl: string },
  key: string,
  query = "",
  headers: Record<string, string> = {},
): Promise<EventReader> {
  const reader = await openStream(server.base, key, query, headers);
  const answered = { method: "GET", path: `/v1/events${query}`, status: reader.status, headers: reader.headers };
  if (reader.headers["content-type"]?.startsWith("text/event-stream")) checkHead({ ...answered, text: "" });
  else {
    await until("all of an answer that is no stream is there", reader.isOver);
    checkAnswer(server, { ...answered, text: reader.text() });
  }
  const events = () => {
    const told = reader.events();
    const faults = told.flatMap((one) => checkEvent(one.told));
    if (faults.length > 0) throw new Error(`An event of the stream is not as described:\n- ${faults.join("\n- ")}`);
    return told;
  };
  return { ...reader, events, about: () => events().map(({ told }) => told.data.id) };
}

/** Opens a stream without looking at what it is; resolves when the head of the answer is there. */
export function openStream(
  base: string,
  key: string,
  query = "",
  headers: Record<string, string> = {},
): Promise<EventReader> {
  const { hostname, port } = new URL(base);
  let text = "";
  const events = () =>
    text
      .split("\n\n")
      .slice(0, -1)
      .flatMap((block) => {
        const lines = new Map(
          block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
        );
        const data = lines.get("data");
        return data === undefined
          ? []
          : [{ id: lines.get("id") ?? "", event: lines.get("event") ?? "", told: JSON.parse(data) as Told }];
      });
  return new Promise((resolve, reject) => {
    const all = { Authorization: `Bearer ${key}`, Accept: "text/event-stream", ...headers };
    const outgoing = send({ agent: false, hostname, port, path: `/v1/events${query}`, headers: all }, (response) => {
      let isOver = false;
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("error", () => undefined);
      response.on("close", () => {
        isOver = true;
      });
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: () => text,
        events,
        about: () => events().map(({ told }) => told.data.id),
        isOver: () => isOver,
        isWhole: () => response.complete,
        pause: () => response.pause(),
        resume: () => response.resume(),
        close: () => outgoing.destroy(),
      });
    });
    outgoing.on("error", reject).end();
  });
}
