import { join } from "node:path";
import type { Piscina } from "piscina";
import { createActiveTenants, createFairTurns } from "../../../base/budgets/fair-turns.ts";
import { ApiError, unavailable } from "../../../base/contract/errors.ts";
import { CALL_MS_MAX } from "../../../config/limits.ts";
import { BODY_THREADS, TURNS } from "../../../config/shares.ts";
import type { BatchTask, BodyResult, BodyTask, MessageResult, MessageTask } from "./large.worker.ts";

const FILE = join(import.meta.dirname, "large.worker.ts");

/**
 * Longest time of a task of a worker: as long as an action, so that a busy machine goes on reading what it has begun.
 */
const TASK_MS_MAX = CALL_MS_MAX;
/** Time without work after which a worker ends. It holds some 40 MB, and takes a quarter of a second to start. */
const IDLE_MS = 60_000;
/** Time without work after which a worker collects its garbage: large bodies leave 60 MB and more behind. */
const COLLECT_MS = 3_000;
/**
 * Memory of a worker. Ten megabytes of JSON with BODY_VALUES_MAX values take about half of it. That much must be left:
 * V8 ends the whole process when a worker at its limit asks for much at once.
 */
const MEMORY_MB = 192;
const YOUNG_MEMORY_MB = 32;

interface Tasks {
  readBody: { task: BodyTask; result: BodyResult };
  readMessage: { task: MessageTask; result: MessageResult };
  shortenBatch: { task: BatchTask; result: string };
}

/** Does what would hold the event loop in another thread. docs/decisions/0017-event-loop.md */
export interface Workers {
  /**
   * @param transfer memory that goes over to the worker; what was in it is gone here
   * @throws ApiError 503 when too many wait or it takes too long, 413 when it takes more memory than there is
   */
  run<Name extends keyof Tasks>(
    name: Name,
    task: Tasks[Name]["task"],
    turn: { workspaceId: string; transfer?: ArrayBuffer[] },
  ): Promise<Tasks[Name]["result"]>;
  stop(): Promise<void>;
}

/** Workers that start with the first task. */
export function createWorkers(memoryMb = MEMORY_MB): Workers {
  let pool: Promise<Piscina> | undefined;
  let collecting: NodeJS.Timeout | undefined;
  const turns = createFairTurns({
    what: "large_body_turns",
    atOnce: BODY_THREADS,
    presence: createActiveTenants(),
    ...TURNS.largeBodies,
  });
  return {
    run(name, task, { workspaceId, transfer = [] }) {
      return turns.take({ tenant: workspaceId }, async () => {
        pool ??= openPool(memoryMb);
        const options = { name, transferList: transfer, signal: AbortSignal.timeout(TASK_MS_MAX) };
        const running = await pool;
        clearTimeout(collecting);
        // Garbage that cannot be collected now is collected later, by the worker itself or with its end.
        const collect = () => void running.run(undefined, { name: "collectGarbage" }).catch(() => undefined);
        collecting = setTimeout(collect, COLLECT_MS).unref();
        return running.run(task, options).catch(refuse);
      });
    },
    async stop() {
      clearTimeout(collecting);
      await (await pool)?.destroy();
      pool = undefined;
    },
  };
}

async function openPool(maxOldGenerationSizeMb: number): Promise<Piscina> {
  const { default: piscina } = await import("piscina");
  return new piscina.Piscina({
    filename: FILE,
    minThreads: 0,
    maxThreads: BODY_THREADS,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb, maxYoungGenerationSizeMb: YOUNG_MEMORY_MB },
  });
}

/** A worker that ended in the middle of its task has a successor, and the process lives on. */
function refuse(error: { name?: string; code?: string; message: string }): never {
  if (error.code === "ERR_WORKER_OUT_OF_MEMORY")
    throw new ApiError(
      "PAYLOAD_TOO_LARGE",
      "The request takes too much memory to read. Split it into several requests.",
    );
  if (error.name === "AbortError" || error.message === "Terminating worker thread")
    throw unavailable("The server could not read this request in time. Try again, or send a smaller request.");
  throw error;
}
