import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { createBudget, reserveDuring } from "../../../base/budgets/budget.ts";
import { createActiveTenants, createFairTurns } from "../../../base/budgets/fair-turns.ts";
import { isApiError, unavailable } from "../../../base/contract/errors.ts";
import { COMPRESSED_BYTES_MIN, COMPRESSING_BYTES_MAX, COMPRESSING_BYTES_OF_ONE_MAX } from "../../../config/limits.ts";
import { COMPRESSORS, TURNS } from "../../../config/shares.ts";
import type { Exchange } from "../connection/exchange.ts";
import { type Coding, codingFor, refusesIdentity } from "./accept-encoding.ts";
import type { Reply } from "./reply.ts";

/**
 * The quickest level of both. A page of a hundred records becomes an eighth with any; more would cost many times as
 * much for a tenth of what is left: docs/benchmarks.md#compression.
 */
const LEVELS = {
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT } },
  gzip: { level: 1 },
};

/** No client gets this error: an answer that finds no place is sent as it is. */
const NO_PLACE = unavailable("Too many answers are being compressed.");

const compressors = {
  br: (body: Buffer) => promisify(brotliCompress)(body, LEVELS.br),
  gzip: (body: Buffer) => promisify(gzip)(body, LEVELS.gzip),
};

/** Compresses large answers for clients that take them so. docs/guides/conventions.md#compression */
export interface Compression {
  /** Coding in which an answer is sent. A large one is marked with `Vary`, however it is sent. */
  codingOf(exchange: Pick<Exchange, "request">, reply: Reply): Coding;
  /**
   * Compresses the body of an answer, off the event loop; or leaves it as it is when that would take too long.
   * @param tenant whose answer it is
   * @param isGone whether its client has gone
   */
  compress(reply: Reply, coding: Coding, tenant: string, isGone: () => boolean): Promise<Reply>;
}

/**
 * Bounds the compression of answers, in bytes and in turns, also per workspace. Beyond that, answers are sent
 * uncompressed, which costs the others nothing.
 */
export function createCompression(): Compression {
  const bytes = createBudget({
    what: "compressing_bytes",
    max: COMPRESSING_BYTES_MAX,
    ofOneMax: COMPRESSING_BYTES_OF_ONE_MAX,
    refusal: NO_PLACE,
  });
  const turns = createFairTurns({
    what: "compression_turns",
    atOnce: COMPRESSORS,
    presence: createActiveTenants(),
    ...TURNS.compression,
  });

  return {
    codingOf({ request }, reply) {
      const { body, headers, open } = reply;
      if (open || body.length === 0 || headers["Content-Encoding"] !== undefined) return "identity";
      const accepted = request.headers["accept-encoding"]?.toString();
      if (body.length < COMPRESSED_BYTES_MIN && !refusesIdentity(accepted)) return "identity";
      // A page has its own.
      headers.Vary ??= "Accept-Encoding";
      return codingFor(accepted);
    },
    async compress(reply, coding, tenant, isGone) {
      if (coding === "identity") return reply;
      const body = Buffer.from(reply.body);
      try {
        const packed = await reserveDuring((holdings) => {
          holdings.take(bytes, tenant, body.length);
          return turns.take({ tenant, isGone }, () => compressors[coding](body));
        });
        return { ...reply, body: packed, headers: { ...reply.headers, "Content-Encoding": coding } };
      } catch (error) {
        if (!isApiError(error)) throw error;
        return reply;
      }
    },
  };
}
