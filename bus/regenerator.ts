import { Errors } from "moleculer";
import { ApiError, isApiError } from "../base/contract/errors.ts";
import { isAway, isFrameworkAway } from "./away.ts";

type Plain = ReturnType<Errors.Regenerator["extractPlainError"]>;

/** An error as it crosses the bus. What is not named here stays in the process where it happened. */
interface PlainError {
  name: string;
  message: string;
  type?: string;
  code: number;
  data?: unknown;
  nodeID: string;
  unavailable?: true;
}

/**
 * Decides what of an error crosses the bus. An ApiError crosses whole, and an error which says that something is away
 * crosses by its type. Of every other error the other side learns only that there was one: a stack, SQL, or the message
 * of a PostgreSQL error never leaves its process, where bus/failures.ts logs it.
 */
export class ErrorRegenerator extends Errors.Regenerator {
  #nodeID = "";

  override init(broker: { nodeID: string }): void {
    this.#nodeID = broker.nodeID;
  }

  override extractPlainError(error: unknown): Plain {
    // The declared type wants a stack and a flag `retryable`; the transit only sends this on as JSON.
    return toPlainError(error, this.#nodeID) as unknown as Plain;
  }

  override restore(received: unknown): Error {
    const { message, type, data, nodeID, unavailable, code } = received as PlainError;
    if (isApiError(received)) {
      const error = new ApiError(received.type, message);
      Object.assign(error.data, data);
      return Object.assign(error, { nodeID });
    }
    const error = Object.assign(new Error(message), { type, code, data, nodeID, ...(unavailable && { unavailable }) });
    // Its own stack would only say where the answer was read, so it says instead on which node the error happened.
    error.stack = `Error: ${message} (on ${nodeID})`;
    return error;
  }
}

function toPlainError(error: unknown, nodeID: string): PlainError {
  if (isApiError(error)) {
    const { name, message, type, code, data } = error;
    return { name, message, type, code, data, nodeID };
  }
  if (error instanceof Errors.MoleculerError && isFrameworkAway(error)) {
    // bus/remote-calls.ts learns from these two whether the very call that it made was refused.
    const data = { action: error.data?.action, nodeID: error.data?.nodeID };
    return { name: "Error", message: "unavailable", type: error.type, code: 503, data, nodeID, unavailable: true };
  }
  return { name: "Error", message: "internal error", code: 500, nodeID, ...(isAway(error) && { unavailable: true }) };
}
