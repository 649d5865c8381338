/** A request as both servers get it. */
export interface Request {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  /** JSON text. */
  body?: string;
}

/** A statement of a request. Those of the pool between BEGIN and COMMIT run on one connection; statements that run alone have a pool of their own. */
export interface Step {
  on: "reader" | "pool" | "alone";
  text: string;
  values: unknown[];
  named: boolean;
}

export interface Answer {
  status: number;
  headers: [name: string, value: string][];
  body: string;
}

/** A request with what the real server did to answer it, and its answer. */
export interface Case {
  request: Request;
  steps: Step[];
  answer: Answer;
  /** Uuids of the records that it made; others stand in their place when it is done again. */
  fresh: string[];
}

/** The header that tells the bare server which case a request is; the real one ignores it. */
export const CASE_HEADER = "x-case";
