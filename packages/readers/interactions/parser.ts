import { Worker } from "node:worker_threads";
import type { ParserSetup } from "./parser-worker.ts";

/** Reads mails or events one after the other, in a thread of its own. */
export interface Parser<Input, Result> {
  /** Never fails because of its input: an unreadable item is refused. */
  parse(input: Input): Promise<Result | { refused: string }>;
  close(): Promise<void>;
}

interface Bounds {
  /** Time limit for one email or event, in milliseconds. */
  deadlineMs: number;
  memoryMib: number;
}

const BOUNDS: Bounds = { deadlineMs: 10_000, memoryMib: 512 };

interface Job<Input, Result> {
  input: Input;
  resolve(result: Result | { refused: string }): void;
  reject(error: unknown): void;
}

/**
 * Mails and events are written by strangers. They are read in a thread of its own, so that the process goes on
 * meanwhile, and so that one that takes too long or too much memory ends that thread alone: it is refused, and a new
 * thread reads the others.
 */
export function startParser<Input, Result>(setup: ParserSetup, bounds: Bounds = BOUNDS): Parser<Input, Result> {
  const jobs: Job<Input, Result>[] = [];
  let worker: Worker | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isReady = false;

  function start(): void {
    isReady = false;
    const started = new Worker(new URL("./parser-worker.ts", import.meta.url), {
      workerData: setup,
      resourceLimits: { maxOldGenerationSizeMb: bounds.memoryMib },
    });
    worker = started;
    started.on("message", (message: "ready" | Result) => {
      if (message === "ready") isReady = true;
      else jobs.shift()?.resolve(message);
      watch();
    });
    started.on("error", (error) => {
      if (started === worker) failed(error);
    });
    for (const { input } of jobs) started.postMessage(input);
  }

  /**
   * The time of the job that the thread is at begins. Loading the thread takes its time too, which is no fault of a
   * mail.
   */
  function watch(): void {
    clearTimeout(timer);
    if (isReady && jobs.length > 0)
      timer = setTimeout(
        () => replace(`It takes longer than ${bounds.deadlineMs / 1000} s to read`),
        bounds.deadlineMs,
      );
  }

  function failed(error: unknown): void {
    if (!isReady) {
      // A thread that cannot even be loaded would refuse all mails for a fault of ours.
      worker = undefined;
      for (const { reject } of jobs.splice(0)) reject(error);
    } else
      replace(isOutOfMemory(error) ? `It takes more than ${bounds.memoryMib} MiB of memory to read` : String(error));
  }

  function replace(reason: string): void {
    void worker?.terminate();
    jobs.shift()?.resolve({ refused: reason });
    clearTimeout(timer);
    start();
  }

  function parse(input: Input): Promise<Result | { refused: string }> {
    return new Promise((resolve, reject) => {
      jobs.push({ input, resolve, reject });
      if (!worker) start();
      else worker.postMessage(input);
      if (jobs.length === 1) watch();
    });
  }

  async function close(): Promise<void> {
    clearTimeout(timer);
    const closing = worker;
    worker = undefined;
    jobs.length = 0;
    await closing?.terminate();
  }

  return { parse, close };
}

function isOutOfMemory(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY";
}
