/** The versions of the system prompt, and which one a conversation is answered under. Reads and writes through the store. */
import { ConsoleError } from '../../../shared/errors.ts';
import type { PromptVersion, PromptVersionView } from '../../../shared/prompts.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { Clock, Logger, PromptStore } from '../ports.ts';
import type { SystemPrompt } from '../system-prompt.ts';
import { SYSTEM_PROMPT } from '../system-prompt.ts';

export interface PromptDesk {
  /** Newest first, the built-in one included. Rejects with the store's ConsoleError. */
  list(): Promise<PromptVersionView[]>;
  /** `conflict` when another console took the number meanwhile. */
  add(draft: Pick<PromptVersion, 'text' | 'author' | 'note' | 'basedOn'>): Promise<PromptVersionView>;
  /** `not-found` without the version. */
  activate(version: string): Promise<PromptVersionView[]>;
  /** `not-found` without the version. */
  named(version: string): Promise<SystemPrompt>;
  /** The conversation's own choice, else the standard. A version that is gone falls back to the standard. Never rejects. */
  chosen(settings: Settings): Promise<SystemPrompt>;
}

const BUILT_IN: PromptVersion = {
  version: SYSTEM_PROMPT.version,
  text: SYSTEM_PROMPT.text,
  author: 'Nimbus Console',
  note: '',
  basedOn: null,
  createdAt: 0,
  activatedAt: null,
};

export function createPromptDesk(deps: { prompts: PromptStore; clock: Clock; logger: Logger }): PromptDesk {
  const { prompts, clock, logger } = deps;
  /** What was read last: a store that is away for a moment must not change what Nimbus is told. */
  let known: PromptVersionView[] = viewed([]);
  const list = async (): Promise<PromptVersionView[]> => {
    known = viewed(await prompts.list());
    return known;
  };
  const find = async (version: string): Promise<PromptVersionView> => {
    const found = (await list()).find((each) => each.version === version);
    if (found === undefined) throw new ConsoleError('not-found', `There is no system prompt "${version}".`);
    return found;
  };
  return {
    list,
    async add(draft) {
      const all = await list();
      if (draft.basedOn !== null && !all.some((each) => each.version === draft.basedOn))
        throw new ConsoleError('not-found', `There is no system prompt "${draft.basedOn}" to start from.`);
      const version = `v${1 + Math.max(1, ...all.map((each) => numberOf(each.version)))}`;
      await prompts.add({ ...draft, version, createdAt: clock.now(), activatedAt: null });
      return find(version);
    },
    async activate(version) {
      const found = await find(version);
      if (found.builtIn && !(await prompts.list()).some((each) => each.version === version)) await prompts.add(BUILT_IN);
      await prompts.activate(version, Math.max(clock.now(), 1 + Math.max(0, ...known.map((each) => each.activatedAt ?? 0))));
      return list();
    },
    async named(version) {
      const { text } = await find(version);
      return { version, text };
    },
    async chosen(settings) {
      const all = await list().catch((error: unknown) => {
        logger.warn('the system prompts could not be read; those known before are used', { error: String(error) });
        return known;
      });
      const wanted = settings['agent.promptVersion'];
      const own = wanted === '' ? undefined : all.find((each) => each.version === wanted);
      if (wanted !== '' && own === undefined) logger.warn('the chosen system prompt is gone; the standard one is used', { wanted });
      const { version, text } = own ?? all.find((each) => each.active) ?? SYSTEM_PROMPT;
      return { version, text };
    },
  };
}

/** `v7` is 7; every other name is no number. The built-in prompt counts as the first. */
function numberOf(version: string): number {
  return Number(/^v(\d{1,9})$/u.exec(version)?.[1] ?? 0);
}

function viewed(stored: readonly PromptVersion[]): PromptVersionView[] {
  const all = stored.some((each) => each.version === BUILT_IN.version) ? [...stored] : [...stored, BUILT_IN];
  const newest = Math.max(0, ...all.map((each) => each.activatedAt ?? 0));
  const active = newest === 0 ? BUILT_IN.version : all.find((each) => each.activatedAt === newest)?.version;
  return all
    .map((each) => ({ ...each, active: each.version === active, builtIn: each.version === BUILT_IN.version }))
    .sort((left, right) => right.createdAt - left.createdAt || numberOf(right.version) - numberOf(left.version));
}
