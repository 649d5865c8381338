/** Coding of a body: as it is, or compressed. */
export type Coding = "identity" | "br" | "gzip";

/**
 * The coding that a client wants most is taken; of several that it wants equally, the first of these, which costs
 * least.
 */
const COMPRESSED = ["br", "gzip"] as const;

/** A weight of RFC 9110, 12.4.2; any other text is none. */
const WEIGHT = /^\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*$/i;

/**
 * The coding for a client by its header `Accept-Encoding` (RFC 9110, 12.5.3). Without it, or with none in it that there
 * is, a body is sent as it is; also to one who says `identity;q=0` and takes no other.
 */
export function codingFor(accepted: string | undefined): Coding {
  if (accepted === undefined) return "identity";
  const weights = weightsOf(accepted);
  let [best, most]: [Coding, number] = ["identity", weights.get("identity") ?? 0];
  for (const coding of COMPRESSED) {
    const weight = weights.get(coding) ?? weights.get("*") ?? 0;
    if (weight > 0 && (weight > most || (weight === most && best === "identity"))) [best, most] = [coding, weight];
  }
  return best;
}

/** Whether a client takes nothing that is not compressed: `identity;q=0`, or `*;q=0` without another word of it. */
export function refusesIdentity(accepted: string | undefined): boolean {
  if (accepted === undefined || !accepted.includes("=")) return false;
  const weights = weightsOf(accepted);
  return (weights.get("identity") ?? weights.get("*") ?? 1) === 0;
}

function weightsOf(accepted: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of accepted.split(",")) {
    const [name = "", weight] = part.split(";");
    const coding = name.trim().toLowerCase();
    if (coding !== "") weights.set(coding === "x-gzip" ? "gzip" : coding, weight === undefined ? 1 : weightOf(weight));
  }
  return weights;
}

function weightOf(text: string): number {
  const [, weight = "0"] = WEIGHT.exec(text) ?? [];
  return Number(weight);
}
