import { Errors } from "moleculer";
import { ApiError, isApiError } from "../lib/contract/errors.ts";
import { isAway, isFrameworkAway } from "./away.ts";

type Plain = ReturnType<Errors.Regenerator["extractPlainError"]>;

/** An error as it travels. What is not named here stays where it happened. */
interface PlainError {
  name: string;
  message: string;
  type?: string;
  code: number;
  data?: unknown;
  /** Where it happened. */
  nodeID: string;
  unavailable?: true;
}

/**
 * Decides what of an error crosses the bus: an ApiError whole, a service that is away by its type, and of everything
 * else nothing but that it happened. A stack, SQL, or the message of a PostgreSQL error never leaves its process, where
 * bus/failures.ts logs it.
 */
export class ErrorRegenerator extends Errors.Regenerator {
  #nodeID = "";

  override init(broker: { nodeID: string }): void {
    this.#nodeID = broker.nodeID;
  }

  override extractPlainError(error: unknown): Plain {
    // The declared type wants a stack and a flag `retryable`; the transit only sends this on as JSON.
    return plain(error, this.#nodeID) as unknown as Plain;
  }

  override restore(received: unknown): Error {
    const { message, type, data, nodeID, unavailable, code } = received as PlainError;
    if (isApiError(received)) {
      const error = new ApiError(received.type, message);
      Object.assign(error.data, data);
      return Object.assign(error, { nodeID });
    }
    const error = Object.assign(new Error(message), { type, code, data, nodeID, ...(unavailable && { unavailable }) });
    // Its own stack would only tell where the answer was read.
    error.stack = `Error: ${message} (on ${nodeID})`;
    return error;
  }
}

function plain(error: unknown, nodeID: string): PlainError {
  if (isApiError(error)) {
    const { name, message, type, code, data } = error;
    return { name, message, type, code, data, nodeID };
  }
  if (error instanceof Errors.MoleculerError && isFrameworkAway(error)) {
    // bus/retry.ts learns from these two whether the very call that it made was refused.
    const data = { action: error.data?.action, nodeID: error.data?.nodeID };
    return { name: "Error", message: "unavailable", type: error.type, code: 503, data, nodeID, unavailable: true };
  }
  return { name: "Error", message: "internal error", code: 500, nodeID, ...(isAway(error) && { unavailable: true }) };
}
