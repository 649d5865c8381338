import { IncomingMessage } from "node:http";

/** Number of small chunks of a request that pass as they are: a small body is one of them, and waits for nothing. */
const FEW = 16;
const SMALL_BYTES = 1024;
/** Size of the blocks in which small chunks are gathered. */
const BLOCK_BYTES = 4096;
/**
 * One socket that brings small chunks is read on after the other, and there is a pause of this time for each chunk
 * before. It takes one to two microseconds to read a chunk, up to 20 ms for the 64 KiB that are read at once, so this
 * leaves most of the time to others.
 */
const PAUSE_OF_CHUNK_MS = 0.01;
/**
 * A client that has sent this many small chunks with fewer bytes in each, on average, is cut off: no client means well
 * with that. The limit is lower when many clients send such chunks at once, because each would wait long behind the
 * others.
 */
const TOO_MANY = { chunks: 500_000, bytesOfEach: 8 };
const TOO_MANY_OF_MANY = { chunks: 20_000, bytesOfEach: 3 };
/** Number of waiting requests from which on they are many. */
const MANY_WAITING = 4;

/**
 * Gives the class of a server's requests, which gather the small chunks of their body. Node makes an event and a buffer
 * of some hundred bytes of each chunk. Of one byte each there are 11,000 in what is read from a socket at once, and it
 * is read up to 32 times in a turn of the event loop: some uploads would take all of the memory before anybody asks for
 * their bodies, and all of the time. So small chunks become one buffer, and a socket that brings them is read on in its
 * turn.
 */
export function requestsOfGatheredChunks(): typeof IncomingMessage {
  const line = oneByOne();

  return class extends IncomingMessage {
    #small = 0;
    #smallBytes = 0;
    #block: Buffer | undefined;
    #gathered = 0;
    /** Whether the reader wants bytes and has been given none since. */
    #isWanted = false;
    /** Whether chunks were gathered, and the socket is not read on until it is the turn of this request. */
    #isHeldBack = false;
    #isInLine = false;
    /** Number of chunks gathered since the socket was read on. */
    #read = 0;

    /** Called by Node's parser for each chunk, and with null at the end. False: the socket is not to be read on. */
    override push(chunk: Buffer | null): boolean {
      if (chunk === null || chunk.length >= SMALL_BYTES || ++this.#small <= FEW) {
        this.#giveGathered();
        return this.#give(chunk);
      }
      this.#smallBytes += chunk.length;
      this.#read += 1;
      if (this.#isTooMany()) this.socket.destroy();
      if (this.#gathered + chunk.length > BLOCK_BYTES) this.#giveGathered();
      this.#block ??= Buffer.allocUnsafeSlow(BLOCK_BYTES);
      this.#gathered += chunk.copy(this.#block, this.#gathered);
      this.#isHeldBack = true;
      if (this.#isWanted) this.#standInLine();
      return false;
    }

    #isTooMany(): boolean {
      const { chunks, bytesOfEach } = line.waiting() >= MANY_WAITING ? TOO_MANY_OF_MANY : TOO_MANY;
      return this.#small > chunks && this.#smallBytes < bytesOfEach * this.#small;
    }

    /** Called by the stream when its reader wants more, and not again before it has got something. */
    override _read(size: number): void {
      this.#isWanted = true;
      if (this.#isHeldBack) this.#standInLine();
      else super._read(size);
    }

    #standInLine(): void {
      if (this.#isInLine) return;
      this.#isInLine = true;
      setImmediate(() => line.stand(() => this.#readOn()));
    }

    /** Gives the pause that what has come was worth. */
    #readOn(): number {
      const pauseMs = PAUSE_OF_CHUNK_MS * this.#read;
      this.#read = 0;
      this.#isInLine = false;
      this.#isHeldBack = false;
      if (!this.complete && !this.destroyed) {
        super._read(BLOCK_BYTES);
        this.#giveGathered();
      }
      return pauseMs;
    }

    #giveGathered(): void {
      if (!this.#block || this.#gathered === 0) return;
      // A copy, since the block is filled anew.
      const bytes = Buffer.from(this.#block.subarray(0, this.#gathered));
      this.#gathered = 0;
      this.#give(bytes);
    }

    #give(bytes: Buffer | null): boolean {
      this.#isWanted = false;
      return super.push(bytes);
    }
  };
}

/** A queue that does one piece of work after the other. Each piece returns the pause that follows it. */
function oneByOne() {
  const waiting: (() => number)[] = [];
  let isPausing = false;
  function next(): void {
    const work = waiting.shift();
    isPausing = work !== undefined;
    if (work) setTimeout(next, work());
  }
  return {
    waiting: () => waiting.length,
    stand(work: () => number): void {
      waiting.push(work);
      if (!isPausing) next();
    },
  };
}
