import { endConnection, type Waits } from "./connection.ts";
import { type Opening, openClient } from "./open-client.ts";
import { answered, createPipeline } from "./pipeline.ts";
import { sendNamedOrPlain } from "./statement.ts";

/** Events of a session besides the answers to its statements. */
export interface SessionEvents {
  /** The session has ended, and its locks are free. Called once, also when this process has ended it. */
  ended(): void;
  /** Another session has sent this text on a channel that this one listens to. */
  notified(text: string): void;
}

/** A connection whose session keeps locks until it ends. */
export interface OwnSession {
  /** Runs an autocommit statement with $1 placeholders, named and prepared. */
  query<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  end(): Promise<void>;
}

/** Opens the session. It is cut off, as a reader is, when it owes an answer for longer than a statement may take. */
export async function openOwnSession(
  config: Opening,
  waits: Waits,
  { ended, notified }: SessionEvents,
): Promise<OwnSession> {
  let hasEnded = false;
  const client = await openClient(config);
  const pipeline = createPipeline(client, waits, () => {
    if (!hasEnded) ended();
    hasEnded = true;
  });
  client.on("notification", ({ payload = "" }) => notified(payload));
  return {
    query: <Row>(text: string, values: readonly unknown[] = []) =>
      sendNamedOrPlain(text, (name) => answered<Row>(pipeline, { ...(name && { name }), text, values: [...values] })),
    end: () => endConnection(client, waits),
  };
}
