/** Distinct ids, and characters of what is stored of their persons, that are read ahead at most. */
const LIMITS = { names: 100_000, characters: 67_108_864, passedIds: 1_000_000 };
/** Numbers of persons that one step passes over: a commit that waits for it waits some milliseconds. */
const STEP_IDS = 4_096;
/** Persons that are asked for before it is worth to read them ahead again. */
const AGAIN_AFTER = 1_000;

/** What a step has read. */
export interface ReadAhead {
  names: number;
  characters: number;
}

export interface AheadSource {
  /** The greatest number of a person or placeholder; 0 when there is none. */
  lastPersonId(): Promise<number>;
  /** Reads and gives out those of the numbers from one to another, both included. */
  read(from: number, to: number): Promise<ReadAhead>;
}

/** Reads the newest persons before anybody asks for them. */
export interface PersonsAhead {
  /**
   * Told that so many persons were asked for: after the first of them it reads on, from the newest person to older ones, in
   * steps between two commits.
   */
  asked(persons: number, betweenCommits: (work: () => Promise<void>) => Promise<void>): Promise<void>;
  /** What was given out is old: it is read again, once enough were asked for. */
  again(): void;
  /** Reads no further. */
  stop(): void;
}

/**
 * Makes the one who reads ahead. A statement for fifty persons costs as much as one for thousands that lie together, and while
 * it runs no commit does.
 */
export function createPersonsAhead(source: AheadSource, limits = LIMITS): PersonsAhead {
  /** Persons to be asked for until it begins. */
  let due = 1;
  /** Goes up with what ends the reading under way. */
  let turn = 0;

  return {
    async asked(persons, betweenCommits) {
      due -= persons;
      if (due > 0) return;
      due = Infinity;
      const own = ++turn;
      let to = 0;
      await betweenCommits(async () => {
        to = await source.lastPersonId();
      });
      const oldest = Math.max(0, to - limits.passedIds);
      let { names, characters } = limits;
      while (to > oldest && names > 0 && characters > 0 && turn === own) {
        const from = to - STEP_IDS + 1;
        await betweenCommits(async () => {
          if (turn !== own) return;
          const read = await source.read(from, to);
          names -= read.names;
          characters -= read.characters;
        });
        to = from - 1;
      }
    },
    again() {
      turn++;
      due = Math.min(due, AGAIN_AFTER);
    },
    stop() {
      turn++;
      due = Infinity;
    },
  };
}
