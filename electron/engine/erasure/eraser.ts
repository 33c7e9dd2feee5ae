/** Forgets customers and keeps copies free of what was deleted. A journal lets the next start go on where a crash stopped it. I/O through the ports. */
import type { ErasureCounts, ErasureMatch, ErasureProof } from '../../../shared/erasure.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import type { RunSupervisor } from '../agent/supervisor.ts';
import type { RecallIndexes } from '../archive/recall-indexes.ts';
import type { CleaningOrder, Clock, DataFolder, Logger, Store } from '../ports.ts';

/** Preference: what was begun. Empty once done; the texts to look for are in it only until the rows are gone. */
const JOURNAL_KEY = 'erasure.journal';
const NO_FOLDER: DataFolder = {
  cleanCopies: async () => ({ cleaned: 0, deleted: 0 }),
  scan: async () => ({ files: 0, bytes: 0, matches: [] }),
};

interface Journal {
  customer: { id: string; texts: string[] } | null;
  conversationIds: string[];
  turns: CleaningOrder['turns'];
}

export interface EraserDeps {
  store: Store;
  clock: Clock;
  logger: Logger;
  /** Absent: the store leaves no files. */
  dataFolder: DataFolder | undefined;
  supervisor: RunSupervisor;
  recall: RecallIndexes;
  /** Resolves when nothing is on its way to the store. */
  quiet(): Promise<void>;
  onGone(conversationId: string): void;
}

export interface Eraser {
  forgetCustomer(customerId: string): Promise<ErasureProof>;
  /** Runs a deletion, then takes the same out of every copy. */
  withCopies<T>(gone: Pick<CleaningOrder, 'conversationIds' | 'turns'>, work: () => Promise<T>): Promise<T>;
  /** Goes on with what a crash interrupted. Rejects with the store's ConsoleError. */
  resume(): Promise<void>;
}

export function createEraser(deps: EraserDeps): Eraser {
  const folder = deps.dataFolder ?? NO_FOLDER;
  let isForgetting = false;
  let last: Promise<unknown> = Promise.resolve();
  /** One change of the journal after another. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
  const forget = async (customerId: string, texts: string[]): Promise<ErasureProof> => {
    const journal = await readJournal(deps);
    await writeJournal(deps, { ...journal, customer: { id: customerId, texts } });
    const removed = await removeRows(deps, customerId);
    const copies = await folder.cleanCopies({ customerId, conversationIds: [], turns: [] });
    // From here on nothing about the person may be kept, the texts to look for included.
    await writeJournal(deps, { ...journal, customer: null });
    await deps.store.erasure.compact();
    return prove(deps, folder, { texts, removed, copies });
  };
  const clean = async (): Promise<void> => {
    const { conversationIds, turns, customer } = await readJournal(deps);
    if (conversationIds.length + turns.length === 0) return;
    await folder.cleanCopies({ customerId: null, ...(await reallyGone(deps.store, { conversationIds, turns })) });
    await writeJournal(deps, { customer, conversationIds: [], turns: [] });
  };
  return {
    forgetCustomer: async (customerId) => {
      if (isForgetting) throw new ConsoleError('busy', 'Another customer is being forgotten; try again when that is done.');
      isForgetting = true;
      try {
        await refuseWhileAnswered(deps, customerId);
        return await inTurn(async () => forget(customerId, await deps.store.erasure.textsOf(customerId)));
      } finally {
        isForgetting = false;
      }
    },
    withCopies: (gone, work) =>
      inTurn(async () => {
        const journal = await readJournal(deps);
        const conversationIds = [...new Set([...journal.conversationIds, ...gone.conversationIds])];
        await writeJournal(deps, { ...journal, conversationIds, turns: [...journal.turns, ...gone.turns] });
        try {
          return await work();
        } finally {
          await clean();
        }
      }),
    resume: () =>
      inTurn(async () => {
        const { customer } = await readJournal(deps);
        if (customer !== null) {
          const { matches } = await forget(customer.id, customer.texts);
          deps.logger.warn('a customer whose erasure was interrupted is forgotten', { matchesLeft: matches.length });
        }
        await clean();
      }),
  };
}

/** Runs of this console are stopped; those of another are not ours to stop. */
async function refuseWhileAnswered({ store }: EraserDeps, customerId: string): Promise<void> {
  for (const id of await store.erasure.conversationsOf(customerId)) {
    const holder = (await store.changes?.holder(id)) ?? null;
    if (holder !== null) throw new ConsoleError('busy', `${holder} is answering this customer; stop it there, then try again.`);
  }
}

async function removeRows(deps: EraserDeps, customerId: string): Promise<ErasureCounts> {
  const { store, supervisor, recall, clock } = deps;
  const ids = await store.erasure.conversationsOf(customerId);
  const work = async (): Promise<ErasureCounts> => {
    await deps.quiet();
    return store.erasure.forget(customerId, clock.now());
  };
  const whileStopped = ids.reduce<() => Promise<ErasureCounts>>((inner, id) => () => supervisor.withoutRun(id, inner), work);
  const counts = await whileStopped();
  for (const id of ids) {
    recall.drop(id);
    deps.onGone(id);
  }
  return counts;
}

async function prove(
  { store, clock }: EraserDeps,
  folder: DataFolder,
  done: { texts: string[]; removed: ErasureCounts; copies: ErasureProof['copies'] },
): Promise<ErasureProof> {
  const { texts, removed, copies } = done;
  const columns = await store.erasure.search(texts);
  const files = await folder.scan(texts);
  const matches: ErasureMatch[] = [
    ...columns.matches.map((match) => ({ ...match, reason: columnReason(match.place) })),
    ...files.matches.map((match) => ({
      ...match,
      reason:
        columns.matches.length > 0 ? 'records of others hold the same text' : 'the file holds it outside of any record of this customer',
    })),
  ];
  const scanned = { files: files.files, bytes: files.bytes, columns: columns.columns, texts: texts.length };
  return { at: clock.now(), removed, copies, scanned, matches };
}

/** Imported tapes are kept beside the settings. */
function columnReason(place: string): string {
  const isSetting = /\b(?:preferences|own_values)\./.test(place);
  return isSetting ? 'an imported tape or a setting holds the text' : 'records of others hold the same text';
}

/** A deletion that was refused or only begun must not take from the copies what is still here. */
async function reallyGone(store: Store, gone: Pick<CleaningOrder, 'conversationIds' | 'turns'>): Promise<typeof gone> {
  const conversationIds: string[] = [];
  for (const id of gone.conversationIds) if ((await store.conversations.get(id)) === null) conversationIds.push(id);
  const turns: CleaningOrder['turns'] = [];
  for (const each of gone.turns) {
    const turn = await store.conversations.readTurn(each.conversationId, each.turn);
    if (turn === null || turn.forgottenAt !== undefined) turns.push(each);
  }
  return { conversationIds, turns };
}

async function readJournal({ store }: EraserDeps): Promise<Journal> {
  const empty: Journal = { customer: null, conversationIds: [], turns: [] };
  const json = await store.preferences.read(JOURNAL_KEY);
  return json === null ? empty : { ...empty, ...(JSON.parse(json) as Partial<Journal>) };
}

async function writeJournal({ store }: EraserDeps, journal: Journal): Promise<void> {
  await store.preferences.write(JOURNAL_KEY, JSON.stringify(journal));
}
