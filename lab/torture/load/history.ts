import type { Change, Received, Told } from "../webhooks/history.ts";

/** A request that a client sent, and what came. Times by `now`. */
export interface Attempt {
  kind: string;
  /** 1 for the first attempt. Only writes are tried again, under their Idempotency-Key. */
  tried: number;
  sentAt: number;
  answeredAt: number;
  /** 0 when no whole answer came. */
  status: number;
  /** Why no answer came, or the code of an error and the first sentence of its message. */
  reason?: string;
  /** Whether the load balancer has given the answer, because no gateway could. */
  isProxys: boolean;
  isJson: boolean;
  /** In seconds; undefined without the header. */
  retryAfterS?: number;
}

/** Records that one request makes: as many people, or one note, with a name that nothing else has. */
export interface Made {
  name: string;
  count: number;
  /** Ids that the answer told; undefined when no 200 came, and then they may be there or not. */
  ids?: string[];
}

/** The last job title of a person that was acknowledged, and the one that may be there instead. */
export interface Titled {
  recordId: string;
  acknowledged: number;
  perhaps: number;
}

/** A question to a probe of a process. */
export interface Probe {
  process: string;
  path: "/livez" | "/readyz";
  sentAt: number;
  answeredAt: number;
  /** 0 when no answer came. */
  status: number;
}

/** The records that are there in the end. */
export interface Found {
  people: { id: string; firstName: string | null; jobTitle: string | null }[];
  notes: { id: string; content: string }[];
}

/** All that clients of a mixed load saw. */
export interface LoadHistory {
  attempts: Attempt[];
  probes: Probe[];
  people: Made[];
  notes: Made[];
  titles: Titled[];
  /** Changes that were acknowledged, reminders that were due among them. Each is told once to each listener. */
  written: Change[];
  /** Changes that may have been made although no 200 came. */
  perhaps: Change[];
  received: Received[];
  read: Told[];
  /** Events that each reader of the stream was told. */
  streamed: Told[][];
  found: Found;
}

/** A history in which nothing has happened. */
export function emptyHistory(streams: number): LoadHistory {
  return {
    attempts: [],
    probes: [],
    people: [],
    notes: [],
    titles: [],
    written: [],
    perhaps: [],
    received: [],
    read: [],
    streamed: Array.from({ length: streams }, () => []),
    found: { people: [], notes: [] },
  };
}

/** A 429 is the client's own doing: it had to send too much again. */
export function isFailed({ status }: Pick<Attempt, "status">): boolean {
  return status !== 200 && status !== 429;
}
